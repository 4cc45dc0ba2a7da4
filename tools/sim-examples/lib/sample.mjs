// Builds the smallest value that a response schema allows, for answers without an example.

import { resolve, resolveInside } from "./references.mjs";

const MAX_DEPTH = 7;

const BY_FORMAT = {
  "date-time": "2026-01-05T12:00:00Z",
  date: "2026-01-05",
  time: "12:00:00Z",
  uri: "https://api.github.com/",
  "uri-template": "https://api.github.com/{id}",
  email: "octocat@github.com",
  uuid: "0c6d9e2f-6f4e-4d8d-9c0b-6f4ad5f0b3a1",
  ipv4: "192.0.2.1",
  "ssh-url": "git@github.com:octocat/Hello-World.git",
};

export function sample(description, schema, depth = 0) {
  const at = resolve(description, schema) ?? {};
  if (at.example !== undefined) return resolveInside(description, at.example);
  if (Array.isArray(at.examples) && at.examples.length > 0) return resolveInside(description, at.examples[0]);
  if (at.const !== undefined) return at.const;
  if (Array.isArray(at.enum)) return at.enum.find((value) => value !== null) ?? null;
  if (at.default !== undefined && at.default !== null) return at.default;
  if (at.allOf) return merged(at.allOf.map((part) => sample(description, part, depth)));
  const alternative = (at.oneOf ?? at.anyOf)?.find((part) => resolve(description, part)?.type !== "null");
  if (alternative && !at.properties) return sample(description, alternative, depth + 1);
  const type = typeOf(at);
  if (type === "object") return object(description, at, depth);
  if (type === "array") {
    return depth > MAX_DEPTH ? [] : [sample(description, at.items ?? {}, depth + 1)];
  }
  return scalar(type, at);
}

function object(description, schema, depth) {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => required.has(name) || depth < 2 || (required.size === 0 && depth < 4),
  );
  if (depth > MAX_DEPTH) return {};
  return Object.fromEntries(names.map((name) => [name, sample(description, schema.properties[name], depth + 1)]));
}

function scalar(type, schema) {
  if (type === "integer" || type === "number") return Math.max(1, schema.minimum ?? 1);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "string") return BY_FORMAT[schema.format] ?? "example";
  return {};
}

function typeOf(schema) {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  if (type) return type;
  if (schema.properties || schema.additionalProperties) return "object";
  return schema.items ? "array" : undefined;
}

function merged(parts) {
  const objects = parts.filter((part) => part && typeof part === "object" && !Array.isArray(part));
  return objects.length > 0 ? Object.assign({}, ...objects) : parts[0];
}
