// Stores values that occur several times once. Whoever needs one finds `{"$": index}` in its place.

const MIN_LENGTH = 24;

// Returns `{shared, values}`: `values` with references into `shared`. Entries of `shared` refer only to earlier ones.
export function share(values) {
  const counts = new Map();
  const count = (value) => {
    if (value === null || typeof value !== "object") return;
    const text = JSON.stringify(value);
    if (text.length < MIN_LENGTH) return;
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    // The parts of a repeated value are stored with it.
    if (seen === 0) Object.values(value).forEach(count);
  };
  values.forEach(count);

  const shared = [];
  const indices = new Map();
  const replace = (value) => {
    if (value === null || typeof value !== "object") return value;
    const text = JSON.stringify(value);
    const known = indices.get(text);
    if (known !== undefined) return { $: known };
    const copy = Array.isArray(value)
      ? value.map(replace)
      : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replace(item)]));
    if ((counts.get(text) ?? 0) < 2) return copy;
    shared.push(copy);
    indices.set(text, shared.length - 1);
    return { $: shared.length - 1 };
  };
  return { values: values.map(replace), shared };
}
