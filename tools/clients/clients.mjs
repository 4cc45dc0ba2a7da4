// The clients: how each is started, and what it puts around the result of a call.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { anthropic } from "./fake/anthropic.mjs";
import { openai } from "./fake/openai.mjs";

export const SERVER = "capstan";
const PROMPT = "Use the tools.";

const version = (tools, name) => JSON.parse(readFileSync(join(tools, "node_modules", name, "package.json"), "utf8")).version;

const claude = (label, more = {}) => ({
  label: `Claude Code, ${label}`,
  package: "@anthropic-ai/claude-code",
  version: (tools) => version(tools, "@anthropic-ai/claude-code"),
  fake: anthropic,
  command(tools, folder, port, server) {
    const config = join(folder, "mcp.json");
    const entry = { command: server.command, args: server.args, env: server.env };
    writeFileSync(config, JSON.stringify({ mcpServers: { [SERVER]: entry } }));
    return {
      // The launcher for installations without scripts.
      args: [
        join(tools, "node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs"),
        ...["-p", PROMPT, "--mcp-config", config, "--strict-mcp-config", "--allowedTools"],
        ["execute", "explain", "search"].map((tool) => `mcp__${SERVER}__${tool}`).join(","),
      ],
      env: {
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
        ANTHROPIC_API_KEY: "sk-fake",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_ERROR_REPORTING: "1",
        DISABLE_TELEMETRY: "1",
        ...more,
      },
    };
  },
  unwrap: ({ content, isError }) => ({ frame: "", text: plain(content, "text"), isError }),
});

const codex = (label, model) => ({
  label: `Codex, ${label}`,
  package: "@openai/codex",
  version: (tools) => version(tools, "@openai/codex"),
  fake: openai,
  command(tools, folder, port, server) {
    const home = join(folder, "codex");
    mkdirSync(home);
    const quote = JSON.stringify;
    const env = Object.entries(server.env).map(([name, value]) => `${name} = ${quote(value)}`);
    writeFileSync(
      join(home, "config.toml"),
      [
        `[mcp_servers.${SERVER}]`,
        `command = ${quote(server.command)}`,
        `args = [${server.args.map((word) => quote(word)).join(", ")}]`,
        `env = { ${env.join(", ")} }`,
        "",
      ].join("\n"),
    );
    const provider = `{name="fake",base_url="http://127.0.0.1:${port}/v1",wire_api="responses",env_key="FAKE_KEY"}`;
    return {
      args: [
        join(tools, "node_modules/@openai/codex/bin/codex.js"),
        ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
        ...["-c", 'model_provider="fake"', "-c", `model_providers.fake=${provider}`],
        ...(model === undefined ? [] : ["-m", model]),
        PROMPT,
      ],
      env: { CODEX_HOME: home, FAKE_KEY: "sk-fake" },
    };
  },
  unwrap({ content, script }) {
    if (!script) {
      // The frame stands before a JSON of structuredContent, and in an item of its own before content.
      const start = /^Wall time: \d+(\.\d+)? seconds\nOutput:\n/;
      const alone = /^Wall time: \d+(\.\d+)? seconds\nOutput:$/;
      const [first, second, ...more] = Array.isArray(content) ? content : [];
      if (more.length === 0 && first?.type === "input_text" && second?.type === "input_text" && alone.test(first.text)) {
        return { frame: first.text, text: second.text };
      }
      const text = plain(content, "input_text");
      const [frame] = start.exec(text ?? "") ?? [""];
      return { frame, text: text?.slice(frame.length) ?? null };
    }
    // What the code printed: the frame, the text of the result, and the whole result.
    const items = Array.isArray(content) ? content.map((item) => (item.type === "input_text" ? item.text : null)) : [];
    if (items.length !== 3 || !/^Script completed\nWall time \d+(\.\d+)? seconds\nOutput:\n$/.test(items[0])) {
      return { frame: "", text: JSON.stringify(content) };
    }
    return { frame: items[0], text: items[1], whole: items[2] };
  },
});

/** The text of a result that is nothing but text. */
function plain(content, type) {
  if (typeof content === "string") return content;
  if (Array.isArray(content) && content.length === 1 && content[0].type === type) return content[0].text;
  return content === null || content === undefined ? null : JSON.stringify(content);
}

export const CLIENTS = {
  claude: claude("tools deferred (default)"),
  "claude-eager": claude("tools in the request", { ENABLE_TOOL_SEARCH: "false" }),
  codex: codex("tools called from code (default)"),
  "codex-search": codex("tools behind tool_search", "gpt-5.5"),
  "codex-eager": codex("tools in the request", "unknown-model"),
};
