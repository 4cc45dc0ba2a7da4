// Turns GitHub's description into the operations that the simulator answers.

import { inputSchema } from "./inputs.mjs";
import { resolve, resolveInside } from "./references.mjs";
import { sample } from "./sample.mjs";

const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";
const MAX_ROWS = 3;
const MAX_ENTRIES = 40;

export function operations(description) {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => operation(description, path, method, item[method])),
  );
}

function operation(description, path, method, source) {
  const parameters = (source.parameters ?? []).map((parameter) => resolve(description, parameter));
  const statuses = Object.keys(source.responses)
    .filter((status) => /^(2\d\d|302)$/.test(status))
    .map(Number);
  const status = mainStatus(method, statuses);
  const contents = resolve(description, source.responses[status])?.content ?? {};
  const type = Object.keys(contents).includes(JSON_TYPE) ? JSON_TYPE : Object.keys(contents)[0];
  const answer = type && answerOf(description, contents[type]);
  const body = bodyOf(description, source);
  return withoutEmpty({
    id: source.operationId,
    method: method.toUpperCase(),
    path,
    params: Object.fromEntries(
      parameters.filter((p) => p.in === "path").map((p) => [p.name, pathType(description, p)]),
    ),
    query: Object.fromEntries(
      parameters
        .filter((p) => p.in === "query" && p.required)
        .map((p) => [p.name, inputSchema(description, p.schema)]),
    ),
    body: body?.schema,
    body_required: body?.required,
    body_type: body?.type === JSON_TYPE ? undefined : body?.type,
    status,
    other_statuses: statuses.filter((other) => other !== status),
    type: type === JSON_TYPE ? undefined : type,
    answer: answer === undefined ? undefined : { value: answer },
    rows: rowsKey(answer, parameters),
    paging: pagingOf(parameters),
    media: mediaOf(description, source, contents),
  });
}

// Returns the status of the usual success: the object, else its creation, else no content, else a redirect.
function mainStatus(method, statuses) {
  const order = method === "get" ? [200, 201, 204, 202, 302] : [201, 200, 204, 202, 205, 302];
  // A repeated creation and an operation that may take longer answer with the other status.
  return order.find((status) => statuses.includes(status)) ?? statuses[0];
}

function answerOf(description, content) {
  const examples = Object.values(content.examples ?? {});
  let value;
  if (content.example !== undefined) value = resolveInside(description, content.example);
  else if (examples.length > 0) value = resolveInside(description, resolve(description, examples[0]).value);
  if (value === undefined) value = sample(description, content.schema ?? {});
  return shortened(fitted(description, value, content.schema));
}

// Some examples show one row where the schema has a list.
function fitted(description, value, schema) {
  const type = resolve(description, schema ?? {})?.type;
  if (type === "array" && !Array.isArray(value)) return [value];
  return value;
}

function shortened(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map(shortened);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, Math.max(MAX_ENTRIES, hasShape(value) ? Infinity : 0))
      .map(([name, item]) => [name, shortened(item)]),
  );
}

// An object with one kind of value in many entries is a table, such as the list of emojis.
function hasShape(value) {
  const entries = Object.values(value);
  return entries.length <= MAX_ENTRIES * 3 || !entries.every((entry) => typeof entry === "string");
}

function bodyOf(description, source) {
  const request = resolve(description, source.requestBody);
  if (!request?.content) return undefined;
  const [type, content] = Object.entries(request.content)[0];
  return {
    type,
    schema: inputSchema(description, content.schema ?? {}),
    required: request.required || undefined,
  };
}

function pathType(description, parameter) {
  if (parameter["x-multi-segment"]) return "segments";
  const schema = resolve(description, parameter.schema);
  return schema.type === "integer" ? "integer" : "string";
}

function rowsKey(answer, parameters) {
  if (!answer || typeof answer !== "object" || Array.isArray(answer) || !pagingOf(parameters)) return undefined;
  const lists = Object.entries(answer).filter(([, value]) => Array.isArray(value));
  const rows = lists.find(([, list]) => list.some((row) => row && typeof row === "object")) ?? lists[0];
  return rows?.[0];
}

function pagingOf(parameters) {
  const names = new Set(parameters.filter((p) => p.in === "query").map((p) => p.name));
  const since = parameters.find((p) => p.name === "since" && p.in === "query");
  if (names.has("cursor") && names.has("per_page")) return "cursor";
  if (names.has("page")) return names.has("after") ? "page_and_after" : "page";
  if (names.has("after") && (names.has("per_page") || names.has("before"))) return "after";
  if (since?.schema?.type === "integer" || /ID\. Only return/.test(since?.description ?? "")) return "since_id";
  return undefined;
}

// The media types besides the usual one, with GitHub's example where the description has one.
function mediaOf(description, source, contents) {
  const media = {};
  for (const [, name] of (source.description ?? "").matchAll(/application\/vnd\.github(?:-[\w]+)?\.([\w.]+?)(?:\+json)?[`*]/g)) {
    media[name.replace(/^v3\./, "")] = {};
  }
  for (const [type, content] of Object.entries(contents)) {
    if (type === JSON_TYPE || Object.keys(contents)[0] === type && Object.keys(contents).length === 1) continue;
    const name = type.replace(/^application\/(vnd\.github\.)?(v3\.)?/, "").replace(/\+json$/, "");
    media[name] = { value: answerOf(description, content) };
  }
  return media;
}

function withoutEmpty(object) {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => {
      if (value === undefined || value === false) return false;
      if (Array.isArray(value)) return value.length > 0;
      return typeof value !== "object" || value === null || Object.keys(value).length > 0;
    }),
  );
}
