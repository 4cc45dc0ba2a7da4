// The environment of user code. It runs before any user code and keeps what it needs in its own
// variables: changes that code makes to the built-in objects affect only that code.
//
// After user code has run, nothing here may use a property that user code can reach: no methods of
// prototypes, no iteration, no spreading of arrays, no template literals (the engine turns them
// into calls of `concat`).
export default function (native) {
  const $Error = Error, $TypeError = TypeError, $RangeError = RangeError, $EvalError = EvalError;
  const $Promise = Promise, $Proxy = Proxy, $String = String, $Map = Map, $WeakMap = WeakMap;
  const { apply, getPrototypeOf, ownKeys } = Reflect;
  const { defineProperty, freeze } = Object;
  const { parse } = JSON;
  const { isArray } = Array;
  const { floor, min } = Math;
  const now = Date.now;
  const isError = $Error.isError;
  const uncurry = (method) => (self, ...rest) => apply(method, self, rest);
  const slice = uncurry($String.prototype.slice);
  const wellFormed = uncurry($String.prototype.toWellFormed);
  const indexOf = uncurry($String.prototype.indexOf);
  const symbolText = uncurry(Symbol.prototype.toString);
  const mapGet = uncurry($Map.prototype.get);
  const mapSet = uncurry($Map.prototype.set);
  const mapDelete = uncurry($Map.prototype.delete);
  const weakGet = uncurry($WeakMap.prototype.get);
  const weakSet = uncurry($WeakMap.prototype.set);
  const internalError = InternalError.prototype, rangeError = $RangeError.prototype;
  const { toPrimitive, asyncIterator } = Symbol;
  const promiseThen = uncurry($Promise.prototype.then);

  const MOST_INNER = 5, LONGEST_INNER = 500;
  const LONGEST_MESSAGE = 4096, LONGEST_STACK = 16384, LONGEST_NAME = 100;
  const LONGEST_KEY = 200, DEEPEST_PATH = 16, LARGEST_SHOWN = 1 << 20, LONGEST_TIMEOUT = 600000;
  const { LARGEST_INPUT } = native;
  const plain = makePlain(native);

  const hide = (object, key, value) =>
    defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  const cut = (text, length) => wellFormed(text.length > length ? slice(text, 0, length) : text);

  // --- Thrown and logged values as text. User code may run meanwhile, and may throw.

  const textOf = (value, length) => {
    switch (typeof value) {
      case "string": return cut(value, length);
      case "symbol": return cut(symbolText(value), length);
      case "bigint": return value + "n";
      case "function": return "[function]";
      case "object": {
        if (value === null) return "null";
        if (isError(value)) {
          const name = value.name, message = value.message;
          return cut(textOf(name, LONGEST_NAME) + ": " + textOf(message, length), length);
        }
        const shown = plain(value, "value", LARGEST_SHOWN, true);
        return shown.large ? "[an object that is too large to be shown]" : cut(shown.text, length);
      }
      default: return $String(value);
    }
  };
  const tryText = (value, length) => {
    try {
      return textOf(value, length);
    } catch {
      return typeof value === "object" ? "[an object that cannot be shown]" : "[unreadable]";
    }
  };
  const property = (value, key, length) => {
    try {
      const found = value[key];
      return typeof found === "string" ? cut(found, length) : "";
    } catch {
      return "";
    }
  };

  // Describes the errors inside an aggregate error. `call` is that of the first, if all are errors
  // of calls with the same code.
  const innerErrors = (error) => {
    let list;
    try {
      list = error.errors;
      if (!isArray(list) || list.length === 0) return undefined;
      let text = "", call = weakGet(failures, list[0]) ?? 0;
      for (let i = 0; i < list.length; i++) {
        const inner = list[i];
        if (i < MOST_INNER) text += (i === 0 ? "" : "; ") + tryText(inner, LONGEST_INNER);
        if ((weakGet(failures, inner) ?? 0) === 0 || inner.code !== list[0].code) call = 0;
      }
      if (list.length > MOST_INNER) text += "; and " + (list.length - MOST_INNER) + " more";
      return { __proto__: null, text, call };
    } catch {
      return undefined;
    }
  };

  // The causes of an error, the nearest first.
  const causes = (error) => {
    let text = "", at = error;
    try {
      for (let i = 0; i < MOST_INNER; i++) {
        at = at.cause;
        if (at === undefined || at === null) break;
        text += "; caused by " + tryText(at, LONGEST_INNER);
        if (typeof at !== "object") break;
      }
    } catch {}
    return text;
  };

  // Describes a thrown value. `call` is the number of the call whose error it is.
  const describe = (thrown) => {
    const said = { __proto__: null, limit: "", name: "", message: "", stack: "", call: 0 };
    if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) {
      said.name = thrown === null ? "null" : typeof thrown;
      const what = said.name === "null" ? "" : "a value of type " + said.name + ", ";
      said.message = "the code threw " + what + tryText(thrown, LONGEST_MESSAGE) + ", which is no Error";
      return said;
    }
    said.call = weakGet(failures, thrown) ?? 0;
    said.stack = property(thrown, "stack", LONGEST_STACK);
    let error = false;
    try {
      const prototype = getPrototypeOf(thrown);
      error = isError(thrown) || (typeof thrown.message === "string" && typeof thrown.name === "string");
      const message = error ? thrown.message : "";
      if (prototype === internalError && (message === "out of memory" || message === "out of memory in regexp execution")) said.limit = "memory";
      if (prototype === rangeError && message === "Maximum call stack size exceeded") said.limit = "stack";
    } catch {}
    if (error) {
      said.name = property(thrown, "name", LONGEST_NAME) || "Error";
      const several = innerErrors(thrown);
      if (several !== undefined && said.call === 0) said.call = several.call;
      const message = property(thrown, "message", LONGEST_MESSAGE);
      const inner = several === undefined ? "" : (message === "" ? "" : ": ") + several.text;
      said.message = cut(((message + inner) || "the code threw an error without a message") + causes(thrown), LONGEST_MESSAGE);
    } else {
      said.name = typeof thrown;
      said.message = "the code threw something that is no Error: " + tryText(thrown, LONGEST_MESSAGE);
    }
    return said;
  };

  // --- Calls.

  const waiting = new $Map();
  const failures = new $WeakMap();
  const roots = freeze({ __proto__: null, capstan: 0, mcp: 1, caps: 2 });
  const AFTER_THE_END = -2;

  const refused = (error) => new $Promise((_resolve, reject) => reject(error));

  // The second argument of a call: its time limit, and the signal that aborts it.
  const optionsOf = (shown, given, known = "`timeout_ms` and `signal`") => {
    const options = { __proto__: null, timeout: 0, signal: undefined };
    if (given === undefined) return options;
    if (typeof given !== "object" || given === null || isArray(given)) {
      throw new $TypeError("the second argument of `" + shown + "` is no object with `timeout_ms` or `signal`; pass a function such as (x) => " + shown + "({ … }) to `map`");
    }
    const names = ownKeys(given);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (name !== "timeout_ms" && name !== "signal") {
        throw new $TypeError("`" + shown + "` takes one object as its input, and " + known + " beside it, not `" + tryText(name, LONGEST_NAME) + "`");
      }
    }
    const timeout = given.timeout_ms, signal = given.signal;
    if (timeout !== undefined) {
      if (typeof timeout !== "number" || !(timeout >= 1) || timeout > LONGEST_TIMEOUT) {
        throw new $RangeError("`timeout_ms` of `" + shown + "` is a number from 1 to " + LONGEST_TIMEOUT);
      }
      options.timeout = floor(timeout);
    }
    if (signal !== undefined && signal !== null) {
      if (!library("web").isSignal(signal)) throw new $TypeError("`signal` of `" + shown + "` is no AbortSignal: pass `controller.signal`");
      options.signal = signal;
    }
    return options;
  };

  const invoke = (root, path, shown, depth, list) => {
    if (depth === 0 || (depth === 1 && root !== "caps" && !(root === "capstan" && indexOf(path, ".") > 0))) {
      const next = root === "mcp" ? "mcp.<server>.<tool>(input)" : root === "caps" ? "caps.<name>(args)" : "capstan.<domain>.<action>(input)";
      return refused(new $TypeError("`" + shown + "` cannot be called: call " + next));
    }
    if (list.length > 2) {
      return refused(new $TypeError("`" + shown + "` takes one object, not " + list.length + " arguments; pass a function such as (x) => " + shown + "({ … })"));
    }
    const input = list.length === 0 ? undefined : list[0];
    let text = "{}", options;
    try {
      options = optionsOf(shown, list.length < 2 ? undefined : list[1]);
    } catch (error) {
      return refused(error);
    }
    if (input !== undefined) {
      if (typeof input !== "object" || input === null || isArray(input)) {
        const what = input === null ? "null" : isArray(input) ? "an array" : "a " + typeof input;
        return refused(new $TypeError("`" + shown + "` takes an object, not " + what));
      }
      let json;
      try {
        json = plain(input, "input", LARGEST_INPUT, false);
      } catch (error) {
        return refused(error);
      }
      if (json.flaw) {
        return refused(new $TypeError("the input of `" + shown + "` cannot be given as JSON: it is or contains " + json.flaw));
      }
      if (json.large || json.text.length > LARGEST_INPUT) {
        return refused(new $RangeError("the input of `" + shown + "` is larger than " + LARGEST_INPUT + " bytes"));
      }
      text = json.text;
      if (text[0] !== "{") {
        return refused(new $TypeError("`" + shown + "` takes an object, and its input is none as JSON"));
      }
    }
    // Created here, so that its stack shows where the call was made.
    const error = new $Error("");
    hide(error, "name", "CapstanError");
    const { signal, timeout } = options;
    return new $Promise((resolve, reject) => {
      if (signal !== undefined && library("web").isAborted(signal)) return reject(library("web").reasonOf(signal));
      const id = native.call(roots[root], path, text, timeout);
      if (id > 0) {
        const forget = signal === undefined ? undefined : library("web").onAbort(signal, () => native.abort(id));
        mapSet(waiting, id, { __proto__: null, resolve, reject, error, shown, signal, forget });
      } else if (id === AFTER_THE_END) {
        reject(new $Error("`" + shown + "` was called after the code had its result: await it before the code ends"));
      } else {
        reject(new $RangeError("the inputs of the calls under way are too large together: await some before `" + shown + "`"));
      }
    });
  };

  const deliver = (id, ok, text, meta) => {
    const call = mapGet(waiting, id);
    if (call === undefined) return;
    mapDelete(waiting, id);
    if (call.forget !== undefined) call.forget();
    let value, beside;
    try {
      value = parse(text);
      if (meta !== undefined) beside = parse(meta);
    } catch (error) {
      call.reject(error);
      return;
    }
    if (ok) {
      if (beside !== undefined && typeof value === "object" && value !== null) attach(value, beside, id, call.shown);
      call.resolve(value);
      return;
    }
    const error = call.error, details = value.details ?? {};
    if (call.signal !== undefined && value.code === "CANCELLED" && library("web").isAborted(call.signal)) {
      const reason = library("web").reasonOf(call.signal);
      // As in other environments, if nothing was written; otherwise the code must learn that
      // something may have been.
      if (details.outcome !== "unknown") {
        call.reject(reason);
        return;
      }
      hide(error, "cause", reason);
    }
    hide(error, "message", value.message);
    const stack = property(error, "stack", LONGEST_STACK);
    hide(error, "stack", "CapstanError: " + value.message + slice(stack, indexOf(stack, "\n")));
    defineProperty(error, "code", { __proto__: null, value: value.code, writable: true, configurable: true, enumerable: true });
    defineProperty(error, "retryable", { __proto__: null, value: value.retryable, writable: true, configurable: true, enumerable: true });
    defineProperty(error, "details", { __proto__: null, value: details, writable: true, configurable: true, enumerable: true });
    weakSet(failures, error, id);
    call.reject(error);
  };

  // --- Pages.

  const USUAL_ROWS = 1000, MOST_ROWS = 10000, LARGEST_PAGE = 100;
  const besides = new $WeakMap();

  // Adds what comes beside the data. Code that never reads a cursor takes one page for everything,
  // so its author is warned.
  const attach = (value, beside, id, shown) => {
    weakSet(besides, value, { __proto__: null, id, beside });
    const pages = beside.pagination;
    if (pages === undefined || pages.has_next_page !== true) {
      hide(value, "$meta", beside);
      return;
    }
    const rows = isArray(value) ? value : value[beside.list];
    const read = isArray(rows) ? " (" + rows.length + (pages.total === undefined ? "" : " of " + pages.total) + " rows)" : "";
    native.warn(id, shown + " gave one page of several" + read + " and the code did not look at its cursor: read all by `" +
      shown + ".all(input, {limit})`, or go on with `after: result.$meta.pagination.end_cursor`");
    defineProperty(value, "$meta", {
      __proto__: null, configurable: true, enumerable: false,
      get: () => {
        native.unwarn(id);
        hide(value, "$meta", beside);
        return beside;
      },
      set: (other) => hide(value, "$meta", other),
    });
  };

  // Iterates over pages. `rows` are those of the last page that was read, from `next` on.
  const pager = (is, shown, input, limit, options) => {
    let after = input.after ?? undefined, left = limit, more = true, total, cursor, incomplete;
    // A cursor of numbered pages is valid only for the page size with which it was made.
    const first = input.first ?? (after === undefined ? min(LARGEST_PAGE, limit) : undefined);
    return {
      __proto__: null,
      // Whether there is another page within the limit.
      more: () => more && left > 0,
      end: () => ({ truncated: more, total, end_cursor: more ? cursor : undefined, incomplete }),
      async page() {
        const page = await invoke(is.root, is.path + "\0all", is.shown, is.depth + 1, [{ ...input, first, after }, options]);
        const { id, beside } = weakGet(besides, page) ?? { __proto__: null };
        const rows = beside === undefined ? undefined : isArray(page) ? page : page[beside.list];
        if (!isArray(rows)) throw new $TypeError("`" + shown + "` has no rows to go through");
        const pages = beside.pagination;
        native.unwarn(id);
        cursor = pages.end_cursor;
        total = pages.total;
        if (pages.incomplete === true) incomplete = true;
        more = pages.has_next_page === true && cursor !== undefined && cursor !== after;
        after = cursor;
        if (rows.length > left) {
          rows.length = left;
          more = true;
        }
        left -= rows.length;
        if (more && left === 0) {
          native.warn(id, shown + " stopped at its limit of " + limit + " rows" + (total === undefined ? "" : ", of " + total) +
            ": there are more; give a higher `limit`, at most " + MOST_ROWS);
        }
        return rows;
      },
    };
  };

  // The limit on all rows together, and the options of each call.
  const pagesOptions = (shown, given) => {
    if (typeof given !== "object" || given === null || isArray(given)) return { __proto__: null, limit: checkedLimit(shown, given) };
    const { limit, ...options } = given;
    optionsOf(shown, options, "`limit`, `timeout_ms` and `signal`");
    return { __proto__: null, limit: checkedLimit(shown, limit ?? USUAL_ROWS), options };
  };
  const checkedLimit = (shown, limit) => {
    if (typeof limit !== "number" || !(limit >= 1 && limit <= MOST_ROWS) || floor(limit) !== limit) {
      throw new $RangeError("the `limit` of `" + shown + "` is " + (typeof limit === "string" ? "the string " : "") + tryText(limit, LONGEST_NAME) + ": expected a whole number from 1 to " + MOST_ROWS);
    }
    return limit;
  };

  // `capstan.issue.list.all(input, {limit, timeout_ms, signal})`: await it for an array, or iterate
  // over it with `for await`.
  const everyRow = (is, shown, list) => {
    const input = list.length > 0 && list[0] !== undefined ? list[0] : {};
    if (typeof input !== "object" || input === null || isArray(input)) {
      throw new $TypeError("`" + shown + "` takes an object, and `{limit}` after it");
    }
    const given = list.length > 1 && list[1] !== undefined ? list[1] : {};
    const { limit, options } = pagesOptions(shown, given);
    const collect = async () => {
      const pages = pager(is, shown, input, limit, options), all = [];
      while (pages.more()) {
        const rows = await pages.page();
        for (let i = 0; i < rows.length; i++) all[all.length] = rows[i];
      }
      hide(all, "$meta", pages.end());
      return all;
    };
    const each = async function* () {
      const pages = pager(is, shown, input, limit, options);
      while (pages.more()) {
        const rows = await pages.page();
        for (let i = 0; i < rows.length; i++) yield rows[i];
      }
    };
    return freeze({
      __proto__: null,
      [asyncIterator]: freeze(() => each()),
      then: freeze((resolve, reject) => promiseThen(collect(), resolve, reject)),
      catch: freeze((reject) => promiseThen(collect(), undefined, reject)),
      finally: freeze((done) => promiseThen(
        collect(),
        async (rows) => (await done(), rows),
        async (error) => { await done(); throw error; },
      )),
    });
  };

  // `capstan.issue.view` is a path that grows with every property; calling it calls a capability.
  // The path is in a private field of the proxy's target, which user code cannot reach, so all
  // paths can share their traps.
  class Itself {
    constructor(target) {
      return target;
    }
  }
  class Path extends Itself {
    #is;
    constructor(target, is) {
      super(target);
      this.#is = is;
    }
    static of(target) {
      return target.#is;
    }
  }
  const node = (root, path, shown, depth, pagesOf) => {
    const target = () => {};
    new Path(target, { __proto__: null, root, path, shown, depth, pagesOf });
    return new $Proxy(target, traps);
  };
  const traps = freeze({
    __proto__: null,
    get(target, key) {
      // A path is no promise and has no `toJSON`.
      if (key === "then" || key === "toJSON") return undefined;
      const is = Path.of(target), shown = is.shown, depth = is.depth;
      if (key === toPrimitive) return () => shown;
      if (typeof key !== "string") return undefined;
      if (key.length === 0 || key.length > LONGEST_KEY || indexOf(key, "\0") >= 0) {
        throw new $TypeError("`" + shown + "` has no such property: a name has 1 to " + LONGEST_KEY + " characters");
      }
      if (depth >= DEEPEST_PATH) throw new $TypeError("`" + slice(shown, 0, 60) + "…` is deeper than any capability");
      const pagesOf = key === "all" && is.root === "capstan" && (depth > 1 || indexOf(is.path, ".") > 0) ? is : undefined;
      return node(is.root, depth === 0 ? key : is.path + "\0" + key, shown + "." + key, depth + 1, pagesOf);
    },
    apply(target, _self, list) {
      const is = Path.of(target);
      if (is.pagesOf !== undefined) return everyRow(is.pagesOf, is.shown, list);
      return invoke(is.root, is.path, is.shown, is.depth, list);
    },
    has: () => false,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
    getPrototypeOf: () => null,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });

  // --- The console.

  const methods = makeConsole(native, tryText, cut, () => library("web").table);
  const console = { __proto__: null };
  const names = ownKeys(methods);
  for (let i = 0; i < names.length; i++) {
    defineProperty(console, names[i], { __proto__: null, enumerable: true, value: freeze(methods[names[i]]) });
  }

  // --- Time.

  const timers = new $Map(), intervals = new $Map();
  const later = (name, callback, delay, list, every) => {
    if (typeof callback !== "function") throw new $TypeError(name + " takes a function");
    delay = +delay;
    delay = delay > 0 ? min(floor(delay), 0x7fffffff) : 0;
    if (every && delay === 0) delay = 1;
    const timer = { __proto__: null, callback, list, delay, every, id: 0 };
    return arm(timer);
  };
  const arm = (timer) => {
    const id = native.timer(timer.delay);
    if (id === 0) throw new $RangeError("too many timers are waiting");
    mapSet(timers, id, timer);
    if (timer.every) {
      if (timer.id === 0) timer.id = id;
      mapSet(intervals, timer.id, id);
      return timer.id;
    }
    return id;
  };
  const setTimeout = (callback, delay, ...list) => later("setTimeout", callback, delay, list, false);
  const setInterval = (callback, delay, ...list) => later("setInterval", callback, delay, list, true);
  const clearTimeout = (id) => {
    if (typeof id !== "number") return;
    const current = mapGet(intervals, id);
    mapDelete(intervals, id);
    if (current !== undefined) id = current;
    if (mapDelete(timers, id)) native.clear(id);
  };
  // What the callback throws becomes an unhandled rejection.
  const fire = (id) => {
    const timer = mapGet(timers, id);
    if (timer === undefined) return;
    mapDelete(timers, id);
    if (timer.every) arm(timer);
    new $Promise((resolve) => {
      apply(timer.callback, undefined, timer.list);
      resolve();
    });
  };
  const start = now();
  const performance = freeze({ __proto__: null, now: freeze(() => now() - start), timeOrigin: start });

  // --- No code from text: only code that was read is run.

  const functions = [function () {}, async function () {}, function* () {}, async function* () {}];
  const constructors = ["Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"];
  for (let i = 0; i < functions.length; i++) {
    const name = constructors[i], prototype = getPrototypeOf(functions[i]);
    const refuse = function () {
      throw new $EvalError(name + " is not available here: code cannot be made out of text");
    };
    defineProperty(refuse, "name", { __proto__: null, value: name });
    defineProperty(refuse, "prototype", { __proto__: null, value: prototype, writable: false });
    defineProperty(prototype, "constructor", { __proto__: null, value: freeze(refuse), writable: false, configurable: false, enumerable: false });
  }
  const evaluate = freeze((_text) => {
    throw new $EvalError("eval is not available here: code cannot be made out of text");
  });

  // --- The global object.

  $Error.prepareStackTrace = native.stack;
  delete $Error.prepareStackTrace;
  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;
  const put = (name, value, writable) =>
    defineProperty(globalThis, name, { __proto__: null, value, writable, configurable: false, enumerable: false });
  put("Function", $Error.constructor, false);
  put("eval", evaluate, false);
  put("capstan", node("capstan", "", "capstan", 0), false);
  put("mcp", node("mcp", "", "mcp", 0), false);
  put("caps", node("caps", "", "caps", 0), false);
  put("console", freeze(console), false);
  put("performance", performance, false);
  put("setTimeout", freeze(setTimeout), false);
  put("clearTimeout", freeze(clearTimeout), false);
  put("setInterval", freeze(setInterval), false);
  put("clearInterval", freeze((id) => clearTimeout(id)), false);

  // --- Libraries: created when they are first used. They have no authority: what they call is
  // pure, and changes that code makes to the language before affect only that code.

  const loaded = { __proto__: null };
  const library = (name) => {
    if (loaded[name] === undefined) loaded[name] = native.library(name)(native.pure(), { setTimeout, clearTimeout, tryText, warn: (text) => native.warn(0, text) });
    return loaded[name];
  };
  const lazily = (name, from) => defineProperty(globalThis, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get: () => {
      const value = library(from)[name];
      try {
        hide(globalThis, name, value);
      } catch {
        // The global object is frozen: the library is looked up again the next time.
      }
      return value;
    },
    set: (value) => { hide(globalThis, name, value); },
  });
  const web = [
    "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "structuredClone", "crypto",
    "AbortController", "AbortSignal", "Event", "EventTarget", "CustomEvent",
  ];
  for (let i = 0; i < web.length; i++) lazily(web[i], "web");
  lazily("Intl", "intl");
  const localized = {
    __proto__: null,
    localeCompare(that, locales, options) { return library("intl").compare(this, that, locales, options); },
    number(locales, options) { return library("intl").number(this, locales, options); },
    bigint(locales, options) { return library("intl").bigint(this, locales, options); },
    date(locales, options) { return library("intl").date(this, locales, options, "any"); },
    day(locales, options) { return library("intl").date(this, locales, options, "date"); },
    time(locales, options) { return library("intl").date(this, locales, options, "time"); },
  };
  const localize = (prototype, key, method) => {
    defineProperty(method, "name", { __proto__: null, value: key, configurable: true });
    hide(prototype, key, method);
  };
  localize($String.prototype, "localeCompare", localized.localeCompare);
  localize(Number.prototype, "toLocaleString", localized.number);
  localize(BigInt.prototype, "toLocaleString", localized.bigint);
  localize(Date.prototype, "toLocaleString", localized.date);
  localize(Date.prototype, "toLocaleDateString", localized.day);
  localize(Date.prototype, "toLocaleTimeString", localized.time);

  const begin = (args) => {
    put("args", parse(args), true);
  };
  const show = (value, largest) => plain(value, "result", largest, false);
  return { __proto__: null, begin, deliver, fire, show, describe };
}
