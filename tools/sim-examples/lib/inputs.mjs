// Reduces GitHub's schemas of inputs to what a check of a request needs: types, required names, allowed values.

import { resolve } from "./references.mjs";

const MAX_DEPTH = 8;

export function inputSchema(description, schema, depth = 0) {
  const at = resolve(description, schema) ?? {};
  if (depth > MAX_DEPTH) return {};
  if (at.allOf) return Object.assign({}, ...at.allOf.map((part) => inputSchema(description, part, depth + 1)));
  const reduced = {};
  const types = [at.type ?? []].flat();
  if (at.nullable && types.length > 0 && !types.includes("null")) types.push("null");
  if (types.length > 0) reduced.type = types.length === 1 ? types[0] : types;
  if (at.enum) reduced.enum = at.enum;
  if (at.properties) {
    reduced.properties = Object.fromEntries(
      Object.entries(at.properties).map(([name, item]) => [name, inputSchema(description, item, depth + 1)]),
    );
  }
  if (at.required?.length > 0) reduced.required = at.required;
  if (at.items) reduced.items = inputSchema(description, at.items, depth + 1);
  const parts = at.oneOf ?? at.anyOf;
  if (parts) reduced.anyOf = parts.map((part) => inputSchema(description, part, depth + 1));
  if (at.minItems) reduced.minItems = at.minItems;
  if (at.format === "date" || at.format === "date-time") reduced.format = at.format;
  return reduced;
}
