// Writes schema/github.graphql from the pinned npm package, or compares it.
//
//   node generate.mjs                      write it and show what changed
//   node generate.mjs --check              show what would change; exit 1 if anything would
//   node generate.mjs --compare OTHER      show what another SDL has that ours lacks, and the reverse

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { amend } from "./lib/amend.mjs";
import { flatten, difference, isEmpty, render } from "./lib/members.mjs";
import { parseRepaired, printCanonical } from "./lib/sdl.mjs";
import { problemsOf } from "./lib/validity.mjs";

const PACKAGE = "@octokit/graphql-schema";
const HERE = dirname(fileURLToPath(import.meta.url));
const SCHEMA_DIR = join(HERE, "..", "..", "schema");
const BASE_FILE = join(SCHEMA_DIR, "github.graphql");
const AMENDMENTS_FILE = join(HERE, "amendments.graphql");
const EXTENSIONS_FILE = join(SCHEMA_DIR, "extensions.graphql");

const { values: options } = parseArgs({
  options: { check: { type: "boolean" }, compare: { type: "string" } },
});
process.exitCode = options.compare ? compare(options.compare) : generate(options.check);

function generate(checkOnly) {
  const { text, document, notes } = fromPackage();
  for (const note of notes) console.log(note);

  const problems = problemsOf(text, read(EXTENSIONS_FILE));
  if (problems.length > 0) {
    console.error(`the schema with its extensions is not valid:\n${problems.join("\n")}`);
    return 1;
  }

  const committed = read(BASE_FILE);
  if (committed === text) {
    console.log("schema/github.graphql is up to date");
    return 0;
  }
  if (!committed) {
    if (checkOnly) {
      console.log("schema/github.graphql does not exist");
      return 1;
    }
    return write(text);
  }
  const drift = difference(flatten(parseRepaired(committed).document), flatten(document));
  console.log("schema/github.graphql (-) against the package (+)");
  console.log(isEmpty(drift) ? "same definitions, different text" : render(drift));
  return checkOnly ? 1 : write(text);
}

function write(text) {
  writeFileSync(BASE_FILE, text);
  console.log("wrote schema/github.graphql");
  return 0;
}

function compare(otherFile) {
  const ours = flatten(...[BASE_FILE, EXTENSIONS_FILE].map((file) => documentOf(read(file))));
  const theirs = flatten(parseRepaired(readFileSync(otherFile, "utf8")).document);
  console.log(`ours (-) against ${otherFile} (+)`);
  console.log(render(difference(ours, theirs)));
  return 0;
}

function fromPackage() {
  // The package exports only code, so its files are read by path.
  const folder = join(HERE, "node_modules", PACKAGE);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const repaired = parseRepaired(readFileSync(join(folder, "schema.graphql"), "utf8"));
  const amended = amend(repaired.document, documentOf(read(AMENDMENTS_FILE)));
  const notes = [
    ...repaired.repairs.map((repair) => `repair ${repair}`),
    ...amended.notes.map((note) => `amendment ${note}`),
  ];
  return { text: header(manifest) + printCanonical(amended.document), document: amended.document, notes };
}

function header({ version, license }) {
  return [
    `# GitHub's public GraphQL schema, from the npm package ${PACKAGE} ${version} (licence: ${license}).`,
    "# Generated, with tools/schema/amendments.graphql applied: do not edit. `make schema` writes it again. Newer parts: extensions.graphql.",
    "",
    "",
  ].join("\n");
}

// A file that does not exist yet defines nothing, which is not parseable SDL.
function documentOf(sdl) {
  return sdl ? parseRepaired(sdl).document : { definitions: [] };
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
