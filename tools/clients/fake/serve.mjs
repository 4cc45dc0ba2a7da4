// What both endpoints share: a server on loopback that records every request.
import { createServer } from "node:http";

const LIMIT = 32 * 1024 * 1024;

/**
 * Listens on a free port of 127.0.0.1. `route(request)` gives the answer to a request, whose body is
 * parsed: `{ events }` for a stream, `{ json, status }` for anything else.
 *
 * @returns {Promise<{ port: number, requests: object[], close: () => Promise<void> }>}
 */
export async function serve(route) {
  const requests = [];
  const server = createServer((incoming, outgoing) => {
    const chunks = [];
    let size = 0;
    incoming.on("data", (chunk) => {
      size += chunk.length;
      if (size > LIMIT) incoming.destroy();
      else chunks.push(chunk);
    });
    incoming.on("error", () => {});
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const request = {
        method: incoming.method,
        path: new URL(incoming.url, "http://127.0.0.1").pathname,
        encoding: incoming.headers["content-encoding"] ?? null,
        body: parse(text),
      };
      requests.push(request);
      let answer;
      try {
        answer = route(request);
      } catch (error) {
        request.failure = String(error.stack ?? error);
        answer = { status: 400, json: { type: "error", error: { type: "invalid_request_error", message: String(error) } } };
      }
      send(outgoing, answer);
    });
  });
  server.keepAliveTimeout = 1000;
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: server.address().port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parse(text) {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function send(outgoing, { status = 200, json, events }) {
  if (events === undefined) {
    const text = JSON.stringify(json ?? {});
    outgoing.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    outgoing.end(text);
    return;
  }
  outgoing.writeHead(status, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  outgoing.end();
}
