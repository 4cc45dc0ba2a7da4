#!/usr/bin/env node
// Runs real clients against a model of our own, and checks what reaches the model. See README.md.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { CLIENTS, SERVER } from "./clients.mjs";
import { ask } from "./mcp.mjs";
import { run } from "./processes.mjs";
import { STANDIN_CALLS } from "./standin.mjs";

const LIMIT = 120_000;
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const ROCKET = { owner: "acme", repo: "rocket" };

const CALLS = [
  { name: "one issue", tool: "execute", arguments: { capability: "issue.view", input: { ...ROCKET, issue_number: 1 } } },
  { name: "a list", tool: "execute", arguments: { capability: "issue.list", input: { ...ROCKET, first: 10 } } },
  {
    name: "a chain",
    tool: "execute",
    arguments: {
      steps: [
        { task: "issue.view", as: "issue", input: { ...ROCKET, issue_number: 1 } },
        { task: "issue.comments.list", as: "comments", input: { ...ROCKET, issue_number: "$issue.data.number" } },
        { task: "pr.list", as: "pulls", input: { ...ROCKET, first: 5 } },
      ],
    },
  },
  {
    name: "code",
    tool: "execute",
    arguments: { intent: "count open issues", code: `return (await capstan.issue.list.all({owner:"acme",repo:"rocket"},{limit:100})).length` },
    // Its timings are never the same.
    varies: /(?<=_ms\\?"?: ?)\d+/g,
  },
  { name: "a write", tool: "execute", arguments: { capability: "issue.labels.add", input: { ...ROCKET, issue_number: 2, labels: ["bug"] } } },
  { name: "bad input", tool: "execute", arguments: { capability: "issue.view", input: { owner: "acme" } } },
  { name: "not found", tool: "execute", arguments: { capability: "issue.view", input: { ...ROCKET, issue_number: 99999 } } },
  { name: "suggestions", tool: "execute", arguments: { intent: "close an issue" } },
  { name: "explain", tool: "explain", arguments: { capability: "pr.merge" } },
  { name: "search", tool: "search", arguments: { intent: "close an issue" } },
];

const { values: options } = parseArgs({
  options: {
    capstan: { type: "string", default: join(root, "target/release/capstan") },
    tools: { type: "string", default: join(root, ".tools/clients") },
    client: { type: "string", multiple: true, default: Object.keys(CLIENTS) },
    record: { type: "string" },
    json: { type: "boolean", default: false },
    "self-test": { type: "boolean", default: false },
    // Set by ourselves: whether we run without a network, or why not.
    isolated: { type: "string" },
  },
});

function refuse(why) {
  console.error(why);
  process.exit(2);
}

// --- No network -------------------------------------------------------------------------------

if (options.isolated === undefined) {
  const up = "ip link set lo up";
  const probe = spawnSync("unshare", ["-rn", "sh", "-c", up], { timeout: 10_000, encoding: "utf8" });
  const again = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const [command, args] =
    probe.status === 0
      ? ["unshare", ["-rn", "sh", "-c", `${up} && exec "$@"`, "sh", process.execPath, ...again, "--isolated", "yes"]]
      : [process.execPath, [...again, "--isolated", "no"]];
  const child = spawn(command, args, { stdio: "inherit", timeout: 6 * LIMIT });
  // It ends what it started.
  process.once("exit", () => child.kill("SIGTERM"));
  child.once("error", (error) => refuse(error.message));
  child.once("exit", (status) => process.exit(status ?? 1));
  await new Promise(() => {});
}

// --- What is needed ---------------------------------------------------------------------------

const tools = resolve(options.tools);
const capstan = resolve(options.capstan);
for (const name of options.client) {
  if (!(name in CLIENTS)) refuse(`no client is called ${name}: there are ${Object.keys(CLIENTS).join(", ")}`);
  const folder = join(tools, "node_modules", CLIENTS[name].package);
  if (!existsSync(folder)) refuse(`${CLIENTS[name].package} is not installed: tools/install-clients.sh ${options.tools}`);
}
if (!options["self-test"] && !existsSync(capstan)) {
  refuse(`there is no ${options.capstan}: cargo build --release --package capstan-cli, or name another with --capstan`);
}
const { countTokens } = createRequire(join(tools, "package.json"))("gpt-tokenizer/encoding/o200k_base");
const tokens = (text) => countTokens(text, { disallowedSpecial: new Set() });

// --- One client -------------------------------------------------------------------------------

async function observe(name, server, calls, truth, folder) {
  const client = CLIENTS[name];
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  const home = join(folder, "server");
  mkdirSync(home);
  const fake = await client.fake(calls, SERVER);
  const began = performance.now();
  let end;
  let got;
  try {
    const { args, env } = client.command(tools, folder, fake.port, { ...server, env: { HOME: home } });
    const around = { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" };
    end = await run(process.execPath, args, { cwd: work, env: { ...around, ...env }, limit: LIMIT });
    got = fake.received();
  } finally {
    await fake.close();
  }
  if (options.record) {
    mkdirSync(options.record, { recursive: true });
    writeFileSync(join(options.record, `${name}${server.suffix ?? ""}.json`), JSON.stringify(fake.requests, null, 2));
  }
  const seconds = (performance.now() - began) / 1000;
  const checked = calls.map((call, index) => ({ name: call.name, tool: call.tool, ...check(client, call, truth.results[index], got.results.get(index)) }));
  return {
    client: name,
    label: client.label,
    version: client.version(tools),
    seconds: Math.round(seconds * 10) / 10,
    ended: end.late ? `not ended after ${LIMIT / 1000} s` : `exit ${end.code}`,
    ok: end.code === 0 && checked.every(({ ok }) => ok),
    requests: got.requests,
    instructions: instructions(truth.instructions, got),
    definitions: definitions(truth.tools, got),
    calls: checked,
    printed: end.code === 0 && got.results.size === calls.length ? undefined : end.printed.slice(-1500),
  };
}

/** Compares what reached the model with the text content of the result, character for character. */
function check(client, call, answer, arrived) {
  const result = steady(call, answer);
  const expected = result.content.length === 1 && result.content[0].type === "text" ? result.content[0].text : null;
  if (expected === null) return { ok: false, why: "the server's result is not one text" };
  const figures = { expected_tokens: tokens(expected) };
  if (arrived === undefined) return { ok: false, why: "no result arrived", ...figures };
  const { frame, isError, ...said } = client.unwrap(arrived);
  const text = steady(call, said.text);
  const whole = steady(call, said.whole);
  if (text === null) return { ok: false, why: "the result that arrived is empty", ...figures };
  figures.arrived_tokens = tokens(text);
  figures.frame_tokens = tokens(frame);
  if (whole !== undefined) figures.whole_tokens = tokens(whole);
  const difference = (why, wanted, what) => ({ ok: false, why, ...figures, at: firstDifference(wanted, what), expected: wanted, arrived: what });
  if (text !== expected) return difference(describe(text, result), expected, text);
  if (whole !== undefined) {
    // The code gets an object: it must hold the text and nothing else that it could print.
    const { structuredContent, ...rest } = JSON.parse(whole);
    if (!isDeepStrictEqual(rest.content, result.content)) return difference("the code gets other content", JSON.stringify(result), whole);
    if (structuredContent !== undefined) return difference("the code gets structuredContent beside the text", JSON.stringify(rest), whole);
  }
  if (isError !== undefined && isError !== (result.isError === true)) return { ok: false, why: `is_error is ${isError}`, ...figures };
  return { ok: true, ...figures };
}

/** The same with the parts that vary replaced: in a text, or in every text of a value. */
function steady({ varies }, value) {
  if (varies === undefined || value === undefined || value === null) return value;
  if (typeof value === "string") return value.replace(varies, "0");
  return JSON.parse(steady({ varies }, JSON.stringify(value)));
}

function describe(text, result) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return "another text arrived";
  }
  if (isDeepStrictEqual(value, result.structuredContent)) return "structuredContent arrived as JSON, and not the text";
  if (isDeepStrictEqual(value, result.content)) return "the content arrived as JSON";
  return "other JSON arrived";
}

function firstDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Where the server's instructions stand, and how much of them. */
function instructions(text, got) {
  if (!text) return { sent: 0, places: [] };
  const [line] = text.split("\n");
  const places = [];
  const look = (place, where) => {
    const times = (part) => strings(where).reduce((sum, inside) => sum + occurrences(inside, part), 0);
    const whole = times(text);
    if (whole > 0) places.push({ place, part: "whole", times: whole });
    else if (times(line) > 0) places.push({ place, part: "first line", times: times(line) });
  };
  for (const { place, text: where } of got.texts) look(`first request, ${place}`, where);
  if (got.eager.length > 0) look("first request, tools", got.tools);
  if (got.loading !== null) look("after tools are looked up", got.loading);
  return { tokens: tokens(text), first_line_tokens: tokens(line), places };
}

const strings = (value) =>
  typeof value === "string" ? [value] : value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];

/** How often a text stands in another, as it is or inside a JSON string. */
function occurrences(inside, part) {
  const quoted = JSON.stringify(part).slice(1, -1);
  return [...new Set([part, quoted])].reduce((sum, needle) => sum + inside.split(needle).length - 1, 0);
}

/** How the definitions of the tools reach the model, and what they cost. */
function definitions(sent, got) {
  const flat = got.tools.flatMap((tool) => tool.tools ?? [tool]);
  const bare = (name) => name.replace(`mcp__${SERVER}__`, "");
  const original = new Map(sent.map((tool) => [tool.name, tool]));
  const changed = (pick, from) =>
    flat.filter((tool) => !isDeepStrictEqual(pick(tool), from(original.get(bare(tool.name)) ?? {}))).map((tool) => bare(tool.name));
  const loaded = flat.length > 0 ? got.tools : got.loading;
  const eager = got.eager.map(bare);
  const late = sent.map(({ name }) => name).filter((name) => !eager.includes(name));
  return {
    how: late.length === 0 ? "in the first request" : got.requests === 0 ? "not at all" : "by name only, until they are looked up",
    ...(late.length > 0 && { eager, late }),
    sent_tokens: tokens(JSON.stringify(sent)),
    // Text is counted as text, objects as JSON: what a provider makes of a definition is its own affair.
    arrived_tokens: loaded === null ? 0 : tokens(asText(loaded)),
    descriptions_changed: changed((tool) => tool.description, (tool) => tool.description),
    schemas_changed: changed((tool) => tool.input_schema ?? tool.parameters, (tool) => tool.inputSchema),
  };
}

const asText = (value) =>
  Array.isArray(value) && value.every((item) => item.type === "input_text") ? value.map(({ text }) => text).join("") : JSON.stringify(value);

// --- All of them ------------------------------------------------------------------------------

async function observeAll(server, calls) {
  const folder = mkdtempSync(join(tmpdir(), "capstan-clients-"));
  const clean = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.once("exit", clean);
  try {
    const direct = [];
    for (const name of ["direct", "again"]) {
      mkdirSync(join(folder, name));
      direct.push(await ask(server, calls, join(folder, name)));
    }
    const [truth, again] = direct;
    calls.forEach((call, index) => {
      const [one, other] = [truth.results[index], again.results[index]];
      if (!isDeepStrictEqual(steady(call, one.content), steady(call, other.content))) {
        throw new Error(`the server does not answer the same twice: ${call.name}`);
      }
    });
    const structured = truth.results.filter((result) => result.structuredContent !== undefined).length;
    const clients = await Promise.all(options.client.map((name) => observe(name, server, calls, truth, join(folder, name))));
    return { structured, errors: truth.results.map((result) => result.isError === true), clients };
  } finally {
    clean();
    process.off("exit", clean);
  }
}

function show({ structured, clients }, calls) {
  console.log(`${calls.length} calls; the server sends structuredContent beside the text in ${structured} of the results`);
  for (const client of clients) {
    console.log(`\n${client.label}: ${client.version}, ${client.ended}, ${client.seconds} s, ${client.requests} requests`);
    const { instructions, definitions } = client;
    const places = instructions.places.map(({ place, part, times }) => `${part} in ${place}${times > 1 ? ` (${times} times)` : ""}`);
    console.log(`  instructions  ${instructions.tokens ?? 0} tokens: ${places.join("; ") || "nowhere"}`);
    const changed = ["descriptions", "schemas"]
      .map((what) => [what, definitions[`${what}_changed`]])
      .filter(([, names]) => names.length > 0)
      .map(([what, names]) => `; ${what} changed: ${names.join(", ")}`);
    const some = definitions.eager?.length > 0 ? ` (but ${definitions.eager.join(", ")} in the first request)` : "";
    console.log(`  definitions   ${definitions.how}${some}; ${definitions.sent_tokens} tokens sent, ${definitions.arrived_tokens} arrived${changed.join("")}`);
    for (const call of client.calls) {
      const frame = call.frame_tokens ? ` + ${call.frame_tokens} of the client's frame` : "";
      const whole = call.whole_tokens ? `, ${call.whole_tokens} if the code prints the whole result` : "";
      if (call.ok) {
        console.log(`  ok    ${call.name.padEnd(18)} ${call.arrived_tokens} tokens${frame}${whole}`);
        continue;
      }
      console.log(`  FAIL  ${call.name.padEnd(18)} ${call.why}: ${call.expected_tokens} tokens expected, ${call.arrived_tokens ?? 0} arrived${frame}${whole}`);
      if (call.at === undefined) continue;
      const excerpt = (text) => JSON.stringify(text.slice(Math.max(0, call.at - 20), call.at + 60));
      console.log(`          first difference at character ${call.at}`);
      console.log(`          expected ${excerpt(call.expected)}`);
      console.log(`          arrived  ${excerpt(call.arrived)}`);
    }
    if (client.printed) console.log(`  it printed:\n${client.printed.replace(/^/gm, "    ")}`);
  }
}

/** Text alone has to pass everywhere; JSON beside it has to be found everywhere but where none arrives. */
async function selfTest() {
  const problems = [];
  for (const mode of ["text", "both"]) {
    const server = { command: process.execPath, args: [join(here, "standin.mjs"), mode], suffix: `-${mode}` };
    const seen = await observeAll(server, STANDIN_CALLS);
    console.log(`a server that sends ${mode === "text" ? "text only" : "text and structuredContent"}`);
    const before = problems.length;
    for (const { client, ok, calls, ...more } of seen.clients) {
      const right = calls.filter((call) => call.ok).length;
      console.log(`  ${more.label}: the text alone in ${right} of ${calls.length} results, ${more.seconds} s`);
      if (mode === "text" && !ok) problems.push(`${client} fails with a server that sends text only`);
      if (mode === "both") {
        calls.forEach((call, index) => {
          // Claude Code gives the model the text of an error, whatever stands beside it.
          const found = client.startsWith("claude") && seen.errors[index] ? call.ok : !call.ok && /structuredContent/.test(call.why);
          if (!found) problems.push(`${client}, ${call.name}: structuredContent is not reported as expected`);
        });
      }
    }
    if (problems.length > before) show(seen, STANDIN_CALLS);
  }
  for (const problem of problems) console.log(`self-test: ${problem}`);
  console.log(problems.length === 0 ? "self-test: passed" : "self-test: failed");
  return problems.length === 0;
}

if (options.isolated === "no" && !options.json) {
  console.log("no network namespace of our own here (unshare -rn): the clients could reach the network");
}
async function main() {
  if (options["self-test"]) return selfTest();
  const seen = await observeAll({ command: capstan, args: ["--demo", "mcp"] }, CALLS);
  const ok = seen.clients.every((client) => client.ok);
  if (options.json) {
    console.log(JSON.stringify({ ok, network: options.isolated === "no", ...seen }, null, 2));
  } else {
    show(seen, CALLS);
    console.log(ok ? "\nevery model receives the text and nothing else" : "\nnot every model receives the text and nothing else");
  }
  return ok;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  refuse(error.message);
}
