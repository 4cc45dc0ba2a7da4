// Puts amended members in place of the package's own: GraphQL extensions can add a member but not redefine one.

import { print, visit } from "graphql";

const MEMBER_LISTS = ["fields", "values"];

// Returns the amended document and one line per amendment. Types that only the amendments define are added whole.
// Throws if a type lacks a member that is to be amended: new members belong in an extension.
export function amend(document, amendments) {
  const changes = new Map(amendments.definitions.map((definition) => [definition.name.value, definition]));
  const notes = [];
  const definitions = document.definitions.map((definition) => {
    const change = changes.get(definition.name?.value);
    if (!change) return definition;
    changes.delete(definition.name.value);
    return replaceMembers(definition, change, notes);
  });
  for (const name of changes.keys()) notes.push(`${name}: added`);
  return { document: { ...document, definitions: [...definitions, ...changes.values()] }, notes };
}

function replaceMembers(definition, change, notes) {
  const copy = { ...definition };
  for (const list of MEMBER_LISTS) {
    for (const member of change[list] ?? []) {
      const path = `${definition.name.value}.${member.name.value}`;
      const index = (copy[list] ?? []).findIndex((own) => own.name.value === member.name.value);
      if (index < 0) throw new Error(`${path}: nothing to amend in the package; use an extension`);
      const same = signature(copy[list][index]) === signature(member);
      notes.push(same ? `${path}: the package has this now; remove the amendment` : `${path}: replaced`);
      copy[list] = copy[list].with(index, {
        ...member,
        description: copy[list][index].description,
        directives: copy[list][index].directives,
      });
    }
  }
  return copy;
}

function signature(member) {
  return print(visit({ ...member, description: undefined }, { Directive: () => null }));
}
