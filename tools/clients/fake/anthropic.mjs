// A model that speaks Anthropic's Messages API, and only makes the calls it is given.
import { serve } from "./serve.mjs";

/**
 * @param {{ tool: string, arguments: object }[]} calls
 * @param {string} server the name of the MCP server whose tools are called
 */
export async function anthropic(calls, server) {
  const prefix = `mcp__${server}__`;

  function route({ method, path, body }) {
    if (method !== "POST") return { json: { data: [], has_more: false } };
    if (path.endsWith("/count_tokens")) return { json: { input_tokens: 1000 } };
    if (!path.endsWith("/v1/messages") || body === null || typeof body !== "object") return { status: 404, json: {} };
    const block = answer(body);
    return body.stream ? { events: stream(body.model, block) } : { json: message(body.model, [block]) };
  }

  /** The next call that the conversation has no result of; tools that are deferred are loaded first. */
  function answer(body) {
    if (!concerns(body, prefix)) return DONE;
    const missing = [...new Set(calls.map(({ tool }) => prefix + tool))].filter((name) => !offers(body, name));
    if (missing.length > 0 && !has(body, LOAD)) {
      if (!offers(body, SEARCH)) return DONE;
      return { type: "tool_use", id: LOAD, name: SEARCH, input: { query: `select:${missing.join(",")}`, max_results: missing.length } };
    }
    const next = calls.findIndex((_, index) => !has(body, id(index)));
    if (next < 0) return DONE;
    return { type: "tool_use", id: id(next), name: prefix + calls[next].tool, input: calls[next].arguments };
  }

  const endpoint = await serve(route);
  return { ...endpoint, received: () => received(endpoint.requests, prefix) };
}

const DONE = { type: "text", text: "done" };
const SEARCH = "ToolSearch";
const LOAD = "toolu_load";
const id = (index) => `toolu_call_${index}`;

const blocks = (message) => (Array.isArray(message.content) ? message.content : []);
const results = (body) => body.messages.flatMap(blocks).filter((block) => block.type === "tool_result");
const has = (body, wanted) => results(body).some((block) => block.tool_use_id === wanted);
const offers = (body, name) => (body.tools ?? []).some((tool) => tool.name === name);
const ours = (body, prefix) => (body.tools ?? []).filter((tool) => tool.name?.startsWith(prefix));
/** Other requests are the client's own: for a title, say. */
const concerns = (body, prefix) => ours(body, prefix).length > 0 || texts(body).some(({ text }) => text.includes(prefix));

function message(model, content) {
  return {
    id: "msg_fake",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1000, output_tokens: 10 },
  };
}

function stream(model, block) {
  const whole = message(model, [block]);
  const [start, delta] =
    block.type === "text"
      ? [{ type: "text", text: "" }, { type: "text_delta", text: block.text }]
      : [{ ...block, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  return [
    { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: "message_stop" },
  ];
}

/** What the requests say about the server: results by call, tools, and every text outside of them. */
function received(requests, prefix) {
  const main = requests
    .map(({ body }) => body)
    .filter((body) => Array.isArray(body?.messages) && concerns(body, prefix));
  const [first, last] = [main[0], main.at(-1)];
  const found = new Map();
  for (const block of last === undefined ? [] : results(last)) {
    const index = /^toolu_call_(\d+)$/.exec(block.tool_use_id)?.[1];
    if (index !== undefined) found.set(Number(index), { content: block.content ?? null, isError: block.is_error === true });
  }
  return {
    results: found,
    eager: first === undefined ? [] : ours(first, prefix).map(({ name }) => name),
    loading: last === undefined ? null : (results(last).find((block) => block.tool_use_id === LOAD)?.content ?? null),
    tools: last === undefined ? [] : ours(last, prefix),
    texts: first === undefined ? [] : texts(first),
    requests: main.length,
  };
}

function texts(body) {
  const found = [];
  const take = (place, content) => {
    if (typeof content === "string") found.push({ place, text: content });
    else (content ?? []).forEach((block, index) => block.type === "text" && found.push({ place: `${place}[${index}]`, text: block.text }));
  };
  take("system", body.system);
  body.messages.forEach((message, index) => take(`messages[${index}] (${message.role})`, message.content));
  return found;
}
