// What web platforms offer beside the language: URLs, text encodings, digests, signals. Created
// when code first uses one of them. It has no authority, so it may use the language as any code
// does.
export default function (pure, { setTimeout, tryText }) {
  const brand = (object, name) => Object.defineProperty(object.prototype, Symbol.toStringTag, { value: name, configurable: true });
  const text = (value) => {
    if (typeof value === "symbol") throw new TypeError("cannot convert a Symbol value to a string");
    return `${value}`.toWellFormed();
  };
  const need = (name, list, count) => {
    if (list.length < count) throw new TypeError(`${name} takes ${count} argument${count > 1 ? "s" : ""}, not ${list.length}`);
  };
  const bytesOf = (source, what) => {
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    throw new TypeError(`${what} takes an ArrayBuffer, a typed array or a DataView`);
  };

  // --- URLs

  const PARTS = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
  const part = Object.fromEntries(PARTS.map((name, index) => [name, index]));

  class URLSearchParams {
    #list = [];
    #changed;
    constructor(init = "") {
      if (typeof init === "object" && init !== null || typeof init === "function") {
        const iterate = init[Symbol.iterator];
        if (iterate !== undefined && iterate !== null) {
          for (const pair of init) {
            const both = [...pair];
            if (both.length !== 2) throw new TypeError("each entry of URLSearchParams is a pair of a name and a value");
            this.#list.push([text(both[0]), text(both[1])]);
          }
        } else {
          for (const key of Reflect.ownKeys(init)) {
            if (Object.getOwnPropertyDescriptor(init, key)?.enumerable) this.#list.push([text(key), text(init[key])]);
          }
        }
      } else {
        const query = text(init);
        this.#read(query.startsWith("?") ? query.slice(1) : query);
      }
    }
    #read(query) {
      const flat = pure.readForm(query);
      this.#list = [];
      for (let i = 0; i + 1 < flat.length; i += 2) this.#list.push([flat[i], flat[i + 1]]);
    }
    #change(list) {
      this.#list = list;
      this.#changed?.(this.toString());
    }
    // The parameters of a URL; changes to either update the other.
    static of(query, changed) {
      const params = new URLSearchParams(query);
      params.#changed = changed;
      return params;
    }
    static reread(params, query) {
      params.#read(query);
    }
    get size() { return this.#list.length; }
    append(...args) {
      need("append", args, 2);
      this.#change([...this.#list, [text(args[0]), text(args[1])]]);
    }
    delete(...args) {
      need("delete", args, 1);
      const name = text(args[0]), value = args[1] === undefined ? undefined : text(args[1]);
      this.#change(this.#list.filter(([key, known]) => key !== name || (value !== undefined && known !== value)));
    }
    get(...args) {
      need("get", args, 1);
      const name = text(args[0]);
      const found = this.#list.find(([key]) => key === name);
      return found === undefined ? null : found[1];
    }
    getAll(...args) {
      need("getAll", args, 1);
      const name = text(args[0]);
      return this.#list.filter(([key]) => key === name).map(([, value]) => value);
    }
    has(...args) {
      need("has", args, 1);
      const name = text(args[0]), value = args[1] === undefined ? undefined : text(args[1]);
      return this.#list.some(([key, known]) => key === name && (value === undefined || known === value));
    }
    set(...args) {
      need("set", args, 2);
      const name = text(args[0]), value = text(args[1]);
      let done = false;
      const list = this.#list.flatMap((pair) => {
        if (pair[0] !== name) return [pair];
        if (done) return [];
        done = true;
        return [[name, value]];
      });
      this.#change(done ? list : [...list, [name, value]]);
    }
    sort() {
      // By UTF-16 units, as `<` compares; equal names keep their order.
      this.#change(this.#list.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    }
    forEach(callback, self) {
      if (typeof callback !== "function") throw new TypeError("forEach takes a function");
      for (let i = 0; i < this.#list.length; i++) callback.call(self, this.#list[i][1], this.#list[i][0], this);
    }
    *entries() { for (let i = 0; i < this.#list.length; i++) yield [...this.#list[i]]; }
    *keys() { for (let i = 0; i < this.#list.length; i++) yield this.#list[i][0]; }
    *values() { for (let i = 0; i < this.#list.length; i++) yield this.#list[i][1]; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return pure.writeForm(this.#list.flat()); }
    // JSON has no form of its own for it, so its text is used.
    toJSON() { return this.toString(); }
  }
  brand(URLSearchParams, "URLSearchParams");
  const { of: paramsOf, reread } = URLSearchParams;
  delete URLSearchParams.of;
  delete URLSearchParams.reread;

  class URL {
    #parts;
    #params;
    constructor(...args) {
      need("URL", args, 1);
      const [url, base] = args;
      const parts = pure.readUrl(text(url), base === undefined ? undefined : text(base));
      if (parts === undefined) {
        const error = new TypeError("Invalid URL");
        Object.assign(error, { code: "ERR_INVALID_URL", input: text(url) });
        throw error;
      }
      this.#parts = parts;
    }
    static canParse(url, base) {
      return pure.readUrl(text(url), base === undefined ? undefined : text(base)) !== undefined;
    }
    static parse(url, base) {
      return URL.canParse(url, base) ? new URL(url, base) : null;
    }
    #set(name, value, tell = true) {
      const parts = pure.changeUrl(this.#parts[part.href], name, text(value));
      if (parts === undefined) {
        if (name === "href") throw new TypeError("Invalid URL");
        return;
      }
      this.#parts = parts;
      if (tell && this.#params !== undefined) reread(this.#params, parts[part.search].slice(1));
    }
    get searchParams() {
      this.#params ??= paramsOf(this.#parts[part.search], (query) => this.#set("search", query, false));
      return this.#params;
    }
    static {
      for (const name of PARTS) {
        const get = { get() { return this.#parts[part[name]]; } };
        const set = { set(value) { this.#set(name, value); } };
        Object.defineProperty(URL.prototype, name, {
          get: Object.getOwnPropertyDescriptor(get, "get").value,
          set: name === "origin" ? undefined : Object.getOwnPropertyDescriptor(set, "set").value,
          configurable: true,
          enumerable: true,
        });
      }
    }
    toString() { return this.#parts[part.href]; }
    toJSON() { return this.#parts[part.href]; }
  }
  brand(URL, "URL");

  // --- Text encodings

  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(input = "") { return pure.encode(text(input)); }
    encodeInto(source, target) {
      if (!(target instanceof Uint8Array)) throw new TypeError("encodeInto takes a Uint8Array");
      let read = 0, written = 0;
      for (const character of text(source)) {
        const bytes = pure.encode(character);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        written += bytes.length;
        read += character.length;
      }
      return { read, written };
    }
  }
  brand(TextEncoder, "TextEncoder");

  const ENCODINGS = {
    "utf-8": ["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "x-unicode20utf8"],
    "utf-16le": ["utf-16le", "utf-16", "ucs-2", "unicode", "iso-10646-ucs-2", "csunicode"],
    "windows-1252": ["windows-1252", "latin1", "iso-8859-1", "ascii", "us-ascii", "l1", "cp1252", "iso8859-1", "iso_8859-1", "x-cp1252", "ansi_x3.4-1968"],
  };
  class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBOM;
    #left = new Uint8Array(0);
    #begun = false;
    constructor(label = "utf-8", options = {}) {
      const wanted = text(label).trim().toLowerCase();
      this.#encoding = Object.keys(ENCODINGS).find((name) => ENCODINGS[name].includes(wanted));
      if (this.#encoding === undefined) {
        throw new RangeError(`the encoding "${label}" is not supported here: use utf-8, utf-16le or windows-1252`);
      }
      this.#fatal = Boolean(options?.fatal);
      this.#ignoreBOM = Boolean(options?.ignoreBOM);
    }
    get encoding() { return this.#encoding; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(input, options = {}) {
      let bytes = input === undefined ? new Uint8Array(0) : bytesOf(input, "decode");
      if (this.#left.length > 0) {
        const both = new Uint8Array(this.#left.length + bytes.length);
        both.set(this.#left);
        both.set(bytes, this.#left.length);
        bytes = both;
      }
      const more = Boolean(options?.stream);
      const decoded = pure.decode(bytes, this.#encoding, this.#fatal, more);
      if (decoded === undefined) {
        this.#left = new Uint8Array(0);
        this.#begun = false;
        const error = new TypeError(`the bytes are not valid ${this.#encoding}`);
        error.code = "ERR_ENCODING_INVALID_ENCODED_DATA";
        throw error;
      }
      let [result, used] = decoded;
      this.#left = bytes.slice(used);
      if (!this.#begun && !this.#ignoreBOM && result.startsWith("\ufeff")) result = result.slice(1);
      this.#begun = more && (this.#begun || used > 0);
      return result;
    }
  }
  brand(TextDecoder, "TextDecoder");

  // --- Copies

  const notCloned = (what) => { throw new DOMException(`${what} could not be cloned: pass plain data`, "DataCloneError"); };
  const slot = (probe) => (value) => {
    try {
      probe(value);
      return true;
    } catch {
      return false;
    }
  };
  const isMap = slot((value) => Map.prototype.has.call(value)), isSet = slot((value) => Set.prototype.has.call(value));
  const isDate = slot((value) => Date.prototype.getTime.call(value));
  const regExpSource = Object.getOwnPropertyDescriptor(RegExp.prototype, "source").get;
  const isRegExp = slot((value) => regExpSource.call(value));
  const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const clone = (value, seen) => {
    if (typeof value === "function") notCloned(value.name ? `the function ${value.name}` : "a function");
    if (typeof value === "symbol") notCloned("a symbol");
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const remember = (copy) => {
      seen.set(value, copy);
      return copy;
    };
    if (Array.isArray(value)) {
      const copy = remember(new Array(value.length));
      for (const key of Object.keys(value)) copy[key] = clone(value[key], seen);
      return copy;
    }
    if (isDate(value)) return remember(new Date(Date.prototype.getTime.call(value)));
    if (isMap(value)) {
      const copy = remember(new Map());
      for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(clone(key, seen), clone(item, seen));
      return copy;
    }
    if (isSet(value)) {
      const copy = remember(new Set());
      for (const item of [...Set.prototype.values.call(value)]) copy.add(clone(item, seen));
      return copy;
    }
    if (value instanceof ArrayBuffer) return remember(value.slice(0));
    if (ArrayBuffer.isView(value)) {
      const buffer = clone(value.buffer, seen);
      if (value instanceof DataView) return remember(new DataView(buffer, value.byteOffset, value.byteLength));
      const kinds = { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array, Float16Array, Float32Array, Float64Array };
      return remember(new kinds[value[Symbol.toStringTag]](buffer, value.byteOffset, value.length));
    }
    if (isRegExp(value)) return remember(new RegExp(value.source, value.flags));
    if (value instanceof Number || value instanceof String || value instanceof Boolean) return remember(Object(value.valueOf()));
    if (Error.isError(value)) {
      const kind = ERRORS[value.name] ?? Error;
      const copy = remember(new kind(String(value.message)));
      Object.defineProperty(copy, "stack", { value: value.stack, writable: true, configurable: true });
      if (Object.hasOwn(value, "cause")) copy.cause = clone(value.cause, seen);
      return copy;
    }
    if (value instanceof Promise) notCloned("a Promise");
    if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) notCloned("a weak collection");
    const copy = remember({});
    for (const key of Object.keys(value)) {
      Object.defineProperty(copy, key, { value: clone(value[key], seen), writable: true, configurable: true, enumerable: true });
    }
    return copy;
  };
  const structuredClone = (...args) => {
    need("structuredClone", args, 1);
    return clone(args[0], new Map());
  };

  // --- Random values and digests

  const INTEGERS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array];
  const crypto = Object.freeze({
    __proto__: { get [Symbol.toStringTag]() { return "Crypto"; } },
    randomUUID() {
      const bytes = pure.random(16);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
    },
    getRandomValues(array) {
      if (!INTEGERS.some((kind) => array instanceof kind)) throw new DOMException("getRandomValues takes a typed array of integers", "TypeMismatchError");
      if (array.byteLength > 65536) throw new DOMException("getRandomValues fills at most 65536 bytes", "QuotaExceededError");
      bytesOf(array).set(pure.random(array.byteLength));
      return array;
    },
    subtle: Object.freeze({
      async digest(algorithm, data) {
        const name = text(typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm).toUpperCase();
        const digest = pure.digest(name, bytesOf(data, "digest"));
        if (digest === undefined) throw new DOMException(`the digest "${name}" is not supported: use SHA-1, SHA-256, SHA-384 or SHA-512`, "NotSupportedError");
        return digest.buffer;
      },
    }),
  });

  // --- Events and signals

  class Event {
    #type;
    #init;
    #stopped = false;
    #prevented = false;
    target = null;
    constructor(...args) {
      need("Event", args, 1);
      this.#type = text(args[0]);
      this.#init = args[1] ?? {};
    }
    get type() { return this.#type; }
    get bubbles() { return Boolean(this.#init.bubbles); }
    get cancelable() { return Boolean(this.#init.cancelable); }
    get currentTarget() { return this.target; }
    get defaultPrevented() { return this.#prevented; }
    preventDefault() { if (this.cancelable) this.#prevented = true; }
    stopPropagation() {}
    stopImmediatePropagation() { this.#stopped = true; }
    static isStopped(event) { return event.#stopped; }
  }
  brand(Event, "Event");
  const { isStopped } = Event;
  delete Event.isStopped;
  class CustomEvent extends Event {
    #detail;
    constructor(type, init) {
      super(type, init);
      this.#detail = init?.detail ?? null;
    }
    get detail() { return this.#detail; }
  }
  brand(CustomEvent, "CustomEvent");

  class EventTarget {
    #listeners = [];
    addEventListener(type, listener, options = {}) {
      if (listener === null || listener === undefined) return;
      const known = this.#listeners.some((it) => it.type === type && it.listener === listener);
      const { once = false, signal } = typeof options === "object" && options !== null ? options : {};
      if (known || signal?.aborted) return;
      this.#listeners.push({ type: text(type), listener, once });
      signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
    }
    removeEventListener(type, listener) {
      this.#listeners = this.#listeners.filter((it) => it.type !== type || it.listener !== listener);
    }
    dispatchEvent(event) {
      event.target = this;
      for (const { type, listener, once } of [...this.#listeners]) {
        if (type !== event.type) continue;
        if (once) this.removeEventListener(type, listener);
        try {
          if (typeof listener === "function") listener.call(this, event);
          else listener.handleEvent(event);
        } catch (error) {
          // Like an error of a timer: nobody handles it.
          Promise.reject(error);
        }
        if (isStopped(event)) break;
      }
      return !event.defaultPrevented;
    }
  }
  brand(EventTarget, "EventTarget");

  let making = false;
  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason;
    #followers = new Set();
    #onabort = null;
    get onabort() { return this.#onabort; }
    set onabort(listener) { this.#onabort = listener; }
    constructor() {
      if (!making) throw new TypeError("AbortSignal cannot be made by itself: use `new AbortController().signal`");
      super();
    }
    get aborted() { return this.#aborted; }
    get reason() { return this.#reason; }
    throwIfAborted() { if (this.#aborted) throw this.#reason; }
    static abort(reason) {
      const signal = makeSignal();
      AbortSignal.#abort(signal, reason);
      return signal;
    }
    static timeout(delay) {
      const signal = makeSignal();
      setTimeout(() => AbortSignal.#abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError")), delay);
      return signal;
    }
    static any(signals) {
      const signal = makeSignal();
      const all = [...signals];
      const aborted = all.find((it) => it.aborted);
      if (aborted !== undefined) AbortSignal.#abort(signal, aborted.reason);
      else for (const it of all) it.#followers.add(() => AbortSignal.#abort(signal, it.#reason));
      return signal;
    }
    static #abort(signal, reason) {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
      for (const follow of [...signal.#followers]) follow();
      signal.#followers.clear();
      const event = new Event("abort");
      if (typeof signal.onabort === "function") {
        event.target = signal;
        try {
          signal.onabort(event);
        } catch (error) {
          Promise.reject(error);
        }
      }
      signal.dispatchEvent(event);
    }
    // For the host: no listener of the code can interfere.
    static inside = {
      abort: (signal, reason) => AbortSignal.#abort(signal, reason),
      is: (value) => typeof value === "object" && value !== null && #aborted in value,
      isAborted: (signal) => signal.#aborted,
      reasonOf: (signal) => signal.#reason,
      follow: (signal, callback) => {
        signal.#followers.add(callback);
        return () => { signal.#followers.delete(callback); };
      },
    };
  }
  brand(AbortSignal, "AbortSignal");
  const { inside } = AbortSignal;
  delete AbortSignal.inside;
  const makeSignal = () => {
    making = true;
    try {
      return new AbortSignal();
    } finally {
      making = false;
    }
  };
  class AbortController {
    #signal = makeSignal();
    get signal() { return this.#signal; }
    abort(reason) { inside.abort(this.#signal, reason); }
  }
  brand(AbortController, "AbortController");

  // --- Tables of the console

  const table = (data, columns) => {
    if (typeof data !== "object" || data === null) return undefined;
    const isList = isMap(data) || isSet(data) || Array.isArray(data);
    const rows = isMap(data)
      ? [...data].map(([key, value], index) => [index, { Key: key, Values: value }])
      : isSet(data)
        ? [...data].map((value, index) => [index, value])
        : Object.entries(data);
    const index = isList && (isMap(data) || isSet(data)) ? "(iteration index)" : "(index)";
    const names = [];
    let hasValues = false;
    for (const [, row] of rows) {
      if (typeof row === "object" && row !== null) {
        for (const key of Object.keys(row)) if (!names.includes(key)) names.push(key);
      } else hasValues = true;
    }
    const shown = Array.isArray(columns) ? columns.map(String) : names;
    const head = [index, ...shown, ...(hasValues ? ["Values"] : [])];
    const cell = (value) => (typeof value === "string" ? `'${value}'` : tryText(value, 200));
    const body = rows.map(([key, row]) => {
      const isObject = typeof row === "object" && row !== null;
      const cells = shown.map((name) => (isObject && Object.hasOwn(row, name) ? cell(row[name]) : ""));
      return [String(key), ...cells, ...(hasValues ? [isObject ? "" : cell(row)] : [])];
    });
    const widths = head.map((name, at) => Math.max(name.length, ...body.map((row) => row[at].length)) + 2);
    const line = (left, middle, right) => left + widths.map((width) => "─".repeat(width)).join(middle) + right;
    const row = (cells) => "│" + cells.map((value, at) => ` ${value}`.padEnd(widths[at])).join("│") + "│";
    return [line("┌", "┬", "┐"), row(head), line("├", "┼", "┤"), ...body.map(row), line("└", "┴", "┘")].join("\n");
  };

  return {
    __proto__: null,
    URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone, crypto,
    AbortController, AbortSignal, Event, EventTarget, CustomEvent,
    isSignal: inside.is, isAborted: inside.isAborted, reasonOf: inside.reasonOf, onAbort: inside.follow,
    table,
  };
}
