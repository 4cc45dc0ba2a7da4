//! More than there is room for: of memory, of results, of calls, of code.

use capstan_core::code::{ScriptErrorKind, Stopped};
use serde_json::json;

use super::attempt::*;
use crate::support::*;

#[tokio::test]
async fn size_is_bounded() {
    make(vec![
        attempt("string of a gigabyte", "'a'.repeat(2 ** 30 - 1).length", At(MEMORY)),
        attempt("string that is longer than can be", "'a'.repeat(2 ** 31)", Thrown("RangeError")),
        attempt("string that doubles", "let s = 'a'; for (;;) s += s", Somehow),
        attempt("string that doubles and is flat", "let s = 'a'; for (;;) { s += s; s.charCodeAt(s.length - 1) }", Somehow),
        attempt("typed array of a gigabyte", "new Uint8Array(2 ** 30).length", At(MEMORY)),
        attempt("buffer that is longer than can be", "new ArrayBuffer(2 ** 53)", Somehow),
        attempt("resizable buffer", "const b = new ArrayBuffer(1, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30)", Somehow),
        attempt("many buffers", "const a = []; for (;;) a.push(new Uint8Array(1e5))", At(MEMORY_OR_TIME)),
        attempt("array that grows", "const a = []; for (;;) a.push(a.length)", At(MEMORY_OR_TIME)),
        attempt("array of a billion", "new Array(1e9).fill(0).length", At(MEMORY_OR_TIME)),
        attempt("Array.from a length", "Array.from({ length: 1e9 })", At(MEMORY_OR_TIME)),
        attempt("objects that hold each other", "let o = {}; for (;;) { o = { o, back: null }; o.o.back = o }", At(MEMORY_OR_TIME)),
        attempt("garbage in cycles is collected", "for (let i = 0; i < 20000; i++) { const a = {}; a.a = a } 1", With(json!(1))),
        attempt("map that grows", "const m = new Map(); for (let i = 0; ; i++) m.set(i, {})", At(MEMORY_OR_TIME)),
        attempt("closures that grow", "let f = () => 0; for (;;) { const g = f; f = () => g() }", At(MEMORY_OR_TIME)),
        attempt("symbols that grow", "const a = []; for (let i = 0; ; i++) a.push(Symbol.for('x' + i))", At(MEMORY_OR_TIME)),
        attempt("properties that grow", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i", At(MEMORY_OR_TIME)),
        attempt("promises that flood", "const a = []; for (;;) a.push(Promise.resolve().then(() => 1))", At(MEMORY_OR_TIME)),
        attempt("rejections that flood", "const a = []; for (;;) a.push(Promise.reject(1))", At(MEMORY_OR_TIME)),
        attempt("memory error that is caught", "let caught = 0; for (let i = 0; i < 3; i++) { try { new Uint8Array(2 ** 28) } catch { caught++ } } caught", With(json!(3))),
        attempt("memory error that is always caught", "for (;;) { try { const a = []; for (;;) a.push(new Array(1000)) } catch {} }", At(TIME)),
        attempt("memory error in a promise", "await new Promise(() => { const a = []; for (;;) a.push(new Uint8Array(1e5)) })", At(MEMORY_OR_TIME)),
        attempt("memory used up before a call", "const a = []; try { for (;;) a.push(new Uint8Array(1e4)) } catch {} try { for (;;) a.push({}) } catch {} await capstan.echo.it({ a: 1 })", Somehow),
        attempt("result that is too large", "'x'.repeat(5000)", At(&[Stopped::Output])),
        attempt("result that is too large in bytes", "'é'.repeat(2100)", At(&[Stopped::Output])),
        attempt("result that is much too large", "Array.from({ length: 1e5 }, (_, i) => i)", At(&[Stopped::Output])),
        attempt("result of a gigabyte", "const x = 'x'.repeat(1e6); Array.from({ length: 1000 }, () => x)", At(&[Stopped::Output])),
        attempt("too many calls", "for (let n = 0; ; n++) await capstan.echo.it({ n })", At(&[Stopped::Calls])),
        attempt("too many calls at once", "await Promise.all(Array.from({ length: 51 }, () => capstan.echo.it({})))", At(&[Stopped::Calls])),
        attempt("too many calls that are caught", "for (;;) { try { await capstan.echo.it({}) } catch {} }", At(&[Stopped::Calls])),
        attempt("as many calls as there may be", "(await Promise.all(Array.from({ length: 50 }, () => capstan.echo.it({})))).length", With(json!(50))),
        attempt("inputs that are too large together", "const x = 'x'.repeat(1e6); const all = await Promise.allSettled(Array.from({ length: 20 }, () => capstan.echo.it({ x }))); 1", Somehow),
        attempt("console that floods", "for (;;) console.log('x'.repeat(1000))", At(TIME)),
        attempt("one line of a gigabyte", "const s = 'x'.repeat(1e6); console.log(...Array.from({ length: 1000 }, () => s)); 1", With(json!(1))),
        attempt("arguments without end", "Math.max(...new Array(1e6))", Somehow),
        attempt("apply without end", "(() => 1).apply(null, { length: 2 ** 31 })", Somehow),
        attempt("error with a large cause", "throw new Error('x', { cause: 'y'.repeat(1e6) })", Thrown("Error")),
        attempt("template of much", "const s = 'x'.repeat(1e6); `${s}${s}${s}${s}${s}${s}${s}${s}${s}${s}`.length", Somehow),
        attempt("padStart", "'x'.padStart(2 ** 29).length", At(MEMORY)),
        attempt("concat", "const a = new Array(1e5).fill(1); let b = []; for (;;) b = b.concat(a)", At(MEMORY_OR_TIME)),
        attempt("weak references", "const a = []; for (;;) a.push(new WeakRef({}))", At(MEMORY_OR_TIME)),
        attempt("finalizers", "const r = new FinalizationRegistry(() => { while (true); }); for (let i = 0; i < 1000; i++) r.register({}, 1); await null; 1", Somehow),
    ])
    .await;
}

#[tokio::test]
async fn code_is_bounded() {
    let sandbox = processes();
    for (name, code) in [
        ("parentheses", "(".repeat(100_000)),
        ("brackets", "[".repeat(200_000)),
        ("blocks", "{".repeat(200_000)),
        (
            "balanced",
            format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        ),
        ("not", format!("{}1", "!".repeat(200_000))),
        ("arrows", format!("{}1", "x=>".repeat(60_000))),
        ("conditions", format!("{}1", "a?b:".repeat(50_000))),
        ("ifs", format!("{};", "if(1)".repeat(50_000))),
        ("templates", "`${".repeat(60_000)),
        ("members", format!("x{}", ".x".repeat(100_000))),
        ("sums", format!("1{}", "+1".repeat(100_000))),
        (
            "types",
            format!("let x: {}number{}", "A<".repeat(50_000), ">".repeat(50_000)),
        ),
        ("long", "1;".repeat(1_000_000)),
    ] {
        let end = run_with(
            &*sandbox,
            &code,
            json!({}),
            limits(&Somehow),
            &Answers::default(),
        )
        .await;
        let broken =
            |error: &capstan_core::code::ScriptError| error.kind == ScriptErrorKind::Broken;
        assert!(
            !end.result.as_ref().is_err_and(broken),
            "{name}: {:?}",
            end.result
        );
        assert_eq!(run(&*sandbox, "1").await, Ok(json!(1)), "after {name}");
    }
}
