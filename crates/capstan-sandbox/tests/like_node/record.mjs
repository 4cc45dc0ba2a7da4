// Records what Node says to each expression: `TZ=UTC node record.mjs`. The sandbox must say the same.
import { readFileSync, writeFileSync } from "node:fs";

const here = new URL(".", import.meta.url);
const AsyncFunction = (async () => {}).constructor;
const lines = readFileSync(new URL("expressions.txt", here), "utf8").split("\n").filter(Boolean);
const plain = (value) => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (value instanceof Set) return [...value].map(plain);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return Array.from(value, (item) => plain(item) ?? null);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]).filter(([, item]) => item !== undefined));
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value;
};
const recorded = [];
for (const line of lines) recorded.push([line, plain(await new AsyncFunction(`return (${line})`)())]);
writeFileSync(new URL("node20.json", here), `[\n${recorded.map((it) => JSON.stringify(it)).join(",\n")}\n]\n`);
