// Texts for people in American English: numbers, dates, plurals, lists and the order of words.
// Other languages fall back to it, with one warning. Dates as 2026-01-05 are written for locales
// that people use to get them. Created when code first uses it; like `web.js` it has no authority.
export default function (_pure, { warn }) {
  const LOCALE = "en-US";
  const brand = (object, name) => Object.defineProperty(object.prototype, Symbol.toStringTag, { value: name, configurable: true });
  const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))*(-[a-wyz\d](-[a-z\d]{2,8})+)*(-x(-[a-z\d]{1,8})+)?$/i;
  const canonical = (tag) => {
    if (typeof tag !== "string" && !(typeof tag === "object" && tag !== null)) throw new TypeError("a locale is a text such as \"en-US\"");
    const parts = String(tag);
    if (!TAG.test(parts)) throw new RangeError(`Incorrect locale information provided: ${parts}`);
    return parts.split("-").map((part, at) => {
      if (at === 0) return part.toLowerCase();
      if (part.length === 2) return part.toUpperCase();
      return part.length === 4 && /^[a-z]/i.test(part) ? part[0].toUpperCase() + part.slice(1).toLowerCase() : part.toLowerCase();
    }).join("-");
  };
  const locales = (given) => (given === undefined ? [] : Array.isArray(given) ? given.map(canonical) : [canonical(given)]);
  let isWarned = false;
  const replaced = (tag) => {
    if (isWarned) return;
    isWarned = true;
    warn("the locale `" + tag + "` is not known here, so numbers, dates and words are written as in `en-US`; write them yourself, or use `sv-SE` for dates as 2026-01-05");
  };
  // Locales whose numbers and words are American.
  const AMERICAN = ["en", "en-US", "en-CA", "en-GB", "en-AU", "en-NZ", "en-IE", "en-SE"];
  const withoutExtensions = (tag) => tag.replace(/-[a-z\d]-.*$/i, "");
  const inEnglish = (given) => {
    const [tag] = locales(given);
    if (tag !== undefined && !AMERICAN.includes(withoutExtensions(tag))) replaced(tag);
  };
  const options = (given) => {
    if (given === undefined) return {};
    if (given === null) throw new TypeError("options are an object, not null");
    return Object(given);
  };
  const choice = (given, name, known, usual) => {
    const value = given[name];
    if (value === undefined) return usual;
    const said = String(value);
    if (!known.includes(said)) throw new RangeError(`Value ${said} out of range for Intl options property ${name}`);
    return said;
  };
  const digits = (given, name, least, most, usual) => {
    const value = given[name];
    if (value === undefined) return usual;
    const count = Number(value);
    if (!(count >= least && count <= most)) throw new RangeError(`${name} value is out of range.`);
    return Math.floor(count);
  };
  const supported = { supportedLocalesOf: (given) => locales(given).filter((tag) => tag.startsWith("en")) };
  // As in `Intl` elsewhere, some of them can be called without `new`.
  const callable = (kind) => {
    const call = function (...list) { return new kind(...list); };
    call.prototype = kind.prototype;
    Object.defineProperty(kind.prototype, "constructor", { value: call, writable: true, configurable: true });
    Object.defineProperty(call, "name", { value: kind.name });
    return Object.assign(call, supported);
  };

  // --- Numbers

  const SYMBOLS = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩", BRL: "R$", CAD: "CA$", AUD: "A$", MXN: "MX$", NZD: "NZ$", HKD: "HK$", ILS: "₪", VND: "₫", TWD: "NT$", XAF: "FCFA", XOF: "F CFA", PHP: "₱" };
  const CURRENCY_NAMES = { USD: ["US dollar", "US dollars"], EUR: ["euro", "euros"], GBP: ["British pound", "British pounds"], JPY: ["Japanese yen", "Japanese yen"], CHF: ["Swiss franc", "Swiss francs"] };
  const NO_MINOR = ["JPY", "KRW", "VND", "CLP", "ISK", "PYG", "UGX", "XAF", "XOF", "XPF"];
  // Short, narrow, and long for one and many.
  const UNITS = {
    bit: [" bit", "bit", " bit", " bits"], byte: [" byte", "B", " byte", " bytes"],
    kilobit: [" kb", "kb", " kilobit", " kilobits"], kilobyte: [" kB", "kB", " kilobyte", " kilobytes"],
    megabit: [" Mb", "Mb", " megabit", " megabits"], megabyte: [" MB", "MB", " megabyte", " megabytes"],
    gigabit: [" Gb", "Gb", " gigabit", " gigabits"], gigabyte: [" GB", "GB", " gigabyte", " gigabytes"],
    terabyte: [" TB", "TB", " terabyte", " terabytes"], petabyte: [" PB", "PB", " petabyte", " petabytes"],
    nanosecond: [" ns", "ns", " nanosecond", " nanoseconds"], microsecond: [" μs", "μs", " microsecond", " microseconds"],
    millisecond: [" ms", "ms", " millisecond", " milliseconds"], second: [" sec", "s", " second", " seconds"],
    minute: [" min", "m", " minute", " minutes"], hour: [" hr", "h", " hour", " hours"],
    day: [" day", "d", " day", " days"], week: [" wk", "w", " week", " weeks"], month: [" mth", "m", " month", " months"], year: [" yr", "y", " year", " years"],
    meter: [" m", "m", " meter", " meters"], kilometer: [" km", "km", " kilometer", " kilometers"], centimeter: [" cm", "cm", " centimeter", " centimeters"], millimeter: [" mm", "mm", " millimeter", " millimeters"],
    mile: [" mi", "mi", " mile", " miles"], foot: [" ft", "′", " foot", " feet"], inch: [" in", "″", " inch", " inches"],
    gram: [" g", "g", " gram", " grams"], kilogram: [" kg", "kg", " kilogram", " kilograms"], pound: [" lb", "#", " pound", " pounds"], ounce: [" oz", "oz", " ounce", " ounces"],
    liter: [" L", "L", " liter", " liters"], milliliter: [" mL", "mL", " milliliter", " milliliters"],
    percent: ["%", "%", " percent", " percent"], degree: [" deg", "°", " degree", " degrees"], celsius: ["°C", "°C", " degree Celsius", " degrees Celsius"], fahrenheit: ["°F", "°", " degree Fahrenheit", " degrees Fahrenheit"],
  };
  const MANY_UNITS = { day: " days", byte: " byte", bit: " bit", week: " wks", month: " mths", year: " yrs" };

  // The digits of a finite number that is not negative, rounded half away from zero on its shortest
  // decimal form, as people expect for 1.005.
  const decimal = (value) => {
    const [mantissa, exponent = "0"] = String(value).toLowerCase().split("e");
    const [whole, fraction = ""] = mantissa.split(".");
    const shift = Number(exponent);
    if (shift >= 0) {
      const padded = fraction.padEnd(shift, "0");
      return [whole + padded.slice(0, shift), padded.slice(shift)];
    }
    const padded = whole.padStart(-shift + 1, "0");
    return [padded.slice(0, padded.length + shift), padded.slice(padded.length + shift) + fraction];
  };
  const roundsUp = (rest, last, mode, negative) => {
    if (/^0*$/.test(rest)) return false;
    switch (mode) {
      case "ceil": return !negative;
      case "floor": return negative;
      case "expand": return true;
      case "trunc": return false;
    }
    if (rest[0] !== "5" || !/^0*$/.test(rest.slice(1))) return rest[0] >= "5";
    switch (mode) {
      case "halfEven": return Number(last) % 2 === 1;
      case "halfTrunc": return false;
      case "halfCeil": return !negative;
      case "halfFloor": return negative;
      default: return true;
    }
  };
  const roundAt = ([whole, fraction], places, mode, negative) => {
    if (fraction.length <= places) return [whole, fraction];
    const kept = whole + fraction.slice(0, places);
    if (!roundsUp(fraction.slice(places), kept.at(-1), mode, negative)) return [whole, fraction.slice(0, places)];
    const up = (BigInt(kept || "0") + 1n).toString().padStart(kept.length, "0");
    return [up.slice(0, up.length - places), places === 0 ? "" : up.slice(-places)];
  };
  const significant = ([whole, fraction], most, mode, negative) => {
    const all = whole.replace(/^0+/, "");
    if (all.length === 0) {
      const zeros = fraction.match(/^0*/)[0].length;
      return roundAt([whole, fraction], zeros + most, mode, negative);
    }
    if (all.length <= most) return roundAt([all, fraction], most - all.length, mode, negative);
    const cut = all.length - most;
    const [rounded] = roundAt([all.slice(0, most), all.slice(most) + fraction], 0, mode, negative);
    return [rounded + "0".repeat(cut), ""];
  };
  const plural = (text) => (text === "1" ? 0 : 1);

  class NumberFormat {
    #o;
    constructor(given, opts) {
      inEnglish(given);
      const o = options(opts);
      const style = choice(o, "style", ["decimal", "percent", "currency", "unit"], "decimal");
      const notation = choice(o, "notation", ["standard", "scientific", "engineering", "compact"], "standard");
      const currency = o.currency === undefined ? undefined : String(o.currency).toUpperCase();
      if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Invalid currency code : ${o.currency}`);
      if (style === "currency" && currency === undefined) throw new TypeError("Currency code is required with currency style.");
      const unit = o.unit === undefined ? undefined : String(o.unit);
      const parts = unit?.split("-per-") ?? [];
      if (unit !== undefined && (parts.length > 2 || !parts.every((part) => part in UNITS))) throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
      if (style === "unit" && unit === undefined) throw new TypeError("Required unit is missing for unit style.");
      const minor = NO_MINOR.includes(currency) ? 0 : 2;
      const leastUsual = style === "currency" && notation === "standard" ? minor : 0;
      const mostUsual = style === "currency" && notation === "standard" ? minor : style === "percent" || notation === "compact" ? 0 : 3;
      const least = digits(o, "minimumFractionDigits", 0, 100, undefined), most = digits(o, "maximumFractionDigits", 0, 100, undefined);
      if (least !== undefined && most !== undefined && least > most) throw new RangeError("maximumFractionDigits value is out of range.");
      const leastSignificant = digits(o, "minimumSignificantDigits", 1, 21, undefined), mostSignificant = digits(o, "maximumSignificantDigits", leastSignificant ?? 1, 21, undefined);
      const isSignificant = leastSignificant !== undefined || mostSignificant !== undefined;
      const grouping = o.useGrouping === undefined ? (notation === "compact" ? "min2" : "auto") : o.useGrouping === true || o.useGrouping === "true" || o.useGrouping === "always" ? "always" : o.useGrouping === false || o.useGrouping === "false" ? false : String(o.useGrouping);
      this.#o = {
        locale: LOCALE, numberingSystem: "latn", style, currency, unit, notation,
        currencyDisplay: style === "currency" ? choice(o, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol") : undefined,
        currencySign: style === "currency" ? choice(o, "currencySign", ["standard", "accounting"], "standard") : undefined,
        unitDisplay: style === "unit" ? choice(o, "unitDisplay", ["short", "narrow", "long"], "short") : undefined,
        compactDisplay: notation === "compact" ? choice(o, "compactDisplay", ["short", "long"], "short") : undefined,
        minimumIntegerDigits: digits(o, "minimumIntegerDigits", 1, 21, 1),
        minimumFractionDigits: isSignificant ? undefined : least ?? Math.min(leastUsual, most ?? leastUsual),
        maximumFractionDigits: isSignificant ? undefined : most ?? Math.max(mostUsual, least ?? 0),
        minimumSignificantDigits: isSignificant ? leastSignificant ?? 1 : undefined,
        maximumSignificantDigits: isSignificant ? mostSignificant ?? 21 : undefined,
        useGrouping: grouping, signDisplay: choice(o, "signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto"),
        roundingMode: choice(o, "roundingMode", ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"], "halfExpand"),
        isRounded: least === undefined && most === undefined && !isSignificant && notation === "compact",
      };
      this.format = (value) => this.#text(value);
    }
    #digits(value, negative) {
      const o = this.#o;
      let [whole, fraction] = decimal(value);
      if (o.isRounded) {
        const known = whole.replace(/^0+/, "").length;
        [whole, fraction] = known >= 2 ? roundAt([whole, fraction], 0, o.roundingMode, negative) : significant([whole, fraction], 2, o.roundingMode, negative);
        fraction = fraction.replace(/0+$/, "");
      } else if (o.maximumSignificantDigits !== undefined) {
        [whole, fraction] = significant([whole, fraction], o.maximumSignificantDigits, o.roundingMode, negative);
        fraction = fraction.replace(/0+$/, "");
        const known = (whole.replace(/^0+/, "") + fraction).replace(/^0+/, "").length;
        if (known < o.minimumSignificantDigits) fraction += "0".repeat(o.minimumSignificantDigits - Math.max(known, /^0*$/.test(whole + fraction) ? 1 : known));
      } else {
        [whole, fraction] = roundAt([whole, fraction], o.maximumFractionDigits, o.roundingMode, negative);
        fraction = fraction.replace(/0+$/, "").padEnd(o.minimumFractionDigits, "0");
      }
      whole = whole.replace(/^0+(?=\d)/, "").padStart(o.minimumIntegerDigits, "0") || "0";
      return [whole, fraction];
    }
    #group(whole) {
      const least = this.#o.useGrouping === "min2" ? 5 : 4;
      if (this.#o.useGrouping === false || whole.length < least) return whole;
      return whole.replace(/\B(?=(\d{3})+$)/g, ",");
    }
    #parts(given) {
      const o = this.#o;
      let value = typeof given === "bigint" ? given : Number(given);
      const isBig = typeof value === "bigint";
      const negative = isBig ? value < 0n : value < 0 || Object.is(value, -0);
      let size = negative ? -value : value;
      const parts = [];
      let suffix = "", exponent;
      if (!isBig && Number.isNaN(size)) parts.push(["nan", "NaN"]);
      else if (size === Infinity) parts.push(["infinity", "∞"]);
      else {
        // Shifts the decimal form, so that no binary rounding error shows.
        const scaled = (by) => `${String(size).toLowerCase().split("e")[0]}e${Number(String(size).toLowerCase().split("e")[1] ?? 0) + by}`;
        let text = o.style === "percent" ? scaled(2) : String(size);
        const magnitude = () => {
          const [whole, fraction] = decimal(text);
          const known = whole.replace(/^0+/, "");
          return known.length > 0 ? known.length - 1 : -(fraction.match(/^0*/)[0].length + 1);
        };
        const shifted = (by) => { const [m, e = "0"] = text.toLowerCase().split("e"); return `${m}e${Number(e) + by}`; };
        let whole, fraction;
        if (o.notation === "compact") {
          const original = text;
          let power = Math.min(Math.max(Math.floor(magnitude() / 3), 0), 4) * 3;
          if (Number(original) === 0) power = 0;
          text = power ? shifted(-power) : text;
          [whole, fraction] = this.#digits(text, negative);
          if (whole.length > 3 && power < 12) {
            power += 3;
            text = original;
            text = shifted(-power);
            [whole, fraction] = this.#digits(text, negative);
          }
          suffix = o.compactDisplay === "long" ? ["", " thousand", " million", " billion", " trillion"][power / 3] : ["", "K", "M", "B", "T"][power / 3];
        } else if (o.notation === "scientific" || o.notation === "engineering") {
          const at = Number(text) === 0 ? 0 : magnitude();
          exponent = o.notation === "engineering" ? Math.floor(at / 3) * 3 : at;
          const original = text;
          text = shifted(-exponent);
          [whole, fraction] = this.#digits(text, negative);
          const most = o.notation === "engineering" ? 3 : 1;
          if (whole.length > most) {
            // Rounding made it one digit longer.
            exponent += most;
            text = original;
            text = shifted(-exponent);
            [whole, fraction] = this.#digits(text, negative);
          }
        } else [whole, fraction] = this.#digits(text, negative);
        parts.push(...this.#group(whole).split(",").flatMap((group, at) => (at > 0 ? [["group", ","], ["integer", group]] : [["integer", group]])));
        if (fraction) parts.push(["decimal", "."], ["fraction", fraction]);
        if (exponent !== undefined) {
          parts.push(["exponentSeparator", "E"]);
          if (exponent < 0) parts.push(["exponentMinusSign", "-"]);
          parts.push(["exponentInteger", String(Math.abs(exponent))]);
        }
      }
      const isZero = !parts.some(([kind, text]) => (kind === "integer" || kind === "fraction") && /[1-9]/.test(text) || kind === "infinity" || kind === "nan");
      const shown = parts.map(([, text]) => text).join("");
      if (suffix) parts.push(...(suffix[0] === " " ? [["literal", " "], ["compact", suffix.slice(1)]] : [["compact", suffix]]));
      const sign = { auto: negative ? "-" : "", never: "", always: negative ? "-" : "+", exceptZero: isZero ? "" : negative ? "-" : "+", negative: negative && !isZero ? "-" : "" }[o.signDisplay];
      const signed = sign === "" ? [] : [[sign === "-" ? "minusSign" : "plusSign", sign]];
      if (o.style === "percent") return [...signed, ...parts, ["percentSign", "%"]];
      if (o.style === "currency") {
        if (o.currencyDisplay === "name") {
          const names = CURRENCY_NAMES[o.currency] ?? [o.currency, o.currency];
          return [...signed, ...parts, ["literal", " "], ["currency", names[plural(shown)]]];
        }
        const narrow = o.currencyDisplay === "narrowSymbol";
        const symbol = o.currencyDisplay === "code" ? o.currency : narrow ? (SYMBOLS[o.currency] ?? o.currency).replace(/^[A-Z]+(?=[$¥])/, "") : SYMBOLS[o.currency] ?? o.currency;
        const gap = /[A-Za-z]$/.test(symbol) ? [["literal", "\u00a0"]] : [];
        if (o.currencySign === "accounting" && sign === "-") return [["literal", "("], ["currency", symbol], ...gap, ...parts, ["literal", ")"]];
        return [...signed, ["currency", symbol], ...gap, ...parts];
      }
      if (o.style === "unit") {
        const at = { short: 0, narrow: 1, long: 2 }[o.unitDisplay];
        const [unit, per] = o.unit.split("-per-");
        const many = plural(shown) === 1;
        let name = UNITS[unit][at === 2 && many ? 3 : at];
        if (at === 0 && many && unit in MANY_UNITS) name = MANY_UNITS[unit];
        if (per !== undefined) name += at === 2 ? ` per${UNITS[per][2]}` : `/${{ hour: "h", second: "s", minute: "min", day: "d" }[per] ?? UNITS[per][1]}`;
        const gap = name.startsWith(" ") ? [["literal", " "]] : [];
        return [...signed, ...parts, ...gap, [unit === "percent" && at < 2 ? "percentSign" : "unit", name.trimStart()]];
      }
      return [...signed, ...parts];
    }
    #text(value) { return this.#parts(value).map(([, text]) => text).join(""); }
    formatToParts(value) { return this.#parts(value).map(([type, value]) => ({ type, value })); }
    formatRange(start, end) {
      const [from, to] = [this.#text(start), this.#text(end)];
      return from === to ? `~${from}` : /^[\d.,]+$/.test(from + to) ? `${from}–${to}` : `${from} – ${to}`;
    }
    resolvedOptions() {
      const { isRounded: _, ...known } = this.#o;
      return Object.fromEntries(Object.entries({ ...known, roundingIncrement: 1, roundingPriority: "auto", trailingZeroDisplay: "auto" }).filter(([, value]) => value !== undefined));
    }
  }
  brand(NumberFormat, "Intl.NumberFormat");

  // --- Dates. There is no data about time zones here.

  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const zoneOf = (given) => {
    if (given === undefined) return { name: "UTC", minutes: 0 };
    const name = String(given);
    if (/^(utc|gmt|etc\/(utc|gmt|uct|zulu|universal|greenwich)|zulu|universal|uct|greenwich)$/i.test(name)) return { name: "UTC", minutes: 0 };
    const offset = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(name);
    if (offset && Number(offset[2]) < 24 && Number(offset[3] ?? 0) < 60) {
      const minutes = (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) * (offset[1] === "-" ? -1 : 1);
      return { name: `${offset[1]}${offset[2]}:${offset[3] ?? "00"}`, minutes };
    }
    if (!/^[A-Za-z_]+([/+-][A-Za-z_\d+-]+)*$/.test(name)) throw new RangeError(`Invalid time zone specified: ${name}`);
    throw new RangeError(`the time zone ${name} is not known here: use "UTC" or an offset such as "+02:00"`);
  };
  const two = (value) => String(value).padStart(2, "0");
  const FIELDS = ["weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second", "fractionalSecondDigits", "timeZoneName"];
  const DATE_FIELDS = ["weekday", "year", "month", "day"], TIME_FIELDS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
  const DATE_STYLES = { full: { weekday: "long", year: "numeric", month: "long", day: "numeric" }, long: { year: "numeric", month: "long", day: "numeric" }, medium: { year: "numeric", month: "short", day: "numeric" }, short: { year: "2-digit", month: "numeric", day: "numeric" } };
  const TIME_STYLES = { full: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "long" }, long: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" }, medium: { hour: "numeric", minute: "2-digit", second: "2-digit" }, short: { hour: "numeric", minute: "2-digit" } };
  const NARROW_LONG_SHORT = ["narrow", "short", "long"], NUMBERS = ["2-digit", "numeric"];

  // Locales that write dates as 2026-01-05. `words`: everything else they write is as in `en-US`,
  // too.
  const ISO_DATES = {
    __proto__: null,
    "en-CA": { cycle: "h12", between: ", ", periods: ["a.m.", "p.m."], words: true },
    "en-SE": { cycle: "h23", between: ", " },
    sv: { cycle: "h23", between: " " }, "sv-SE": { cycle: "h23", between: " " },
    lt: { cycle: "h23", between: " " }, "lt-LT": { cycle: "h23", between: " " },
  };

  class DateTimeFormat {
    #o;
    #zone;
    #iso;
    #locale = LOCALE;
    constructor(given, opts, required = "any", usual = "date") {
      const [tag] = locales(given);
      const known = tag === undefined ? "en" : withoutExtensions(tag);
      this.#iso = ISO_DATES[known];
      if (this.#iso !== undefined) this.#locale = known;
      const o = options(opts);
      this.#zone = zoneOf(o.timeZone);
      const hour12 = o.hour12 === undefined ? undefined : Boolean(o.hour12);
      const cycle = choice(o, "hourCycle", ["h11", "h12", "h23", "h24"], undefined);
      const said = {};
      const styles = { weekday: NARROW_LONG_SHORT, era: NARROW_LONG_SHORT, year: NUMBERS, month: [...NUMBERS, ...NARROW_LONG_SHORT], day: NUMBERS, dayPeriod: NARROW_LONG_SHORT, hour: NUMBERS, minute: NUMBERS, second: NUMBERS, timeZoneName: ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"] };
      for (const field of FIELDS) {
        said[field] = field === "fractionalSecondDigits" ? digits(o, field, 1, 3, undefined) : choice(o, field, styles[field], undefined);
      }
      const dateStyle = choice(o, "dateStyle", ["full", "long", "medium", "short"], undefined), timeStyle = choice(o, "timeStyle", ["full", "long", "medium", "short"], undefined);
      if (dateStyle !== undefined || timeStyle !== undefined) {
        if (FIELDS.some((field) => said[field] !== undefined)) throw new TypeError("Can't set option " + FIELDS.find((field) => said[field] !== undefined) + " when " + (dateStyle ? "dateStyle" : "timeStyle") + " is used");
        if (required === "date" && timeStyle !== undefined) throw new TypeError("Invalid option : timeStyle");
        if (required === "time" && dateStyle !== undefined) throw new TypeError("Invalid option : dateStyle");
        Object.assign(said, dateStyle && DATE_STYLES[dateStyle], timeStyle && TIME_STYLES[timeStyle]);
        if (this.#iso !== undefined && dateStyle === "short") said.year = "numeric";
      } else {
        const has = (fields) => fields.some((field) => said[field] !== undefined);
        const needs = !((required !== "time" && has(DATE_FIELDS)) || (required !== "date" && has(TIME_FIELDS)));
        if (needs && usual !== "time") Object.assign(said, { year: "numeric", month: "numeric", day: "numeric" });
        if (needs && usual !== "date") Object.assign(said, { hour: "numeric", minute: "2-digit", second: "2-digit" });
      }
      const hourCycle = said.hour === undefined ? undefined : hour12 === undefined ? cycle ?? this.#iso?.cycle ?? "h12" : hour12 ? "h12" : "h23";
      this.#o = { ...said, dateStyle, timeStyle, hourCycle };
      const hasWords = this.#iso?.words === true;
      const isDate = NUMBERS.includes(said.month) && said.era === undefined && (said.year === "numeric" || (hasWords && said.year === undefined && said.day !== undefined)) && (hasWords || said.weekday === undefined);
      const isTime = said.hour !== undefined && DATE_FIELDS.every((field) => said[field] === undefined);
      if (this.#iso === undefined ? known !== "en" && known !== "en-US" : !this.#iso.words && !isDate && !isTime) replaced(tag);
      if (!isDate && this.#iso !== undefined) this.#iso = { ...this.#iso, isOther: true };
      this.format = (date) => this.#parts(date).map(([, text]) => text).join("");
    }
    #parts(given) {
      const time = given === undefined ? Date.now() : Number(given);
      if (!(Math.abs(time) <= 8.64e15)) throw new RangeError("Invalid time value");
      const o = this.#o, date = new Date(time + this.#zone.minutes * 60000);
      const year = date.getUTCFullYear(), month = date.getUTCMonth(), day = date.getUTCDate(), hours = date.getUTCHours();
      const shownYear = year <= 0 && o.era !== undefined ? 1 - year : year;
      const number = (style, value) => (style === "2-digit" ? two(value % 100) : String(value));
      const piece = {
        weekday: () => (o.weekday === "long" ? DAYS[date.getUTCDay()] : o.weekday === "short" ? DAYS[date.getUTCDay()].slice(0, 3) : DAYS[date.getUTCDay()][0]),
        year: () => number(o.year, shownYear),
        month: () => (o.month === "long" ? MONTHS[month] : o.month === "short" ? MONTHS[month].slice(0, 3) : o.month === "narrow" ? MONTHS[month][0] : number(o.month, month + 1)),
        day: () => number(o.day, day),
      };
      const parts = [];
      const push = (type, text) => { if (text !== "") parts.push([type, text]); };
      const isText = o.month !== undefined && !NUMBERS.includes(o.month);
      const iso = this.#iso;
      if (iso !== undefined && !iso.isOther) {
        if (o.weekday) { push("weekday", piece.weekday()); push("literal", ", "); }
        if (o.year) { push("year", String(shownYear)); push("literal", "-"); }
        push("month", two(month + 1));
        if (o.day) { push("literal", "-"); push("day", two(day)); }
      } else if (isText) {
        // Monday, January 5, 2026
        if (o.weekday) push("weekday", piece.weekday());
        if (o.weekday) push("literal", ", ");
        push("month", piece.month());
        if (o.day) { push("literal", " "); push("day", piece.day()); }
        if (o.year) { push("literal", o.day ? ", " : " "); push("year", piece.year()); }
      } else {
        const numbers = [["month", o.month], ["day", o.day], ["year", o.year]].filter(([, style]) => style !== undefined);
        const alone = numbers.length === 1 && numbers[0][0] === "day" && o.weekday;
        if (alone) { push("day", piece.day()); push("literal", " "); push("weekday", piece.weekday()); }
        else {
          if (o.weekday) push("weekday", piece.weekday());
          if (o.weekday && numbers.length > 0) push("literal", ", ");
          numbers.forEach(([name], at) => { if (at > 0) push("literal", "/"); push(name, piece[name]()); });
        }
      }
      if (o.era !== undefined) {
        push("literal", " ");
        push("era", { long: ["Anno Domini", "Before Christ"], short: ["AD", "BC"], narrow: ["A", "B"] }[o.era][year > 0 ? 0 : 1]);
      }
      const clock = [];
      const tick = (type, text) => clock.push([type, text]);
      if (o.hour !== undefined) {
        const shown = { h12: hours % 12 || 12, h11: hours % 12, h23: hours, h24: hours || 24 }[o.hourCycle];
        const wide = o.hour === "2-digit" || (o.hourCycle === "h23" || o.hourCycle === "h24");
        tick("hour", wide ? two(shown) : String(shown));
      }
      const joined = (name, value, wide) => {
        if (clock.length > 0) tick("literal", ":");
        tick(name, wide ? two(value) : String(value));
      };
      if (o.minute !== undefined) joined("minute", date.getUTCMinutes(), o.hour !== undefined || o.second !== undefined);
      if (o.second !== undefined) joined("second", date.getUTCSeconds(), o.minute !== undefined);
      if (o.fractionalSecondDigits !== undefined) {
        if (clock.length > 0) tick("literal", ".");
        tick("fractionalSecond", String(date.getUTCMilliseconds()).padStart(3, "0").slice(0, o.fractionalSecondDigits));
      }
      if (o.hour !== undefined && (o.hourCycle === "h12" || o.hourCycle === "h11")) {
        tick("literal", " ");
        tick("dayPeriod", (iso?.periods ?? ["AM", "PM"])[hours < 12 ? 0 : 1]);
      }
      if (clock.length > 0) {
        const at = o.month === "long";
        const isWeekdayAlone = parts.length === 1 && parts[0][0] === "weekday";
        if (parts.length > 0) push("literal", at ? " at " : isWeekdayAlone ? " " : iso !== undefined && !iso.isOther ? iso.between : ", ");
        parts.push(...clock);
      }
      if (o.timeZoneName !== undefined) {
        if (parts.length > 0) push("literal", clock.length > 0 ? " " : ", ");
        const { name, minutes } = this.#zone;
        const sign = minutes < 0 ? "-" : "+", h = Math.floor(Math.abs(minutes) / 60), m = Math.abs(minutes) % 60;
        const short = minutes === 0 ? "GMT" : `GMT${sign}${h}${m ? `:${two(m)}` : ""}`;
        const long = minutes === 0 ? "GMT" : `GMT${sign}${two(h)}:${two(m)}`;
        const utc = { short: "UTC", long: "Coordinated Universal Time", shortGeneric: "GMT", longGeneric: "GMT" };
        push("timeZoneName", o.timeZoneName === "shortOffset" ? short : o.timeZoneName === "longOffset" ? long : name === "UTC" ? utc[o.timeZoneName] : o.timeZoneName.startsWith("long") ? long : short);
      }
      return parts;
    }
    formatToParts(date) { return this.#parts(date).map(([type, value]) => ({ type, value })); }
    formatRange(start, end) {
      if (start === undefined || end === undefined) throw new TypeError("startDate or endDate cannot be undefined");
      const [from, to] = [this.format(start), this.format(end)];
      return from === to ? from : `${from} – ${to}`;
    }
    resolvedOptions() {
      const { hourCycle, ...known } = this.#o;
      const said = { locale: this.#locale, calendar: "gregory", numberingSystem: "latn", timeZone: this.#zone.name, hourCycle, hour12: hourCycle && (hourCycle === "h12" || hourCycle === "h11"), ...known };
      return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    }
  }
  brand(DateTimeFormat, "Intl.DateTimeFormat");

  // --- Plurals, lists, times from now

  class PluralRules {
    #ordinal;
    constructor(given, opts) {
      inEnglish(given);
      this.#ordinal = choice(options(opts), "type", ["cardinal", "ordinal"], "cardinal") === "ordinal";
    }
    select(value) {
      const n = Math.abs(Number(value));
      if (!this.#ordinal) return n === 1 ? "one" : "other";
      const tens = n % 100;
      if (n % 10 === 1 && tens !== 11) return "one";
      if (n % 10 === 2 && tens !== 12) return "two";
      return n % 10 === 3 && tens !== 13 ? "few" : "other";
    }
    resolvedOptions() {
      return { locale: LOCALE, type: this.#ordinal ? "ordinal" : "cardinal", minimumIntegerDigits: 1, minimumFractionDigits: 0, maximumFractionDigits: 3, pluralCategories: this.#ordinal ? ["few", "one", "two", "other"] : ["one", "other"] };
    }
  }
  brand(PluralRules, "Intl.PluralRules");

  class ListFormat {
    #type;
    #style;
    constructor(given, opts) {
      inEnglish(given);
      const o = options(opts);
      this.#type = choice(o, "type", ["conjunction", "disjunction", "unit"], "conjunction");
      this.#style = choice(o, "style", ["long", "short", "narrow"], "long");
    }
    formatToParts(list) {
      const items = [...list].map((item) => {
        if (typeof item !== "string") throw new TypeError(`Iterable yielded ${String(item)} which is not a string`);
        return item;
      });
      const word = this.#type === "unit" ? "" : this.#type === "disjunction" ? "or" : this.#style === "long" ? "and" : this.#style === "short" ? "&" : "";
      const comma = this.#type === "unit" && this.#style === "narrow" ? " " : ", ";
      return items.flatMap((value, at) => {
        const item = { type: "element", value };
        if (at === 0) return [item];
        const isLast = at === items.length - 1;
        const between = isLast && word ? (items.length === 2 ? ` ${word} ` : `, ${word} `) : comma;
        return [{ type: "literal", value: between }, item];
      });
    }
    format(list) { return this.formatToParts(list).map(({ value }) => value).join(""); }
    resolvedOptions() { return { locale: LOCALE, type: this.#type, style: this.#style }; }
  }
  brand(ListFormat, "Intl.ListFormat");

  const SHORT_TIME = { second: "sec.", minute: "min.", hour: "hr.", day: "day", week: "wk.", month: "mo.", quarter: "qtr.", year: "yr." };
  const NARROW_TIME = { second: "s", minute: "min", hour: "h", day: "d", week: "w", month: "mo", quarter: "q", year: "y" };
  const NAMED = {
    day: { "-1": "yesterday", 0: "today", 1: "tomorrow" }, second: { 0: "now" },
    ...Object.fromEntries(["week", "month", "quarter", "year"].map((unit) => [unit, { "-1": `last ${unit}`, 0: `this ${unit}`, 1: `next ${unit}` }])),
    minute: { 0: "this minute" }, hour: { 0: "this hour" },
  };
  class RelativeTimeFormat {
    #numeric;
    #style;
    constructor(given, opts) {
      inEnglish(given);
      const o = options(opts);
      this.#numeric = choice(o, "numeric", ["always", "auto"], "always");
      this.#style = choice(o, "style", ["long", "short", "narrow"], "long");
    }
    formatToParts(value, given) {
      const unit = String(given).replace(/s$/, "");
      if (!(unit in SHORT_TIME)) throw new RangeError(`Invalid unit argument for format() '${given}'`);
      const number = Number(value);
      if (!Number.isFinite(number)) throw new RangeError("Invalid number value");
      if (this.#numeric === "auto") {
        let named = NAMED[unit]?.[Object.is(number, -0) ? "0" : String(number)];
        if (named !== undefined) {
          if (this.#style !== "long" && unit !== "day" && unit !== "second" && / (week|month|quarter|year)$/.test(named)) named = named.replace(unit, SHORT_TIME[unit]);
          return [{ type: "literal", value: named }];
        }
      }
      const isPast = number < 0 || Object.is(number, -0);
      const parts = new NumberFormat().formatToParts(Math.abs(number)).map((part) => ({ ...part, unit }));
      const many = Math.abs(number) !== 1;
      const name = this.#style === "long" ? ` ${unit}${many ? "s" : ""}` : this.#style === "short" ? ` ${unit === "day" || unit === "quarter" ? (unit === "day" ? (many ? "days" : "day") : many ? "qtrs." : "qtr.") : SHORT_TIME[unit]}` : NARROW_TIME[unit];
      return isPast ? [...parts, { type: "literal", value: `${name} ago` }] : [{ type: "literal", value: "in " }, ...parts, { type: "literal", value: name }];
    }
    format(value, unit) { return this.formatToParts(value, unit).map(({ value }) => value).join(""); }
    resolvedOptions() { return { locale: LOCALE, style: this.#style, numeric: this.#numeric, numberingSystem: "latn" }; }
  }
  brand(RelativeTimeFormat, "Intl.RelativeTimeFormat");

  // --- The order of words: letters before accents before case, punctuation before digits before letters.

  const ORDER = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
  const EXPANDED = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d", "ı": "i" };
  const classOf = (character) => {
    const code = character.codePointAt(0);
    if (/\s/.test(character)) return [0, code];
    const at = ORDER.indexOf(character);
    if (at >= 0) return [1, at];
    if (code < 0x30 || (code >= 0x80 && !/[\p{L}\p{N}]/u.test(character))) return [2, code];
    if (/\p{N}/u.test(character)) return [3, code];
    return [4, code];
  };
  const keysOf = (text, { numeric, ignorePunctuation }) => {
    const primary = [], accents = [], cases = [];
    const characters = [...text.normalize("NFD")];
    for (let i = 0; i < characters.length; i++) {
      const character = characters[i];
      if (/\p{M}/u.test(character)) {
        accents[primary.length - 1] = (accents[primary.length - 1] ?? "") + character;
        continue;
      }
      if (ignorePunctuation && /[\p{P}\s]/u.test(character)) continue;
      if (numeric && /[0-9]/.test(character)) {
        let end = i;
        while (end + 1 < characters.length && /[0-9]/.test(characters[end + 1])) end++;
        const number = characters.slice(i, end + 1).join("").replace(/^0+(?=\d)/, "");
        primary.push([3, number.length, number]);
        cases.push(0);
        i = end;
        continue;
      }
      const lower = character.toLowerCase();
      for (const letter of EXPANDED[lower] ?? lower) {
        primary.push(classOf(letter));
        cases.push(character === lower ? 0 : 1);
        if (lower in EXPANDED) accents[primary.length - 1] = "\u0300";
      }
    }
    return { primary, accents, cases };
  };
  const ascii = /^[a-z0-9 ]*$/;
  const by = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const compareTexts = (a, b, o) => {
    if (a === b) return 0;
    // Lower-case letters, digits and spaces are in order already.
    if (!o.numeric && !o.ignorePunctuation && ascii.test(a) && ascii.test(b)) return by(a, b);
    const left = keysOf(a, o), right = keysOf(b, o);
    const length = Math.min(left.primary.length, right.primary.length);
    for (let i = 0; i < length; i++) {
      const [x, y] = [left.primary[i], right.primary[i]];
      const order = by(x[0], y[0]) || (x.length === y.length ? 0 : by(x.length, y.length)) || by(x[1], y[1]) || by(x[2] ?? "", y[2] ?? "");
      if (order) return order;
    }
    const shorter = by(left.primary.length, right.primary.length);
    if (shorter) return shorter;
    if (o.sensitivity === "accent" || o.sensitivity === "variant") {
      for (let i = 0; i < length; i++) {
        const order = by(left.accents[i] ?? "", right.accents[i] ?? "");
        if (order) return order;
      }
    }
    if (o.sensitivity === "case" || o.sensitivity === "variant") {
      for (let i = 0; i < length; i++) {
        const order = by(left.cases[i], right.cases[i]);
        if (order) return o.caseFirst === "upper" ? -order : order;
      }
    }
    return 0;
  };
  class Collator {
    #o;
    constructor(given, opts) {
      const tags = locales(given), o = options(opts);
      const isNumeric = tags.some((tag) => /-u(-[a-z\d]+)*-kn(-true)?(-|$)/.test(tag));
      this.#o = {
        usage: choice(o, "usage", ["sort", "search"], "sort"),
        sensitivity: choice(o, "sensitivity", ["base", "accent", "case", "variant"], "variant"),
        ignorePunctuation: Boolean(o.ignorePunctuation),
        numeric: o.numeric === undefined ? isNumeric : Boolean(o.numeric),
        caseFirst: choice(o, "caseFirst", ["upper", "lower", "false"], "false"),
      };
      this.compare = (a, b) => compareTexts(String(a), String(b), this.#o);
    }
    resolvedOptions() { return { locale: LOCALE, collation: "default", ...this.#o }; }
  }
  brand(Collator, "Intl.Collator");

  const absent = (name, instead) => class {
    constructor() { throw new TypeError(`Intl.${name} is not available here: ${instead}`); }
  };
  const Intl = {
    NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), Collator: callable(Collator),
    PluralRules: Object.assign(PluralRules, supported), ListFormat: Object.assign(ListFormat, supported), RelativeTimeFormat: Object.assign(RelativeTimeFormat, supported),
    Segmenter: absent("Segmenter", "use `[...text]` for characters and `text.split(/\\s+/)` for words"),
    DisplayNames: absent("DisplayNames", "use a table of your own"),
    Locale: absent("Locale", "pass locales as texts such as \"en-US\""),
    getCanonicalLocales: (given) => [...new Set(locales(given))],
    supportedValuesOf: (key) => ({ calendar: ["gregory"], collation: ["default"], currency: Object.keys(SYMBOLS).sort(), numberingSystem: ["latn"], timeZone: ["UTC"], unit: Object.keys(UNITS).sort() })[key] ?? (() => { throw new RangeError(`Invalid key : ${key}`); })(),
  };
  for (const name of Object.keys(Intl)) Object.defineProperty(Intl, name, { enumerable: false });
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

  const plainOrder = new Collator();
  return {
    __proto__: null,
    Intl,
    compare(self, that, given, opts) {
      if (self === undefined || self === null) throw new TypeError("localeCompare was called on undefined or null");
      return (given === undefined && opts === undefined ? plainOrder : new Collator(given, opts)).compare(String(self), String(that));
    },
    number: (self, given, opts) => new NumberFormat(given, opts).format(Number.prototype.valueOf.call(self)),
    bigint: (self, given, opts) => new NumberFormat(given, opts).format(BigInt.prototype.valueOf.call(self)),
    date(self, given, opts, kind) {
      const time = Date.prototype.getTime.call(self);
      if (Number.isNaN(time)) return "Invalid Date";
      return new DateTimeFormat(given, opts, kind, kind === "any" ? "all" : kind).format(time);
    },
  };
}
