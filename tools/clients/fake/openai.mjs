// A model that speaks OpenAI's Responses API, and only makes the calls it is given.
import { serve } from "./serve.mjs";

/**
 * Codex offers the tools of a server in one of three ways, by model: as functions in a namespace; the
 * same after a `tool_search`; or as functions of JavaScript that the model writes for `exec`.
 *
 * @param {{ tool: string, arguments: object }[]} calls
 * @param {string} server the name of the MCP server whose tools are called
 */
export async function openai(calls, server) {
  const namespace = `mcp__${server}`;

  function route({ method, path, body }) {
    if (method !== "POST") return { json: { object: "list", data: [], models: [] } };
    if (!path.endsWith("/v1/responses") || body === null || typeof body !== "object") return { status: 404, json: {} };
    return { events: stream(answer(body)) };
  }

  /** The next call that the conversation has no result of; tools that are deferred are looked up first. */
  function answer(body) {
    const next = calls.findIndex((_, index) => !has(body, id(index)));
    const call = calls[next];
    if (!concerns(body, namespace)) return DONE;
    if (definitions(body, namespace).length > 0) {
      if (call === undefined) return DONE;
      return { type: "function_call", call_id: id(next), namespace, name: call.tool, arguments: JSON.stringify(call.arguments) };
    }
    const scripted = code(body);
    if (has(body, LOOKUP) && !scripted) return DONE;
    if (!has(body, LOOKUP)) {
      if (scripted) return script(LOOKUP, `text(ALL_TOOLS.filter((tool) => tool.name.startsWith("${namespace}__")));`);
      const query = `${server} ${[...new Set(calls.map(({ tool }) => tool))].join(" ")}`;
      return { type: "tool_search_call", call_id: LOOKUP, execution: "client", status: "completed", arguments: { query } };
    }
    if (call === undefined) return DONE;
    // What a careful author prints, then what a careless one does.
    const name = `${namespace}__${call.tool}`;
    return script(
      id(next),
      `const result = await tools.${name}(${JSON.stringify(call.arguments)});\ntext(result.content[0].text);\ntext(result);`,
    );
  }

  const endpoint = await serve(route);
  return { ...endpoint, received: () => received(endpoint.requests, namespace) };
}

const DONE = { type: "message", role: "assistant", content: [{ type: "output_text", text: "done", annotations: [] }] };
const LOOKUP = "call_lookup";
const id = (index) => `call_${index}`;
const script = (call_id, input) => ({ type: "custom_tool_call", call_id, name: "exec", input });

const OUTPUTS = new Set(["function_call_output", "custom_tool_call_output", "tool_search_output"]);
const outputs = (body) => body.input.filter((item) => OUTPUTS.has(item.type));
const has = (body, wanted) => outputs(body).some((item) => item.call_id === wanted);

/** Every tool that the request offers, wherever it does. */
const offered = (body) => [
  ...(body.tools ?? []),
  ...body.input.filter((item) => ["additional_tools", "tool_search_output"].includes(item.type)).flatMap((item) => item.tools ?? []),
];
const definitions = (body, namespace) => offered(body).filter((tool) => tool.type === "namespace" && tool.name === namespace);
const code = (body) =>
  offered(body).some((tool) => [tool, ...(tool.tools ?? [])].some(({ type, name }) => type === "custom" && name === "exec"));
const concerns = (body, namespace) => definitions(body, namespace).length > 0 || texts(body).some(({ text }) => text.includes(namespace));

function stream(item) {
  const response = { id: "resp_fake", object: "response", status: "in_progress", output: [] };
  const usage = { input_tokens: 1000, input_tokens_details: null, output_tokens: 10, output_tokens_details: null, total_tokens: 1010 };
  return [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: { id: "item_fake", ...item } },
    { type: "response.output_item.done", output_index: 0, item: { id: "item_fake", ...item } },
    { type: "response.completed", response: { ...response, status: "completed", usage } },
  ];
}

/** What the requests say about the server: results by call, tools, and every text outside of them. */
function received(requests, namespace) {
  const main = requests.map(({ body }) => body).filter((body) => Array.isArray(body?.input) && concerns(body, namespace));
  const [first, last] = [main[0], main.at(-1)];
  const found = new Map();
  for (const item of last === undefined ? [] : outputs(last)) {
    const index = /^call_(\d+)$/.exec(item.call_id)?.[1];
    if (index !== undefined) found.set(Number(index), { content: item.output ?? null, script: item.type === "custom_tool_call_output" });
  }
  const eager = first === undefined ? [] : definitions(first, namespace).flatMap(({ tools }) => tools.map(({ name }) => name));
  const lookup = last === undefined ? undefined : outputs(last).find((item) => item.call_id === LOOKUP);
  return {
    results: found,
    eager,
    loading: lookup === undefined ? null : (lookup.tools ?? lookup.output ?? null),
    tools: last === undefined ? [] : definitions(last, namespace),
    texts: first === undefined ? [] : texts(first),
    requests: main.length,
  };
}

function texts(body) {
  const found = [];
  if (typeof body.instructions === "string") found.push({ place: "instructions", text: body.instructions });
  body.input.forEach((item, index) => {
    if (item.type !== "message") return;
    const content = typeof item.content === "string" ? [{ text: item.content }] : (item.content ?? []);
    content.forEach(({ text }, part) => {
      if (typeof text === "string") found.push({ place: `input[${index}].content[${part}] (${item.role})`, text });
    });
  });
  return found;
}
