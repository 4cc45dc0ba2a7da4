// Follows `$ref` in GitHub's description.

// Returns what a `$ref` points at, or the value itself.
export function resolve(description, value) {
  let found = value;
  for (let hops = 0; found && typeof found === "object" && typeof found.$ref === "string"; hops += 1) {
    if (hops > 20) throw new Error(`endless reference ${found.$ref}`);
    found = pointer(description, found.$ref);
  }
  return found;
}

// Returns an example with every `$ref` inside it replaced: GitHub refers to whole examples in their `value`.
export function resolveInside(description, value, depth = 0) {
  if (value === null || typeof value !== "object" || depth > 60) return value;
  if (Array.isArray(value)) return value.map((item) => resolveInside(description, item, depth + 1));
  if (typeof value.$ref === "string" && value.$ref.startsWith("#/components/examples/")) {
    const found = resolve(description, value);
    return resolveInside(description, found?.value ?? found, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolveInside(description, item, depth + 1)]),
  );
}

function pointer(description, reference) {
  const steps = reference.replace(/^#\//, "").split("/");
  const found = steps.reduce((at, step) => at?.[step.replace(/~1/g, "/").replace(/~0/g, "~")], description);
  if (found === undefined) throw new Error(`nothing at ${reference}`);
  return found;
}
