// A stand-in for the server, for the self-test: `node standin.mjs text` or `node standin.mjs both`.
import { createInterface } from "node:readline";

const both = process.argv[2] === "both";

export const STANDIN_CALLS = [
  { name: "short", tool: "execute", arguments: { capability: "short" } },
  { name: "white space", tool: "execute", arguments: { capability: "space" } },
  { name: "looks like JSON", tool: "explain", arguments: { capability: "json" } },
  { name: "Unicode", tool: "execute", arguments: { capability: "unicode" } },
  { name: "hundreds of lines", tool: "search", arguments: { intent: "long" } },
  { name: "an error", tool: "execute", arguments: { capability: "error" } },
];

const TEXTS = {
  short: "ok: true\ndata:\n  number: 1",
  space: '  indented\tby a tab: "quoted", `code`, a \\ and <tags> & $signs\n\n\nafter two empty lines',
  json: '{"ok":true,"data":[1,2,3]}',
  unicode: "1019–1021 K, naïve café, 日本語, Ω, 👩‍🚀, ½ … ﬁ ①",
  long: Array.from({ length: 300 }, (_, index) => `  ${index},open,Engine ${index % 9} shuts down early`).join("\n"),
  error: "ok: false\nerror:\n  code: VALIDATION\n  message: `repo` is missing",
};

const object = (properties) => ({ type: "object", properties });
const TOOLS = [
  { name: "execute", description: "Run one.", inputSchema: object({ capability: { type: "string" } }) },
  { name: "explain", description: "Explain one.", inputSchema: object({ capability: { type: "string" } }), annotations: { readOnlyHint: true } },
  { name: "search", description: "Find one.", inputSchema: object({ intent: { type: "string" } }), annotations: { readOnlyHint: true } },
];

function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "standin", version: "1" },
        instructions: "Do everything with `execute`; it is the first line.\nThe second line says more.",
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: TOOLS };
    case "tools/call": {
      const key = params.arguments.capability ?? params.arguments.intent;
      const text = TEXTS[key];
      const isError = key === "error";
      const structured = both ? { structuredContent: { ok: !isError, said: text } } : {};
      return { content: [{ type: "text", text }], ...structured, ...(isError && { isError }) };
    }
    default:
      return undefined;
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = answer(method, params);
    const body = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  });
}
