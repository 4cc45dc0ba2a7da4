// Flattens SDL documents into a map from a path ("Issue", "Issue.title") to its definition in one line,
// and tells how two such maps differ.

import { Kind, print, visit } from "graphql";

// Definitions and extensions of one type are one entry, so a split schema compares equal to a whole one.
export function flatten(...documents) {
  const members = new Map();
  for (const definition of documents.flatMap((document) => document.definitions)) {
    const name = definition.name?.value ?? "schema";
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
      members.set(`@${name}`, oneLine(definition));
      continue;
    }
    if (!definition.kind.endsWith("Extension")) members.set(name, keyword(definition));
    for (const parent of definition.interfaces ?? []) {
      members.set(`${name} implements ${parent.name.value}`, "");
    }
    for (const member of definition.types ?? []) members.set(`${name} | ${member.name.value}`, "");
    for (const member of definition.fields ?? definition.values ?? []) {
      members.set(`${name}.${member.name.value}`, oneLine(member));
    }
  }
  return members;
}

// A type that is new or gone is one entry with its members counted, not one entry per member.
export function difference(before, after) {
  return {
    added: missingFrom(before, after),
    removed: missingFrom(after, before),
    changed: [...after.keys()]
      .filter((path) => before.has(path) && before.get(path) !== after.get(path))
      .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
      .toSorted(byPath),
  };
}

export function isEmpty({ added, removed, changed }) {
  return added.length + removed.length + changed.length === 0;
}

// A diff that reads by type and member, in the manner of `diff -u`.
export function render({ added, removed, changed }) {
  const lines = [
    ...removed.map((entry) => ({ path: entry.path, text: [`- ${describe(entry)}`] })),
    ...added.map((entry) => ({ path: entry.path, text: [`+ ${describe(entry)}`] })),
    ...changed.map((entry) => ({
      path: entry.path,
      text: [
        `- ${describe({ path: entry.path, text: entry.before })}`,
        `+ ${describe({ path: entry.path, text: entry.after })}`,
      ],
    })),
  ];
  const summary = `${added.length} added, ${removed.length} removed, ${changed.length} changed`;
  return [...lines.toSorted(byPath).flatMap((line) => line.text), summary].join("\n");
}

function missingFrom(base, other) {
  return [...other.entries()]
    .filter(([path]) => !base.has(path) && !belongsToMissingType(base, other, path))
    .map(([path, text]) => ({ path, text, members: countMembers(other, path) }))
    .toSorted(byPath);
}

function belongsToMissingType(base, other, path) {
  const type = typeOf(path);
  return type !== path && other.has(type) && !base.has(type);
}

function countMembers(members, type) {
  if (typeOf(type) !== type) return 0;
  return [...members.keys()].filter((path) => path !== type && typeOf(path) === type).length;
}

function typeOf(path) {
  return path.split(/[. ]/, 1)[0];
}

function describe({ path, text, members }) {
  if (path.startsWith("@")) return text;
  if (typeOf(path) === path) return `${text} ${path}${members ? ` (${members} members)` : ""}`;
  return path.includes(" ") ? path : `${typeOf(path)}.${text}`;
}

function keyword(definition) {
  return print({ ...definition, directives: [], fields: [], values: [], interfaces: [], types: [] }).split(" ", 1)[0];
}

// Descriptions and applied directives (deprecations, GitHub's own documentation marks) do not change what a caller may
// write.
function oneLine(node) {
  return print(visit({ ...node, description: undefined }, { Directive: () => null })).replace(/\s+/g, " ");
}

function byPath(a, b) {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
