//! The same where workers are threads: less holds them in, but limits are limits.

use capstan_core::code::Stopped;

use super::attempt::*;
use crate::support::*;

#[tokio::test]
async fn threads_keep_to_their_limits() {
    make_in(
        &*threads(),
        vec![
            attempt("loop", "while (true);", At(TIME)),
            attempt("loop of awaits", "while (true) await null", At(TIME)),
            attempt("recursion", "const f = () => f() + 1; f()", At(STACK)),
            attempt(
                "memory",
                "const a = []; for (;;) a.push(new Uint8Array(1e5))",
                At(MEMORY_OR_TIME),
            ),
            attempt(
                "objects",
                "let o = {}; for (;;) o = { o }",
                At(MEMORY_OR_TIME),
            ),
            attempt("result", "'x'.repeat(5000)", At(&[Stopped::Output])),
            attempt(
                "calls",
                "for (;;) await capstan.echo.it({})",
                At(&[Stopped::Calls]),
            ),
            attempt(
                "waiting",
                "await capstan.never.ending({})",
                At(&[Stopped::Wall]),
            ),
            attempt(
                "stuck",
                "await new Promise(() => {})",
                Thrown("NeverSettles"),
            ),
            attempt(
                "rejections",
                "for (let i = 0; i < 100; i++) Promise.reject(i)",
                Thrown("number"),
            ),
            attempt("eval", "eval('1')", Thrown("EvalError")),
            attempt("regex", "/^(a+)+$/.test('a'.repeat(40) + 'b')", At(TIME)),
            // Given up: the thread goes on for a while, the run does not.
            attempt(
                "native",
                "const a = 'a'.repeat(2 ** 18); a.indexOf('a'.repeat(2 ** 17) + 'b')",
                At(&[Stopped::Wall]),
            ),
            attempt(
                "dropped while it waits",
                "capstan.never.ending({}); Promise.reject(1); await capstan.never.ending({})",
                At(&[Stopped::Wall]),
            ),
        ],
    )
    .await;
}
