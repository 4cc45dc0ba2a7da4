// The few lines of MCP that it takes to ask a server directly.
import { createInterface } from "node:readline";
import { start } from "./processes.mjs";

const LIMIT = 30_000;

/** What the server says and answers, in order: instructions, tools and the result of each call. */
export async function ask(server, calls, home) {
  const { child, stop } = start(server.command, server.args, {
    env: { PATH: process.env.PATH, HOME: home },
    cwd: home,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  let last = 0;
  const fail = (why) => {
    for (const { reject } of waiting.values()) reject(new Error(`the server ${why}`));
  };
  child.once("error", (error) => fail(`does not start: ${error.message}`));
  child.once("exit", (code) => fail(`ended with ${code}`));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    try {
      const message = JSON.parse(line);
      waiting.get(message.id)?.resolve(message);
    } catch {
      fail(`prints what is not JSON: ${line.slice(0, 80)}`);
    }
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = async (method, params) => {
    const id = ++last;
    let timer;
    try {
      const message = await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(new Error(`the server does not answer ${method}`)), LIMIT);
        send({ id, method, params });
      });
      if (message.error) throw new Error(`the server refuses ${method}: ${message.error.message}`);
      return message.result;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  try {
    const { instructions = null } = await request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "capstan-clients", version: "1" },
    });
    send({ method: "notifications/initialized" });
    const { tools } = await request("tools/list", {});
    const results = [];
    for (const call of calls) results.push(await request("tools/call", { name: call.tool, arguments: call.arguments }));
    return { instructions, tools, results };
  } finally {
    stop();
  }
}
