// The console: what code logs goes into the trace. Nothing here ends a run.
const makeConsole = ({ log, room }, tryText, cut, table) => {
  const { apply, defineProperty } = Reflect;
  const $String = String, $Map = Map, $Error = Error;
  const now = Date.now, number = Number, truncate = Math.trunc, parseFloat_ = parseFloat;
  const uncurry = (method) => (self, ...rest) => apply(method, self, rest);
  const slice = uncurry($String.prototype.slice), indexOf = uncurry($String.prototype.indexOf);
  const repeat = uncurry($String.prototype.repeat), split = uncurry($String.prototype.split);
  const mapGet = uncurry($Map.prototype.get), mapSet = uncurry($Map.prototype.set), mapDelete = uncurry($Map.prototype.delete);

  const LOG = 0, INFO = 1, WARN = 2, ERROR = 3, DEBUG = 4;
  const DEEPEST_GROUP = 20;
  const counts = new $Map(), times = new $Map();
  let depth = 0;

  const write = (level, text) => {
    const indent = repeat("  ", depth);
    if (depth === 0 || indexOf(text, "\n") < 0) {
      log(level, cut(indent + text, room() + 1));
      return;
    }
    const lines = split(text, "\n");
    let indented = indent + lines[0];
    for (let i = 1; i < lines.length; i++) indented += "\n" + indent + lines[i];
    log(level, cut(indented, room() + 1));
  };

  // `%s`, `%d` and so on, as long as there is a value for each.
  const substitute = (format, list, most) => {
    let text = "", rest = format, next = 1;
    for (let at = indexOf(rest, "%"); at >= 0; at = indexOf(rest, "%")) {
      const kind = rest[at + 1];
      let shown;
      if (kind === "%") shown = "%";
      else if (next >= list.length) shown = undefined;
      else if (kind === "s") shown = tryText(list[next++], most);
      else if (kind === "d") shown = numeric(list[next++], (it) => it);
      else if (kind === "i") shown = numeric(list[next++], truncate);
      else if (kind === "f") shown = numeric(list[next++], (it) => it);
      else if (kind === "j" || kind === "o" || kind === "O") shown = tryText(list[next++], most);
      else if (kind === "c") { next++; shown = ""; }
      text += slice(rest, 0, at) + (shown === undefined ? slice(rest, at, at + 2) : shown);
      rest = slice(rest, at + 2);
      if (text.length > most) break;
    }
    return { __proto__: null, text: text + rest, next };
  };
  const numeric = (value, change) => {
    if (typeof value === "bigint") return value + "n";
    if (typeof value === "symbol" || typeof value === "object") return "NaN";
    return $String(change(number(value)));
  };

  const say = (level, list) => {
    // One more than there is room for, so that the cut is visible.
    const most = room() + 1;
    let text = "", from = 0;
    if (list.length > 1 && typeof list[0] === "string" && indexOf(list[0], "%") >= 0) {
      const done = substitute(list[0], list, most);
      text = done.text;
      from = done.next;
      if (from < list.length) text += " ";
    }
    for (let i = from; i < list.length && text.length <= most; i++) {
      if (i > from) text += " ";
      text += tryText(list[i], most);
    }
    write(level, text);
  };
  const label = (given) => (given === undefined ? "default" : tryText(given, 100));
  const duration = (since) => now() - since + "ms";

  const methods = {
    __proto__: null,
    log: (...list) => say(LOG, list),
    info: (...list) => say(INFO, list),
    warn: (...list) => say(WARN, list),
    error: (...list) => say(ERROR, list),
    debug: (...list) => say(DEBUG, list),
    dir: (value) => write(LOG, tryText(value, room() + 1)),
    dirxml: (...list) => say(LOG, list),
    table: (data, columns) => {
      let text;
      try {
        text = table()(data, columns);
      } catch {}
      write(LOG, typeof text === "string" ? text : tryText(data, room() + 1));
    },
    trace: (...list) => {
      const text = list.length === 0 ? "" : ": ";
      const stack = new $Error().stack;
      // Without the name of the error.
      say(DEBUG, ["Trace" + text + (list.length === 0 ? "" : tryText(list[0], 1000)) + slice(stack, indexOf(stack, "\n"))]);
    },
    assert: (condition, ...list) => {
      if (condition) return;
      if (list.length === 0) write(ERROR, "Assertion failed");
      else {
        list[0] = "Assertion failed: " + tryText(list[0], room() + 1);
        say(ERROR, list);
      }
    },
    group: (...list) => {
      if (list.length > 0) say(LOG, list);
      if (depth < DEEPEST_GROUP) depth++;
    },
    groupCollapsed: (...list) => apply(methods.group, undefined, list),
    groupEnd: () => { if (depth > 0) depth--; },
    count: (given) => {
      const name = label(given), count = (mapGet(counts, name) ?? 0) + 1;
      mapSet(counts, name, count);
      write(LOG, name + ": " + count);
    },
    countReset: (given) => { mapDelete(counts, label(given)); },
    time: (given) => { mapSet(times, label(given), now()); },
    timeLog: (given, ...list) => {
      const name = label(given), since = mapGet(times, name);
      if (since === undefined) return write(WARN, "there is no timer `" + name + "`");
      let text = name + ": " + duration(since);
      for (let i = 0; i < list.length; i++) text += " " + tryText(list[i], room() + 1);
      write(LOG, text);
    },
    timeEnd: (given) => {
      methods.timeLog(given);
      mapDelete(times, label(given));
    },
    clear: () => {},
    profile: () => {},
    profileEnd: () => {},
    timeStamp: () => {},
  };
  return methods;
};
