// Values as JSON. What has an obvious form is converted; everything else is refused with its path,
// so that nothing silently becomes `{}` or null.
//
// Like `host.js`, this uses no property that user code can change after the setup.
const makePlain = ({ DEEPEST_RESULT }) => {
  const $Number = Number, $String = String, $Promise = Promise;
  const { apply, getPrototypeOf, setPrototypeOf } = Reflect;
  const { keys, defineProperty, getOwnPropertyDescriptor } = Object;
  const { toStringTag } = Symbol;
  const { isArray } = Array;
  const { stringify } = JSON;
  const isError = Error.isError;
  const uncurry = (method) => (self, ...rest) => apply(method, self, rest);
  const getter = (prototype, key) => uncurry(Object.getOwnPropertyDescriptor(prototype, key).get);
  const typedArray = getPrototypeOf(Uint8Array.prototype);

  // Each handles its own kind of object, and throws for all others.
  const mapSize = getter(Map.prototype, "size"), setSize = getter(Set.prototype, "size");
  const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
  const viewLength = getter(DataView.prototype, "byteLength");
  const typedKind = getter(typedArray, Symbol.toStringTag), typedLength = getter(typedArray, "length");
  const dateTime = uncurry(Date.prototype.getTime), dateText = uncurry(Date.prototype.toISOString);
  const regExpSource = getter(RegExp.prototype, "source"), regExpText = uncurry(RegExp.prototype.toString);
  const numberValue = uncurry(Number.prototype.valueOf), textValue = uncurry(String.prototype.valueOf);
  const booleanValue = uncurry(Boolean.prototype.valueOf), bigintValue = uncurry(BigInt.prototype.valueOf);
  const mapEach = uncurry(Map.prototype.forEach), setEach = uncurry(Set.prototype.forEach);
  const isWellFormed = uncurry(String.prototype.isWellFormed);
  const symbolText = uncurry(Symbol.prototype.toString);
  const test = uncurry(RegExp.prototype.test);
  const is = (probe, value) => {
    try {
      probe(value);
      return true;
    } catch {
      return false;
    }
  };

  const objects = Object.prototype, promises = $Promise.prototype, errors = Error.prototype;
  const iterators = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
  const asyncIterators = getPrototypeOf(getPrototypeOf(async function* () {}.prototype));
  const weak = [WeakMap.prototype, WeakSet.prototype, WeakRef.prototype, FinalizationRegistry.prototype];
  const descends = (value, from) => {
    for (let at = value; at !== null; at = getPrototypeOf(at)) if (at === from) return true;
    return false;
  };

  const REFUSED = { __proto__: null }, LARGE = { __proto__: null };
  const SAFE = 9007199254740991n;
  const identifier = /^[A-Za-z_$][\w$]*$/;
  const list = () => {
    const empty = [];
    setPrototypeOf(empty, null);
    return empty;
  };

  const pathOf = (root, place) => {
    let path = "";
    let length = 0;
    for (let at = place; at !== undefined && at.key !== undefined; at = at.parent) {
      const key = at.key;
      const part = typeof key === "number" ? "[" + key + "]" : test(identifier, key) ? "." + key : "[" + stringify(key) + "]";
      path = part + path;
      length += part.length;
      if (length > 80) return root + "…" + path;
    }
    return root + path;
  };

  // `root` is the name of the value in messages. Returns an object with `text`, `flaw` or `large`;
  // throws what user code throws. In lenient mode everything is shown in some form.
  return (value, root, largest, lenient) => {
    const shown = { __proto__: null, text: "null", flaw: "", large: false };
    let size = 0;

    const refuse = (what, hint, place, otherwise) => {
      if (lenient) return otherwise;
      shown.flaw = what + (place.key === undefined ? "" : " at `" + pathOf(root, place) + "`") + ": " + hint;
      throw REFUSED;
    };
    const count = (more) => {
      size += more;
      if (size > largest) throw LARGE;
    };

    const primitive = (value, place) => {
      switch (typeof value) {
        case "string": count(value.length + 2); return value;
        case "number":
          count(1);
          if (value - value === 0) return value;
          return refuse($String(value), "check the division or the missing number behind it, or give null", place, $String(value));
        case "bigint":
          count(1);
          if (lenient) return value + "n";
          if (value <= SAFE && value >= -SAFE) return $Number(value);
          return refuse("a BigInt that is too large for a number", "give it as text, `String(value)`", place);
        case "symbol": return refuse("a symbol", "give a string instead", place, symbolText(value));
        case "function":
          return refuse("a function", place.key === undefined ? "call it and give its result, or write its body as the code" : "call it and give its result, or leave it out", place, "[function]");
        default: count(4); return value;
      }
    };

    // Two such keys may become one in JSON, and one of the values would be lost.
    const checkKey = (key, parent) => {
      if (isWellFormed(key)) return;
      refuse("a key with half of a character in it (a lone surrogate)", "give it another key", { __proto__: null, key, parent });
    };
    const items = (length, at, here) => {
      const copy = list();
      for (let i = 0; i < length; i++) {
        const item = look(at(i), i, here);
        copy[i] = item === undefined ? null : item;
        count(1);
      }
      return copy;
    };
    const fields = (value, copy, here) => {
      const names = keys(value);
      for (let i = 0; i < names.length; i++) {
        const name = names[i], given = value[name];
        // A function of this name was called already.
        if (name === "toJSON" && typeof given === "function") continue;
        const field = look(given, name, here);
        if (field === undefined) continue;
        checkKey(name, here);
        count(name.length + 4);
        copy[name] = field;
      }
      return copy;
    };
    const map = (value, here) => {
      const known = list(), values = list();
      let n = 0, texts = true;
      mapEach(value, (item, key) => {
        texts = texts && typeof key === "string";
        known[n] = key;
        values[n++] = item;
      });
      if (!texts) return items(n, (i) => pair(known[i], values[i]), here);
      const copy = { __proto__: null };
      for (let i = 0; i < n; i++) {
        const item = look(values[i], known[i], here);
        if (item === undefined) continue;
        checkKey(known[i], here);
        count(known[i].length + 4);
        copy[known[i]] = item;
      }
      return copy;
    };
    const pair = (key, value) => {
      const both = list();
      both[0] = key;
      both[1] = value;
      return both;
    };
    const error = (value, here) => {
      const copy = { __proto__: null };
      const name = value.name, message = value.message;
      copy.name = typeof name === "string" ? name : "Error";
      copy.message = typeof message === "string" ? message : "";
      count(copy.name.length + copy.message.length + 20);
      if (lenient) return copy.name + ": " + copy.message;
      fields(value, copy, here);
      if (isArray(value.errors)) copy.errors = look(value.errors, "errors", here);
      if (value.cause !== undefined) copy.cause = look(value.cause, "cause", here);
      return copy;
    };

    // An object that is not plain.
    const special = (value, prototype, here) => {
      if (isError(value) || descends(prototype, errors)) return error(value, here);
      if (is(mapSize, value)) return map(value, here);
      if (is(setSize, value)) {
        const known = list();
        let n = 0;
        setEach(value, (item) => { known[n++] = item; });
        return items(n, (i) => known[i], here);
      }
      if (typedKind(value) !== undefined) return items(typedLength(value), (i) => value[i], here);
      if (is(regExpSource, value)) return refuse("a RegExp", "give its text, `String(value)`", here, regExpText(value));
      if (is(numberValue, value)) return primitive(numberValue(value), here);
      if (is(textValue, value)) return primitive(textValue(value), here);
      if (is(booleanValue, value)) return booleanValue(value);
      if (is(bigintValue, value)) return primitive(bigintValue(value), here);
      if (is(bufferLength, value) || is(viewLength, value)) {
        return refuse("raw bytes", "give `[...new Uint8Array(value)]`, or text", here, "[bytes]");
      }
      if (descends(prototype, promises)) {
        return refuse("a Promise that was not awaited", "await it first, a list of them with `await Promise.all(list)`", here, "[Promise]");
      }
      if (descends(prototype, iterators) || descends(prototype, asyncIterators)) {
        return refuse("an iterator", "give what it yields, `[...value]`", here, "[iterator]");
      }
      for (let i = 0; i < weak.length; i++) {
        if (descends(prototype, weak[i])) return refuse("a collection that cannot be listed", "use a Map or a Set", here, "[weak]");
      }
      const copy = fields(value, { __proto__: null }, here);
      if (keys(copy).length === 0 && !lenient) {
        const name = nameOf(prototype);
        refuse("an instance of " + name + " that has no fields of its own", "give plain data", here);
      }
      return copy;
    };
    const nameOf = (prototype) => {
      try {
        const name = prototype.constructor.name;
        return typeof name === "string" && test(identifier, name) ? name : "a class";
      } catch {
        return "a class";
      }
    };

    const look = (value, key, parent, depth = parent === undefined ? 0 : parent.depth + 1) => {
      if (typeof value !== "object" || value === null) {
        return primitive(value, { __proto__: null, key, parent });
      }
      const here = { __proto__: null, value, key, parent, depth };
      for (let above = parent; above !== undefined; above = above.parent) {
        if (above.value === value) {
          if (lenient) return "[circular]";
          shown.flaw = "a cycle: `" + pathOf(root, here) + "` is `" + pathOf(root, above) + "`; give only the fields that are needed";
          throw REFUSED;
        }
      }
      if (depth >= DEEPEST_RESULT) {
        return refuse("something nested deeper than " + DEEPEST_RESULT + " levels", "give fewer levels", here, "…");
      }
      count(2);
      if (is(dateTime, value)) {
        const time = dateTime(value);
        if (time !== time) return refuse("an invalid Date", "check what it was made from", here, "Invalid Date");
        if (lenient) return dateText(value);
      }
      const toJSON = value.toJSON;
      if (typeof toJSON === "function") {
        const said = apply(toJSON, value, [key === undefined ? "" : $String(key)]);
        return said === value || typeof said !== "object" || said === null ? (said === value ? plainly(value, here) : primitive(said, here)) : plainly(said, here);
      }
      return plainly(value, here);
    };
    const plainly = (value, here) => {
      if (isArray(value)) return items(value.length, (i) => value[i], here);
      const prototype = getPrototypeOf(value);
      if (prototype === objects || prototype === null) {
        const copy = fields(value, { __proto__: null }, here);
        if (!lenient && keys(copy).length === 0) {
          // `Math` and similar objects contain no data.
          const tag = getOwnPropertyDescriptor(value, toStringTag);
          if (tag !== undefined && typeof tag.value === "string") refuse("the object `" + tag.value + "` that has no data", "give plain data", here);
        }
        return copy;
      }
      return special(value, prototype, here);
    };

    try {
      const copy = look(value, undefined, undefined);
      if (copy === undefined) return shown;
      shown.text = lenient && typeof copy === "string" ? copy : stringify(copy);
    } catch (thrown) {
      if (thrown === LARGE) shown.large = true;
      else if (thrown !== REFUSED) throw thrown;
    }
    return shown;
  };
};
