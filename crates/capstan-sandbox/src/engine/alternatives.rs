//! What to use instead of globals and methods that agents expect and that do not exist here.

use capstan_core::similar;

/// Returns what to use instead of this global.
pub(super) fn for_global(name: &str) -> Option<&'static str> {
    let known = GLOBALS.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, instead)| *instead)
}

/// Returns the method of the language that was probably meant.
pub(super) fn similar_method(name: &str) -> Option<&'static str> {
    similar::closest(name, METHODS.iter().copied())
}

/// Returns whether only lists have this method.
pub(super) fn is_list_method(name: &str) -> bool {
    LIST_METHODS.contains(&name)
}

const GLOBALS: &[(&[&str], &str)] = &[
    (
        &[
            "fetch",
            "XMLHttpRequest",
            "WebSocket",
            "EventSource",
            "Request",
            "Response",
            "Headers",
            "FormData",
            "axios",
            "http",
            "https",
            "net",
            "dns",
            "got",
            "request",
        ],
        "there is no network; call `capstan.<domain>.<action>(input)` for GitHub and \
         `mcp.<server>.<tool>(input)` for everything else",
    ),
    (
        &["github", "octokit", "Octokit", "gh"],
        "GitHub is called as `capstan.<domain>.<action>(input)`",
    ),
    (
        &["tools", "tool", "server", "servers"],
        "tools are called as `mcp.<server>.<tool>(input)`",
    ),
    (
        &["require", "module", "exports", "importScripts", "define"],
        "there are no modules; call `capstan`, `mcp` and `caps` instead",
    ),
    (
        &[
            "_", "lodash", "moment", "dayjs", "dateFns", "uuid", "z", "zod", "chalk", "R",
        ],
        "there are no libraries; use the language's own `Array`, `Object.groupBy`, `Date`, `Intl` and \
         `crypto.randomUUID`",
    ),
    (
        &[
            "input", "inputs", "params", "argv", "ctx", "context", "$input",
        ],
        "the arguments of the run are in `args`",
    ),
    (
        &[
            "process",
            "os",
            "child_process",
            "exec",
            "execSync",
            "spawn",
        ],
        "there is no process and no environment; pass values in as `args`",
    ),
    (
        &[
            "fs",
            "path",
            "Deno",
            "Bun",
            "__dirname",
            "__filename",
            "readFile",
            "readFileSync",
            "File",
            "FileReader",
        ],
        "there are no files; read a repository's files through `capstan`, and return what you want \
         to keep",
    ),
    (
        &[
            "Buffer",
            "Blob",
            "ReadableStream",
            "WritableStream",
            "TransformStream",
        ],
        "use `Uint8Array`, `TextEncoder`, `TextDecoder`, `atob` and `btoa`",
    ),
    (
        &["window", "self", "global", "top", "parent", "frames"],
        "the global object is `globalThis`",
    ),
    (
        &[
            "document",
            "navigator",
            "location",
            "history",
            "DOMParser",
            "Image",
            "HTMLElement",
        ],
        "there is no browser",
    ),
    (
        &[
            "localStorage",
            "sessionStorage",
            "indexedDB",
            "caches",
            "cookieStore",
        ],
        "nothing is kept between runs; return what is needed and pass it in as `args` the next time",
    ),
    (
        &[
            "setImmediate",
            "clearImmediate",
            "requestAnimationFrame",
            "requestIdleCallback",
            "nextTick",
        ],
        "use `setTimeout(f, 0)` or `queueMicrotask(f)`",
    ),
    (
        &["alert", "prompt", "confirm", "print"],
        "there is no user to ask; return a value, or use `console.log`",
    ),
    (
        &[
            "Worker",
            "MessageChannel",
            "MessagePort",
            "BroadcastChannel",
            "SharedArrayBuffer",
            "Atomics",
        ],
        "there is one thread; start several calls and `await Promise.all(calls)`",
    ),
    (&["WebAssembly"], "only TypeScript and JavaScript are run"),
    (&["Temporal"], "use `Date` and `Intl.DateTimeFormat`"),
    (
        &["sleep", "delay", "wait"],
        "use `await new Promise(r => setTimeout(r, ms))`",
    ),
];

const LIST_METHODS: &[&str] = &[
    "map",
    "filter",
    "forEach",
    "reduce",
    "find",
    "findIndex",
    "some",
    "every",
    "flatMap",
    "sort",
    "toSorted",
    "join",
    "push",
    "slice",
];

const METHODS: &[&str] = &[
    // Lists.
    "at",
    "concat",
    "copyWithin",
    "entries",
    "every",
    "fill",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "map",
    "pop",
    "push",
    "reduce",
    "reduceRight",
    "reverse",
    "shift",
    "slice",
    "some",
    "sort",
    "splice",
    "toReversed",
    "toSorted",
    "toSpliced",
    "unshift",
    "values",
    "with",
    "isArray",
    "from",
    // Texts.
    "charAt",
    "charCodeAt",
    "codePointAt",
    "endsWith",
    "localeCompare",
    "match",
    "matchAll",
    "normalize",
    "padEnd",
    "padStart",
    "repeat",
    "replace",
    "replaceAll",
    "search",
    "split",
    "startsWith",
    "substring",
    "toLowerCase",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimStart",
    "toString",
    "toLocaleString",
    "test",
    // Maps, sets and promises.
    "add",
    "clear",
    "delete",
    "get",
    "has",
    "set",
    "then",
    "catch",
    "finally",
    "all",
    "allSettled",
    "any",
    "race",
    "resolve",
    "reject",
    "groupBy",
    "fromEntries",
    "assign",
    "freeze",
    // Numbers, dates and JSON.
    "toFixed",
    "toPrecision",
    "toISOString",
    "getTime",
    "getFullYear",
    "getMonth",
    "getDate",
    "parse",
    "stringify",
    "floor",
    "round",
    "random",
    "now",
];
