//! Reaching for what code does not have: the global object, constructors, modules, the host.

use serde_json::json;

use super::attempt::*;

#[tokio::test]
async fn there_is_nothing_to_take() {
    make(vec![
        attempt(
            "globals of other engines",
            "[typeof process, typeof require, typeof Deno, typeof Bun, typeof window, typeof self, typeof fetch, \
              typeof XMLHttpRequest, typeof WebSocket, typeof Worker, typeof WebAssembly, typeof print, typeof load, \
              typeof os, typeof std, typeof scriptArgs, typeof Java, typeof __dirname, typeof navigator, \
              typeof SharedArrayBuffer, typeof Atomics, typeof gc].filter(t => t !== 'undefined')",
            With(json!([])),
        ),
        attempt(
            "everything that is global",
            "Object.getOwnPropertyNames(globalThis).filter(name => !['Object', 'Function', 'Error', 'EvalError', 'RangeError', \
              'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'InternalError', 'AggregateError', 'SuppressedError', \
              'Array', 'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'queueMicrotask', 'decodeURI', 'decodeURIComponent', \
              'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'Infinity', 'NaN', 'undefined', 'Number', 'Boolean', \
              'String', 'Math', 'Reflect', 'Symbol', 'Iterator', 'DisposableStack', 'AsyncDisposableStack', 'globalThis', 'Date', \
              'eval', 'RegExp', 'JSON', 'Proxy', 'Map', 'Set', 'WeakMap', 'WeakSet', 'ArrayBuffer', 'Uint8ClampedArray', \
              'Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', \
              'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array', 'DataView', 'Promise', 'BigInt', 'WeakRef', \
              'FinalizationRegistry', 'btoa', 'atob', 'performance', 'capstan', 'mcp', 'caps', 'console', 'setTimeout', \
              'clearTimeout', 'args', 'DOMException', 'setInterval', 'clearInterval', 'URL', 'URLSearchParams', 'TextEncoder', \
              'TextDecoder', 'structuredClone', 'crypto', 'AbortController', 'AbortSignal', 'Event', 'EventTarget', \
              'CustomEvent', 'Intl'].includes(name))",
            With(json!([])),
        ),
        attempt("eval", "eval('1')", Thrown("EvalError")),
        attempt("indirect eval", "(0, eval)('this')", Thrown("EvalError")),
        attempt("eval by its descriptor", "Object.getOwnPropertyDescriptor(globalThis, 'eval').value('1')", Thrown("EvalError")),
        attempt("Function", "new Function('return this')()", Thrown("EvalError")),
        attempt("Function called", "Function('return 1')()", Thrown("EvalError")),
        attempt("constructor walk", "({}).constructor.constructor('return this')()", Thrown("EvalError")),
        attempt("constructor walk by symbol tricks", "[]['filter']['constructor']('return 1')()", Thrown("EvalError")),
        attempt("AsyncFunction", "(async () => {}).constructor('return 1')()", Thrown("EvalError")),
        attempt("GeneratorFunction", "(function* () {}).constructor('yield 1')()", Thrown("EvalError")),
        attempt("AsyncGeneratorFunction", "(async function* () {}).constructor('yield 1')()", Thrown("EvalError")),
        attempt("Reflect.construct", "Reflect.construct(Object.getPrototypeOf(async () => {}).constructor, ['return 1'])", Thrown("EvalError")),
        attempt("a class that extends Function", "class F extends Function { constructor() { super('return 1') } }; new F()()", Thrown("EvalError")),
        attempt(
            "the real Function behind the false one",
            "const p = Object.getPrototypeOf(async () => {}).constructor; \
             let f = Object.getPrototypeOf(p); let n = 0; \
             while (f) { n++; if (typeof f === 'function' && f.prototype) { try { f('return 1'); return 'out' } catch {} } f = Object.getPrototypeOf(f) } \
             return 'in'",
            With(json!("in")),
        ),
        attempt("putting constructors back", "delete Function.prototype.constructor; Function.prototype.constructor", Thrown("TypeError")),
        attempt("setTimeout with text", "setTimeout('1', 0)", Thrown("TypeError")),
        attempt("import", "import fs from 'fs'; 1", Unread),
        attempt("dynamic import", "await import('fs')", Unread),
        attempt("import.meta", "import.meta.url", Unread),
        attempt("require", "require('fs')", Unread),
        attempt("this", "(function () { return typeof this })() + typeof this", With(json!("undefinedundefined"))),
        attempt("callers", "(function f() { return f.caller })()", Thrown("TypeError")),
        attempt("arguments.callee", "(function () { return arguments.callee })()", Thrown("TypeError")),
        attempt("with", "with (capstan) { issue }", Unread),
        attempt("leaving the function", "}); while (true); (async function () {", Unread),
        attempt("a comment that leaves the function", "/* */ 1 /*\n})\n*/", With(json!(1))),
        attempt(
            "the host's functions by the stack",
            "const old = Error.prepareStackTrace; Error.prepareStackTrace = (e, frames) => frames.map(f => f.getFunction?.()); \
             const s = new Error().stack; typeof s",
            With(json!("string")),
        ),
        attempt(
            "the host's error by a thrown getter",
            "try { await capstan.echo.it({ get x() { throw new Error('mine') } }) } catch (e) { e.message }",
            With(json!("mine")),
        ),
        attempt(
            "the constructor of a host error",
            "try { await capstan.fail.it({}) } catch (e) { e.constructor.constructor('return 1')() }",
            Thrown("EvalError"),
        ),
        attempt(
            "the constructor of host functions",
            "console.log.constructor('return 1')()",
            Thrown("EvalError"),
        ),
        attempt("the constructor of a path", "await capstan.constructor.constructor('return 1')", Thrown("TypeError")),
        attempt(
            "the constructors of what is made on demand",
            "[URL, TextEncoder, AbortController, Intl.NumberFormat, Intl, crypto.subtle.digest, structuredClone, console.table, \
              Object.getOwnPropertyDescriptor(URL.prototype, 'href').get, ''.localeCompare].every(f => { \
              try { f.constructor.constructor('return 1')(); return false } catch (e) { return e instanceof EvalError } })",
            With(json!(true)),
        ),
        attempt(
            "the host's functions by what is made on demand",
            "const seen = []; const names = ['call', 'abort', 'timer', 'library', 'pure', 'room', 'log']; \
             for (const name of names) Object.defineProperty(Object.prototype, name, { get() { seen.push(this); return undefined }, configurable: true }); \
             try { new URL('https://a.example'); new Intl.NumberFormat().format(1) } catch {} \
             for (const name of names) delete Object.prototype[name]; \
             seen.some(it => typeof it.call === 'function' && typeof it.timer === 'function')",
            With(json!(false)),
        ),
        attempt("a fine clock by events", "[new Event('x').timeStamp, performance.timeOrigin % 1].every(t => t === undefined || t === 0)", With(json!(true))),
        attempt("time zones of the machine", "Intl.DateTimeFormat().resolvedOptions().timeZone", With(json!("UTC"))),
        attempt("a shared clock", "performance.now = () => 1", Thrown("TypeError")),
        attempt("a fine clock", "const t = performance.now(); t % 1 === 0 && Date.now() % 1 === 0", With(json!(true))),
    ])
    .await;
}
