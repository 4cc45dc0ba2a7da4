// Tests of the parts of the schema tool on small schemas. Run with `npm test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { amend } from "../lib/amend.mjs";
import { difference, flatten, isEmpty, render } from "../lib/members.mjs";
import { parseRepaired, printCanonical } from "../lib/sdl.mjs";
import { problemsOf } from "../lib/validity.mjs";

const document = (sdl) => parseRepaired(sdl).document;

test("a field defined twice is kept once, and a differing one is named as such", () => {
  const { document: repaired, repairs } = parseRepaired(`
    type Query { "first" a: Int, b: Int, "again" a: Int, b: String }
  `);
  assert.equal(printCanonical(repaired), "type Query {\n  a: Int\n  b: Int\n}\n");
  assert.deepEqual(repairs, [
    "Query.a: dropped a repeated definition",
    "Query.b: dropped a later, different definition",
  ]);
});

test("repeated arguments and enum values are repaired too", () => {
  const { repairs } = parseRepaired("type Query { a(x: Int, x: Int): E } enum E { ONE ONE }");
  assert.deepEqual(repairs.toSorted(), [
    "E.ONE: dropped a repeated definition",
    "Query.a.x: dropped a repeated definition",
  ]);
});

test("the printed form does not depend on order, descriptions or comments", () => {
  const one = `"""Q""" type Query implements B & A { b(y: Int, x: Int): U, a: Int } union U = T | S # end`;
  const other = `union U = S | T type Query implements A & B { a: Int "b" b(x: Int, "y" y: Int): U }`;
  assert.equal(printCanonical(document(one)), printCanonical(document(other)));
});

test("what a mutation does is kept, in one sentence", () => {
  const sdl = `type Mutation { """
    Closes an
    issue. It stays.

    More.
    """ closeIssue("what" id: ID): Int "Opens" openIssue: Int plain: Int } type Query { "no" a: Int }`;
  assert.equal(
    printCanonical(document(sdl)),
    'type Mutation {\n  "Closes an issue."\n  closeIssue(id: ID): Int\n  "Opens"\n  openIssue: Int\n  plain: Int\n}\n\n' +
      "type Query {\n  a: Int\n}\n",
  );
  const silent = sdl.replace("Closes an", "Shuts the");
  assert.ok(isEmpty(difference(flatten(document(sdl)), flatten(document(silent)))));
});

test("a deprecation survives with its reason", () => {
  const sdl = 'type Query {\n  a: Int @deprecated(reason: "gone soon")\n}\n';
  assert.equal(printCanonical(document(sdl)), sdl);
});

test("an amendment replaces a member, adds a missing type and reports one that is no longer needed", () => {
  const { document: amended, notes } = amend(
    document("type Query { a: Int! @deprecated, b: Int }"),
    document("type Query { a: E, b: Int } enum E { ONE }"),
  );
  assert.equal(printCanonical(amended), "enum E {\n  ONE\n}\n\ntype Query {\n  a: E @deprecated\n  b: Int\n}\n");
  assert.deepEqual(notes, [
    "Query.a: replaced",
    "Query.b: the package has this now; remove the amendment",
    "E: added",
  ]);
});

test("an amendment of a member that does not exist is refused", () => {
  assert.throws(() => amend(document("type Query { a: Int }"), document("type Query { b: Int }")), /Query\.b/);
});

test("drift is told by member, and a new type in one line", () => {
  const before = document("type Query { a: Int, b: Int } union U = Query");
  const after = document("type Query { a: String } type T { x: Int, y: Int } union U = Query | T");
  assert.equal(
    render(difference(flatten(before), flatten(after))),
    [
      "- Query.a: Int",
      "+ Query.a: String",
      "- Query.b: Int",
      "+ type T (2 members)",
      "+ U | T",
      "2 added, 1 removed, 1 changed",
    ].join("\n"),
  );
});

test("a type and its extension compare equal to the whole type", () => {
  const split = flatten(document("type Query { a: Int }"), document("extend type Query { b: Int }"));
  const whole = flatten(document("type Query { a: Int, b: Int }"));
  assert.ok(isEmpty(difference(split, whole)));
});

test("an extension that repeats a field or names an unknown type is a problem", () => {
  const base = "type Query { a: Int }";
  assert.deepEqual(problemsOf(base, "extend type Query { b: Int }"), []);
  assert.match(problemsOf(base, "extend type Query { a: Int }").join(), /Query\.a/);
  assert.match(problemsOf(base, "extend type Query { c: Gone }").join(), /Gone/);
});
