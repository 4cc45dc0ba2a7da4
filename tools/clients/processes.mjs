// Child processes that never outlive us: each has a group and a time limit, and is ended by its id.
import { spawn } from "node:child_process";

const alive = new Set();

function end(child) {
  alive.delete(child);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}

export function endAll() {
  for (const child of alive) end(child);
}

process.once("exit", endAll);
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]]) {
  process.once(signal, () => process.exit(code));
}

/** Starts a program in a group of its own; `stop` ends the whole group. */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  if (child.pid !== undefined) alive.add(child);
  return { child, stop: () => child.pid !== undefined && end(child) };
}

/** Runs a program to its end, or to the limit. Keeps the end of what it prints. */
export function run(command, args, { limit, ...options }) {
  return new Promise((resolve) => {
    const { child, stop } = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    let late = false;
    const keep = (chunk) => (printed = (printed + chunk).slice(-8000));
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, limit);
    const done = (code, failure) => {
      clearTimeout(timer);
      stop();
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, late, printed: failure ? `${printed}${failure}` : printed });
    };
    child.once("error", (error) => done(null, String(error)));
    child.once("exit", (code) => done(code));
  });
}
