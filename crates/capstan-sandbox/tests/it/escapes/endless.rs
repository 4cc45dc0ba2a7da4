//! Never ending, in every way that there is; most of them inside of functions that look at no clock.

use capstan_core::code::Stopped;
use serde_json::json;

use super::attempt::*;

#[tokio::test]
async fn loops_end() {
    make(vec![
        attempt("loop", "while (true);", At(TIME)),
        attempt("loop that catches", "while (true) { try { while (true); } catch {} }", At(TIME)),
        attempt("loop in finally", "try { while (true); } finally { while (true); }", At(TIME)),
        attempt("loop of awaits", "while (true) await null", At(TIME)),
        attempt("loop of awaits that catch", "const f = async () => { while (true); }; for (;;) { try { await f() } catch {} }", At(TIME)),
        attempt("microtasks for ever", "const f = () => Promise.resolve().then(f); await f()", At(MEMORY_OR_TIME)),
        attempt("queueMicrotask for ever", "const f = () => queueMicrotask(f); f(); await new Promise(() => {})", At(TIME)),
        attempt("timers for ever", "const f = () => setTimeout(f, 0); f(); await new Promise(() => {})", At(TIME)),
        attempt("a timer that is far away", "await new Promise(r => setTimeout(r, 1e9))", At(&[Stopped::Wall])),
        attempt("timers without end", "for (;;) setTimeout(() => {}, 1e6)", Thrown("RangeError")),
        attempt("a call that never answers", "await capstan.never.ending({})", At(&[Stopped::Wall])),
        attempt("a call that nobody awaits and that never answers", "capstan.never.ending({}); 1", At(&[Stopped::Wall])),
        attempt("a loop while a call is under way", "capstan.never.ending({}); await capstan.echo.it({}); while (true);", At(TIME)),
        attempt("generator", "function* g() { while (true) yield 1 } for (const x of g());", At(TIME)),
        attempt("async generator", "async function* g() { while (true) yield 1 } for await (const x of g());", At(TIME)),
        attempt("iterator of its own", "for (const x of { [Symbol.iterator]() { return { next: () => ({ done: false }) } } });", At(TIME)),
        attempt("getter in a loop", "const o = { get x() { return this.x2 }, get x2() { while (true); } }; o.x", At(TIME)),
        attempt("recursion", "const f = () => f() + 1; f()", At(STACK)),
        attempt("recursion that catches", "const f = () => { try { f() } catch { f() } }; f()", At(TIME)),
        attempt("mutual recursion over natives", "const f = () => [1].map(f); f()", At(STACK)),
        attempt("recursion in toString", "const o = { toString() { return '' + o } }; '' + o", At(STACK)),
        attempt("recursion in a proxy", "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x", At(STACK)),
        attempt("recursion in JSON", "const o = { get o() { return JSON.stringify(o) } }; JSON.stringify(o)", At(STACK)),
        attempt("recursion of awaits", "const f = async () => { await f() }; await f()", At(STACK)),
        attempt("stack error that is caught", "let n = 0; const f = () => { n++; f() }; try { f() } catch (e) { e instanceof RangeError && n > 100 }", With(json!(true))),
    ])
    .await;
}

#[tokio::test]
async fn native_functions_end() {
    make(vec![
        attempt("indexOf", "const a = 'a'.repeat(2 ** 21); a.indexOf('a'.repeat(2 ** 20) + 'b')", At(TIME)),
        attempt("lastIndexOf", "const a = 'a'.repeat(2 ** 21); a.lastIndexOf('a'.repeat(2 ** 20) + 'b')", At(TIME)),
        attempt("includes", "const a = 'a'.repeat(2 ** 21); a.includes('a'.repeat(2 ** 20) + 'b')", At(TIME)),
        attempt("split", "const a = 'a'.repeat(2 ** 21); a.split('a'.repeat(2 ** 20) + 'b')", At(TIME)),
        attempt("replaceAll", "const a = 'a'.repeat(2 ** 21); a.replaceAll('a'.repeat(2 ** 20) + 'b', '')", At(TIME)),
        attempt("indexOf that catches", "for (;;) try { const a = 'a'.repeat(2 ** 21); a.indexOf('a'.repeat(2 ** 20) + 'b') } catch {}", At(TIME)),
        attempt("indexOf in a call's input", "await capstan.echo.it({ get x() { const a = 'a'.repeat(2 ** 21); return a.indexOf('a'.repeat(2 ** 20) + 'b') } })", At(TIME)),
        attempt("sort with a hostile comparator", "Array.from({ length: 1e5 }, (_, i) => i).sort(() => Math.random() - 0.5).sort(() => { while (true); })", At(TIME)),
        attempt("sort with an inconsistent comparator", "const a = Array.from({ length: 3e5 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5)", At(MEMORY_OR_TIME)),
        attempt("sort that changes the array", "const a = [3, 2, 1]; a.sort(() => { a.length = 0; return 1 }); a.length >= 0", With(json!(true))),
        attempt("fill", "const a = []; a.length = 2 ** 32 - 1; a.fill(0)", At(MEMORY_OR_TIME)),
        attempt("fill of something like an array", "Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 0)", At(MEMORY_OR_TIME)),
        attempt("indexOf of a sparse array", "const a = []; a.length = 2 ** 32 - 1; a.indexOf(1)", At(TIME)),
        attempt("join of a sparse array", "const a = []; a.length = 2 ** 32 - 1; a.join('')", At(TIME)),
        attempt("reverse of something like an array", "Array.prototype.reverse.call({ length: 2 ** 53 - 1 })", At(MEMORY_OR_TIME)),
        attempt("includes of something like an array", "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)", At(TIME)),
        attempt("regex catastrophe", "/^(a+)+$/.test('a'.repeat(40) + 'b')", At(TIME)),
        attempt("regex with alternatives", "/^(a|a)*$/.test('a'.repeat(40) + 'b')", At(TIME)),
        attempt("regex with backreferences", "/(a*)*\\1b/.test('a'.repeat(60))", At(TIME)),
        attempt("regex with lookbehind", "/(?<=(a+)+)b/.test('a'.repeat(50) + 'c')", Somehow),
        attempt("regex that is nested", "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))", Somehow),
        attempt("regex that repeats much", "new RegExp('(?:a{1000}){1000}{1000}'.replaceAll('}{', '}){').padStart(0)).test('a')", Somehow),
        attempt("regex with a large class", "new RegExp('[' + Array.from({ length: 50000 }, (_, i) => String.fromCharCode(i + 100)).join('') + ']', 'iu').test('x')", Somehow),
        attempt("replace with a hostile function", "'a'.repeat(1e5).replace(/a/g, () => { while (true); })", At(MEMORY_OR_TIME)),
        attempt("bigint power", "10n ** 10000000n", Somehow),
        attempt("bigint products", "let x = 3n ** 100000n; for (;;) x = x * x % (7n ** 100000n)", At(TIME)),
        attempt("bigint as text", "(7n ** 500000n).toString()", Somehow),
        attempt("numbers with many digits", "for (;;) (1e-300).toString(2) + (1e300).toFixed(100)", At(TIME)),
        attempt("deep JSON to parse", "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))", At(STACK)),
        attempt("deep value to stringify", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)", At(STACK)),
        attempt("wide JSON", "for (;;) JSON.parse('[' + '0,'.repeat(1e5) + '0]')", At(TIME)),
        attempt("normalize", "for (;;) 'ẛ̣'.repeat(1e5).normalize('NFKD')", At(TIME)),
        attempt("case", "for (;;) 'ß'.repeat(1e6).toUpperCase()", At(MEMORY_OR_TIME)),
        attempt("typed array sort", "for (;;) new Float64Array(1e6).map(Math.random).sort()", At(MEMORY_OR_TIME)),
        attempt("set with many collisions", "const s = new Set(); for (let i = 0; ; i++) s.add(i * 2 ** 32)", At(MEMORY_OR_TIME)),
        attempt("decodeURIComponent", "for (;;) decodeURIComponent(encodeURIComponent('é'.repeat(1e5)))", At(TIME)),
        attempt("Date parsing", "for (;;) new Date('x'.repeat(1e5))", At(TIME)),
        attempt("structured recursion by flat", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity)", At(STACK)),
    ])
    .await;
}
