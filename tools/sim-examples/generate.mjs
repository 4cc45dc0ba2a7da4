// Writes the simulator's data about every documented REST operation from the pinned npm package, or compares it.
//
//   node generate.mjs            write it and show its size
//   node generate.mjs --check    exit 1 if the committed file differs
//   node generate.mjs --print    print the operations as JSON, one per line

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";

import { operations } from "./lib/operations.mjs";
import { share } from "./lib/share.mjs";

const PACKAGE = "@octokit/openapi";
const HERE = dirname(fileURLToPath(import.meta.url));
const FILE = join(HERE, "..", "..", "crates", "github-sim", "data", "operations.json.gz");

const { values: options } = parseArgs({
  options: { check: { type: "boolean" }, print: { type: "boolean" } },
});
process.exitCode = run();

function run() {
  const folder = join(HERE, "node_modules", PACKAGE);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const found = operations(JSON.parse(readFileSync(join(folder, "generated", "api.github.com.json"), "utf8")));
  if (options.print) {
    for (const operation of found) console.log(JSON.stringify(operation));
    return 0;
  }
  const { values, shared } = share(found);
  const text = `${JSON.stringify({
    source: `${PACKAGE} ${manifest.version} (licence: ${manifest.license})`,
    shared,
    operations: values,
  })}\n`;
  // Versions of zlib compress differently, so the texts are compared.
  if (existsSync(FILE) && gunzipSync(readFileSync(FILE)).toString("utf8") === text) {
    console.log("the simulator's operations are up to date");
    return 0;
  }
  if (options.check) {
    console.log("the simulator's operations differ from the package; `make sim-examples` writes them again");
    return 1;
  }
  const packed = gzipSync(text, { level: 9 });
  writeFileSync(FILE, packed);
  console.log(`wrote ${found.length} operations: ${text.length} bytes, compressed ${packed.length}`);
  return 0;
}
