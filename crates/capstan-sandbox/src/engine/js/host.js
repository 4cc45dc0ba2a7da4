// The world as code sees it. Runs before any user code and keeps what it needs in its own variables:
// whatever code does to the built-in objects afterwards, it does to itself.
//
// After user code has run, nothing here may go through a property that user code can reach: no
// methods of prototypes, no iteration, no spreading of arrays, no template literals (the engine makes
// calls of `concat` out of them).
export default function (native) {
  const $Error = Error, $TypeError = TypeError, $RangeError = RangeError, $EvalError = EvalError;
  const $Promise = Promise, $Proxy = Proxy, $String = String, $Map = Map, $WeakMap = WeakMap;
  const { apply, getPrototypeOf, ownKeys } = Reflect;
  const { defineProperty, freeze } = Object;
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { floor, min } = Math;
  const now = Date.now;
  const isError = $Error.isError ?? ((value) => value instanceof $Error);
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
  const toPrimitive = Symbol.toPrimitive;

  const LONGEST_MESSAGE = 4096, LONGEST_STACK = 16384, LONGEST_NAME = 100;
  const LONGEST_KEY = 200, DEEPEST_PATH = 16;
  const { LARGEST_INPUT, DEEPEST_RESULT } = native;

  const hide = (object, key, value) =>
    defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  const cut = (text, length) => wellFormed(text.length > length ? slice(text, 0, length) : text);

  // --- What is thrown and logged, as text. User code may run meanwhile, and may throw.

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
        const text = stringify(value, (_key, inner) => (typeof inner === "bigint" ? inner + "n" : inner));
        return text === undefined ? "undefined" : cut(text, length);
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

  // What is known about something that was thrown; `call` is the number of the call whose error it is.
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
      said.message = property(thrown, "message", LONGEST_MESSAGE) || "the code threw an error without a message";
    } else {
      said.name = typeof thrown;
      said.message = "the code threw something that is no Error: " + tryText(thrown, LONGEST_MESSAGE);
    }
    return said;
  };

  // --- The result as JSON.

  // What of the value is no JSON, and where. Looks at some thousand places at most.
  const flaw = (value) => {
    let left = 20000;
    const look = (inner, path, parents, depth) => {
      if (left-- <= 0) return "";
      if (typeof inner === "bigint") return "a BigInt at `" + path + "`";
      if (typeof inner !== "object" || inner === null) return "";
      for (let parent = parents; parent; parent = parent.next) {
        if (parent.value === inner) return "a cycle: `" + path + "` is `" + parent.path + "`";
      }
      if (depth >= DEEPEST_RESULT) return "something nested deeper than " + DEEPEST_RESULT + " levels at `" + cut(path, 60) + "`";
      const here = { __proto__: null, value: inner, path, next: parents };
      const keys = ownKeys(inner);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i];
        if (typeof key !== "string") continue;
        const found = look(inner[key], cut(isArray(inner) ? path + "[" + key + "]" : path + "." + key, 200), here, depth + 1);
        if (found) return found;
      }
      return "";
    };
    try {
      return look(value, "result", undefined, 0);
    } catch {
      return "";
    }
  };

  // Either `text`, or `flaw`, or `large`; or it throws.
  const show = (value, largest) => {
    const shown = { __proto__: null, text: "null", flaw: "", large: false };
    if (value === undefined) return shown;
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
      shown.flaw = typeof value === "bigint" ? "a BigInt" : "a " + typeof value;
      return shown;
    }
    let text;
    try {
      text = stringify(value);
    } catch (error) {
      shown.flaw = flaw(value);
      if (!shown.flaw) throw error;
      return shown;
    }
    if (text === undefined) return shown;
    if (text.length > largest) shown.large = true;
    else shown.text = text;
    return shown;
  };

  // --- Calls.

  const waiting = new $Map();
  const failures = new $WeakMap();
  const roots = freeze({ __proto__: null, capstan: 0, mcp: 1, caps: 2 });

  const refused = (error) => new $Promise((_resolve, reject) => reject(error));

  const invoke = (root, path, shown, depth, list) => {
    if (depth === 0 || (depth === 1 && root !== "caps" && !(root === "capstan" && indexOf(path, ".") > 0))) {
      const next = root === "mcp" ? "mcp.<server>.<tool>(input)" : root === "caps" ? "caps.<name>(args)" : "capstan.<domain>.<action>(input)";
      return refused(new $TypeError("`" + shown + "` cannot be called: call " + next));
    }
    if (list.length > 1) {
      return refused(new $TypeError("`" + shown + "` takes one object, not " + list.length + " arguments; pass a function such as (x) => " + shown + "({ … })"));
    }
    const input = list.length === 0 ? undefined : list[0];
    let text = "{}";
    if (input !== undefined) {
      if (typeof input !== "object" || input === null || isArray(input)) {
        const what = input === null ? "null" : isArray(input) ? "an array" : "a " + typeof input;
        return refused(new $TypeError("`" + shown + "` takes an object, not " + what));
      }
      try {
        text = stringify(input);
      } catch (error) {
        return refused(error);
      }
      if (text === undefined || text[0] !== "{") {
        return refused(new $TypeError("`" + shown + "` takes an object, and its input is none as JSON"));
      }
      if (text.length > LARGEST_INPUT) {
        return refused(new $RangeError("the input of `" + shown + "` is larger than " + LARGEST_INPUT + " bytes"));
      }
    }
    // Made here, so that its stack says where the call was made.
    const error = new $Error("");
    hide(error, "name", "CapstanError");
    return new $Promise((resolve, reject) => {
      const id = native.call(roots[root], path, text);
      if (id > 0) mapSet(waiting, id, { __proto__: null, resolve, reject, error });
      else reject(new $RangeError("the inputs of the calls under way are too large together: await some before `" + shown + "`"));
    });
  };

  const deliver = (id, ok, text, meta) => {
    const call = mapGet(waiting, id);
    if (call === undefined) return;
    mapDelete(waiting, id);
    let value, beside;
    try {
      value = parse(text);
      if (meta !== undefined) beside = parse(meta);
    } catch (error) {
      call.reject(error);
      return;
    }
    if (ok) {
      if (beside !== undefined && typeof value === "object" && value !== null) hide(value, "$meta", beside);
      call.resolve(value);
      return;
    }
    const error = call.error;
    hide(error, "message", value.message);
    defineProperty(error, "code", { __proto__: null, value: value.code, writable: true, configurable: true, enumerable: true });
    defineProperty(error, "retryable", { __proto__: null, value: value.retryable, writable: true, configurable: true, enumerable: true });
    defineProperty(error, "details", { __proto__: null, value: value.details ?? {}, writable: true, configurable: true, enumerable: true });
    weakSet(failures, error, id);
    call.reject(error);
  };

  // `capstan.issue.view` is a path that grows with every property; to call it is to call a
  // capability. What a path is stands in a private field of the proxy's target, where nothing of user
  // code is in the way, so that all paths can share their traps.
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
  const node = (root, path, shown, depth) => {
    const target = () => {};
    new Path(target, { __proto__: null, root, path, shown, depth });
    return new $Proxy(target, traps);
  };
  const traps = freeze({
    __proto__: null,
    get(target, key) {
      // Nothing here is a promise, or has a JSON of its own.
      if (key === "then" || key === "toJSON") return undefined;
      const is = Path.of(target), shown = is.shown, depth = is.depth;
      if (key === toPrimitive) return () => shown;
      if (typeof key !== "string") return undefined;
      if (key.length === 0 || key.length > LONGEST_KEY || indexOf(key, "\0") >= 0) {
        throw new $TypeError("`" + shown + "` has no such property: a name has 1 to " + LONGEST_KEY + " characters");
      }
      if (depth >= DEEPEST_PATH) throw new $TypeError("`" + slice(shown, 0, 60) + "…` is deeper than any capability");
      return node(is.root, depth === 0 ? key : is.path + "\0" + key, shown + "." + key, depth + 1);
    },
    apply(target, _self, list) {
      const is = Path.of(target);
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

  const log = (level, list) => {
    // One more than there is room for, so that it shows that something was cut.
    const room = native.room() + 1;
    let text = "";
    for (let i = 0; i < list.length && text.length <= room; i++) {
      if (i > 0) text += " ";
      text += tryText(list[i], room);
    }
    native.log(level, cut(text, room));
  };
  const console = { __proto__: null };
  const levels = ["log", "info", "warn", "error", "debug"];
  for (let level = 0; level < levels.length; level++) {
    defineProperty(console, levels[level], { __proto__: null, enumerable: true, value: freeze((...list) => log(level, list)) });
  }

  // --- Time.

  const timers = new $Map();
  const setTimeout = (callback, delay, ...list) => {
    if (typeof callback !== "function") throw new $TypeError("setTimeout takes a function");
    delay = +delay;
    const id = native.timer(delay > 0 ? min(floor(delay), 0x7fffffff) : 0);
    if (id === 0) throw new $RangeError("too many timers are waiting");
    mapSet(timers, id, { __proto__: null, callback, list });
    return id;
  };
  const clearTimeout = (id) => {
    if (typeof id === "number" && mapDelete(timers, id)) native.clear(id);
  };
  // What the callback throws is a rejection that nobody handles.
  const fire = (id) => {
    const timer = mapGet(timers, id);
    if (timer === undefined) return;
    mapDelete(timers, id);
    new $Promise((resolve) => {
      apply(timer.callback, undefined, timer.list);
      resolve();
    });
  };
  const start = now();
  const performance = freeze({ __proto__: null, now: freeze(() => now() - start), timeOrigin: start });

  // --- No code out of text: what is run is what was read.

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

  const begin = (args) => {
    put("args", parse(args), true);
  };
  return { __proto__: null, begin, deliver, fire, show, describe };
}
