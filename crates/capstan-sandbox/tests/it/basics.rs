//! What sane code sees.

use serde_json::json;

use crate::support::*;

#[tokio::test(flavor = "multi_thread")]
async fn code_gives_its_value() {
    for sandbox in [processes(), threads()] {
        let start = std::time::Instant::now();
        println!("{:?}", run(&*sandbox, "return 1 + 1").await);
        println!("{:?}", start.elapsed());
        let start = std::time::Instant::now();
        println!(
            "{:?}",
            run(&*sandbox, "return await capstan.echo.it({a: 1})").await
        );
        println!("{:?}", start.elapsed());
        let start = std::time::Instant::now();
        println!("{:?}", run(&*sandbox, "console.log('x', {a:1}, 1n);\n  function f() { throw new TypeError('oops') }; \n f()").await);
        println!("{:?}", start.elapsed());
        for code in [
            "while(true);",
            "await null; while (true);",
            "while (true) await null",
            "async function f() { for(;;) {} }; for(;;) try { await f() } catch {}",
            "function f() { f() }\nf()",
            "let a = []; for (;;) a.push(new Array(1000).fill(1))",
            "'x'.repeat(1e6).indexOf('y'.repeat(5e5)); const s = 'a'.repeat(2**21) ; s.indexOf('a'.repeat(2**20)+'b')",
            "await new Promise(()=>{})",
        ] {
            let start = std::time::Instant::now();
            println!(
                "{code} {:?}",
                run_with(&*sandbox, code, json!({}), small(), &Answers::default()).await
            );
            println!("{:?}", start.elapsed());
        }

        println!("{:#?}", sandbox.state());
        assert_eq!(run(&*sandbox, "return 1 + 1").await, Ok(json!(2)));
    }
}
