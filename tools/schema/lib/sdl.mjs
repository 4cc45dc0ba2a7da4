// Reads GitHub's SDL and turns it into the one canonical form that this project commits:
// duplicate members dropped, descriptions of mutations only, everything sorted by name.

import { Kind, parse, print, visit } from "graphql";

// The lists of a definition whose members must have distinct names.
const MEMBER_LISTS = ["fields", "values", "arguments"];

// The type whose fields keep the first sentence of their descriptions. The catalogue says what each of them does.
const DESCRIBED = "Mutation";

// Parses SDL without most descriptions. Returns the document and one line for every definition that
// was dropped because an earlier one in the same place has the same name.
export function parseRepaired(sdl) {
  const document = parse(sdl, { noLocation: true });
  const repairs = [];
  const repaired = visit(document, {
    enter(node, _key, _parent, _path, ancestors) {
      const lists = MEMBER_LISTS.filter((list) => isDefinitionList(node[list]));
      if (lists.length === 0 && !node.description) return undefined;
      const copy = { ...node, description: descriptionOf(node, ancestors) };
      const owner = ownerName(node, ancestors);
      for (const list of lists) copy[list] = withoutDuplicates(node[list], owner, repairs);
      return copy;
    },
  });
  return { document: repaired, repairs };
}

// Prints a document so that only a change of meaning changes the text.
export function printCanonical(document) {
  const sorted = visit(document, {
    leave(node) {
      const copy = { ...node };
      for (const list of MEMBER_LISTS) {
        if (isDefinitionList(node[list])) copy[list] = byName(node[list]);
      }
      if (node.interfaces) copy.interfaces = byName(node.interfaces);
      if (node.kind === Kind.UNION_TYPE_DEFINITION || node.kind === Kind.UNION_TYPE_EXTENSION) {
        copy.types = byName(node.types);
      }
      if (node.kind === Kind.DIRECTIVE_DEFINITION) copy.locations = byValue(node.locations);
      return copy;
    },
  });
  const rank = (node) => (node.kind === Kind.DIRECTIVE_DEFINITION ? 0 : 1);
  const definitions = sorted.definitions.toSorted(
    (a, b) => rank(a) - rank(b) || compareText(nameOf(a), nameOf(b)),
  );
  return `${print({ ...sorted, definitions })}\n`;
}

function withoutDuplicates(members, owner, repairs) {
  const kept = new Map();
  for (const member of members) {
    const name = member.name.value;
    const first = kept.get(name);
    if (!first) {
      kept.set(name, member);
    } else {
      const same = printBare(first) === printBare(member);
      repairs.push(`${owner}.${name}: dropped a ${same ? "repeated" : "later, different"} definition`);
    }
  }
  return [...kept.values()];
}

function descriptionOf(node, ancestors) {
  const parent = ancestors.findLast((ancestor) => ancestor?.kind);
  if (!node.description || node.kind !== Kind.FIELD_DEFINITION || parent?.name?.value !== DESCRIBED) return undefined;
  const [paragraph] = node.description.value.trim().split("\n\n");
  const text = paragraph.replace(/\s+/g, " ");
  const end = text.search(/[.] [A-Z`]/);
  return { kind: Kind.STRING, value: end < 0 ? text : text.slice(0, end + 1), block: false };
}

function printBare(node) {
  return print(visit(node, { enter: (inner) => ({ ...inner, description: undefined }) }));
}

// `arguments` holds definitions in a field or directive definition, but plain values where a directive is applied.
function isDefinitionList(list) {
  return Array.isArray(list) && list.length > 0 && list[0].kind.endsWith("Definition");
}

function ownerName(node, ancestors) {
  const named = ancestors.filter((ancestor) => ancestor?.name).map((ancestor) => ancestor.name.value);
  return [...named, nameOf(node)].join(".");
}

function byName(nodes) {
  return nodes.toSorted((a, b) => compareText(nameOf(a), nameOf(b)));
}

function byValue(nodes) {
  return nodes.toSorted((a, b) => compareText(a.value, b.value));
}

function nameOf(node) {
  return node.name?.value ?? "";
}

// Code point order: the same on every machine, unlike localeCompare.
function compareText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
