import assert from "node:assert/strict";
import { test } from "node:test";

import { operations } from "../lib/operations.mjs";
import { resolveInside } from "../lib/references.mjs";
import { sample } from "../lib/sample.mjs";
import { share } from "../lib/share.mjs";

const description = {
  components: {
    examples: {
      label: { value: { name: "bug", color: "f29513" } },
      labels: { value: [{ $ref: "#/components/examples/label" }] },
    },
    parameters: { page: { name: "page", in: "query", schema: { type: "integer" } } },
  },
  paths: {
    "/labels/{name}": {
      get: {
        operationId: "labels/list",
        description: "- **`application/vnd.github.raw+json`**: as text",
        parameters: [
          { name: "name", in: "path", required: true, schema: { type: "string" }, "x-multi-segment": true },
          { $ref: "#/components/parameters/page" },
        ],
        responses: {
          200: {
            content: { "application/json": { examples: { default: { $ref: "#/components/examples/labels" } } } },
          },
        },
      },
      put: {
        operationId: "labels/put",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "object", required: ["color"], properties: { color: { type: "string", title: "x" } } },
            },
          },
        },
        responses: { 204: {}, 201: { content: { "application/json": { schema: { type: "object" } } } } },
      },
    },
  },
};

test("references inside examples are followed", () => {
  assert.deepEqual(resolveInside(description, [{ $ref: "#/components/examples/label" }]), [
    { name: "bug", color: "f29513" },
  ]);
});

test("an operation keeps its inputs, its answer and its paging", () => {
  const [list, put] = operations(description);
  assert.deepEqual(list, {
    id: "labels/list",
    method: "GET",
    path: "/labels/{name}",
    params: { name: "segments" },
    status: 200,
    answer: { value: [{ name: "bug", color: "f29513" }] },
    paging: "page",
    media: { raw: {} },
  });
  assert.deepEqual(put.body, { type: "object", properties: { color: { type: "string" } }, required: ["color"] });
  assert.deepEqual([put.status, put.other_statuses], [201, [204]]);
});

test("samples honour enums, formats and required fields", () => {
  const schema = {
    type: "object",
    required: ["state"],
    properties: { state: { enum: ["open", "closed"] }, at: { type: "string", format: "date" } },
  };
  assert.deepEqual(sample(description, schema), { state: "open", at: "2026-01-05" });
  assert.deepEqual(sample(description, { type: "array", items: { type: ["null", "integer"] } }), [1]);
});

test("repeated values are stored once", () => {
  const owner = { login: "octocat", html_url: "https://github.com/octocat" };
  const packed = share([{ id: 1, owner }, { id: 2, owner }, { other: 1 }]);
  assert.deepEqual(packed.shared, [owner]);
  assert.deepEqual(packed.values, [{ id: 1, owner: { $: 0 } }, { id: 2, owner: { $: 0 } }, { other: 1 }]);
});
