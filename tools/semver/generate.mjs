// Writes a table of ranges and what npm's own `semver` says about them: which of some versions each
// range allows, as hexadecimal digits of four versions each, or `-` where it is no range at all.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const semver = require("semver");
const { version } = require("semver/package.json");
const OUT = new URL("../../crates/capstan-skill/tests/it/ranges/npm.tsv", import.meta.url);
const HOW_MANY = 2500;

// The same table on every machine.
let state = 20261117;
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * bound);
};
const one = (list) => list[below(list.length)];

const PRERELEASES = ["-alpha", "-beta.1", "-rc.2", "-0", "-alpha.beta", "-beta.11"];
const number = () => below(4);
const whole = () => `${number()}.${number()}.${number()}${below(2) ? "" : one(PRERELEASES)}`;
const partial = () =>
  one([
    () => `${number()}`,
    () => `${number()}.${number()}`,
    () => `${number()}.x`,
    () => `${number()}.${number()}.*`,
    whole,
    whole,
  ])();
const OPERATORS = ["", "=", ">", "<", ">=", "<=", "^", "~", "~>", "^ ", ">= ", "> ", "v", "~v", "^v"];
const comparator = () => one(OPERATORS) + partial();
const set = () =>
  one([
    () => `${partial()} - ${partial()}`,
    () => "*",
    comparator,
    comparator,
    () => `${comparator()} ${comparator()}`,
    () => `${comparator()} ${comparator()} ${comparator()}`,
  ])();
const range = () => (below(4) ? set() : `${set()}${one(["||", " || "])}${set()}`);

const ODD = [
  ">=2.0.0 <1.0.0", "x", "X", "*", "1", "1.2", "v1.2.3", "^v1.2.3", "=1.2.3", "==1.2.3", "=v1.2.3",
  "latest", ">=1.2.3 <2.0.0 || 3.x", "^0.0.3", "^0.2", "~0.2.3", "^0", "^0.0", "^0.x", "~0", "1.2.3 - 2",
  "1.2 - 2.3.4", ">1", "<1", ">1.2", "<=1.2", ">=1", "^1.2.3-beta.2", "~1.2.3-beta.2", ">1.2.3-alpha.3",
  "*-1", "1.2.3+build", "^1.2.3+b", ">=1.2.3-0", "<2.0.0-0", ">01.2.3", "1.2.3.4", "^1.2.3 ^1.3.0",
  ">x", "<x", ">=x", "<=*", ">*", "^*", "~*", "~x", "1.x.2", "x.1.2", "^1.x.2", "~x.1.2", "||", "|| 1",
  "1 ||", "1.2.3 ||| 2", "> 1 . 2", ">=1.0.0<2.0.0", "~ 1.2", "^ 1", "~> 1", "1 - x", "x - 2", "1 -2",
  "9007199254740992.0.0", "^9007199254740991.0.0", "1.2.3-", "1.2.3-a..b", "1.2.3-01", "1.2.3-1a",
  ">=1.0.0, <2.0.0", ">", "^", "~", "=", "<=", "- 1", "1 - ", "1.2.3 - ", "a.b.c", "1.2.3 beta", "!1.2.3",
  ">=0.0.0 <0.0.0-beta.1", ">=0.0.0", "<0.0.0", "<0.0.0-0", "1.2.3-alpha - 1.2.3-rc.2", "1.2-beta", "^1.2-beta",
  "> =1.2.3", "v 1.2.3", "1.2.3 || latest", "\t1.2.3\t", "2.x.x", "2.*.*", "1.2.x || 2.x", "x - 1.0.0", "1.x - 1.x.x",
];
const VERSIONS = [];
for (let major = 0; major < 4; major++)
  for (let minor = 0; minor < 4; minor++)
    for (let patch = 0; patch < 4; patch++) VERSIONS.push(`${major}.${minor}.${patch}`);
for (const base of ["0.0.0", "0.1.0", "1.0.0", "1.2.3", "2.0.0", "2.1.0", "3.3.3"])
  for (const prerelease of PRERELEASES) VERSIONS.push(base + prerelease);
while (VERSIONS.length % 4) VERSIONS.push(`9.9.${VERSIONS.length}`);

const answer = (text) => {
  if (semver.validRange(text) === null) return "-";
  let digits = "";
  for (let at = 0; at < VERSIONS.length; at += 4) {
    const four = VERSIONS.slice(at, at + 4).map((it) => (semver.satisfies(it, text) ? 1 : 0));
    digits += (four[0] * 8 + four[1] * 4 + four[2] * 2 + four[3]).toString(16);
  }
  return digits;
};
const ranges = new Set(ODD);
while (ranges.size < HOW_MANY) ranges.add(range());
const lines = [...ranges].map((text) => `${JSON.stringify(text)}\t${answer(text)}`);
const head = `# What npm's semver ${version} says; made by tools/semver/generate.mjs.\n${VERSIONS.join(" ")}\n`;
writeFileSync(OUT, `${head}${lines.join("\n")}\n`);
console.log(`${ranges.size} ranges, ${VERSIONS.length} versions`);
