//! Lists that come in pages: all rows up to a limit, and no silence about the rest.

use std::sync::Mutex;
use std::time::Duration;

use capstan_core::code::{ScriptCall, ScriptEnd, ScriptReply, ScriptValue};
use capstan_core::port::{ScriptCalls, UnderWay};
use serde_json::{Value, json};

use crate::support::{ample, processes, run_with};

/// A list of so many rows, `{"n": 0}` and so on, whose cursors are numbers.
struct Rows {
    total: u64,
    asked: Mutex<Vec<(String, Value)>>,
    timeouts: Mutex<Vec<Option<Duration>>>,
    /// From this row on pages are incomplete.
    incomplete_from: u64,
}

impl Rows {
    fn new(total: u64) -> Self {
        Self {
            total,
            asked: Mutex::default(),
            timeouts: Mutex::default(),
            incomplete_from: u64::MAX,
        }
    }

    fn page(&self, call: &ScriptCall) -> ScriptReply {
        let asked = (call.target.capability(), call.input.clone());
        self.asked.lock().unwrap().push(asked);
        self.timeouts.lock().unwrap().push(call.timeout);
        let first = call.input["first"].as_u64().unwrap_or(30);
        let after = call.input["after"].as_str();
        let start = after.map_or(0, |after| after.parse().unwrap());
        let end = self.total.min(start + first);
        let rows: Vec<_> = (start..end).map(|n| json!({"n": n})).collect();
        let mut pagination = json!({"has_next_page": end < self.total, "total": self.total});
        if end < self.total {
            pagination["end_cursor"] = json!(end.to_string());
        }
        if start >= self.incomplete_from {
            pagination["incomplete"] = json!(true);
        }
        ScriptReply {
            id: call.id,
            result: Ok(ScriptValue {
                data: json!({"rows": rows}),
                meta: Some(json!({"pagination": pagination, "list": "rows"})),
            }),
        }
    }
}

impl ScriptCalls for Rows {
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
        let replies = calls.iter().map(|call| self.page(call)).collect();
        vec![Box::pin(std::future::ready(replies))]
    }
}

async fn run(rows: &Rows, code: &str) -> ScriptEnd {
    run_with(&*processes(), code, json!({}), ample(), rows).await
}

#[track_caller]
fn value(end: &ScriptEnd) -> &Value {
    assert!(end.result.is_ok(), "{:?}", end.result);
    end.result.as_ref().unwrap()
}

#[tokio::test]
async fn all_rows_can_be_awaited_and_gone_through() {
    for code in [
        "const all = await capstan.a.list.all({ x: 1 }); return all.map((row) => row.n);",
        "const seen = []; for await (const row of capstan.a.list.all({ x: 1 })) seen.push(row.n); return seen;",
        "const [all] = await Promise.all([capstan['a.list'].all({ x: 1 })]); return all.map((row) => row.n);",
    ] {
        let rows = Rows::new(250);
        let end = run(&rows, code).await;
        let expected: Vec<_> = (0..250).collect();
        assert_eq!(value(&end), &json!(expected), "{code}");
        assert_eq!(end.warnings, Vec::<String>::new());
        let asked = rows.asked.into_inner().unwrap();
        let first = ("a.list.all".to_owned(), json!({"x": 1, "first": 100}));
        assert_eq!((asked.len(), &asked[0]), (3, &first));
        assert_eq!(asked[2].1["after"], "200");
    }
}

#[tokio::test]
async fn a_limit_ends_it_and_is_told() {
    let rows = Rows::new(1200);
    let code = "const all = await capstan.a.list.all({ first: 40 }, { limit: 100 });
        return { n: all.length, meta: all.$meta, keys: Object.keys(all).length };";
    let end = run(&rows, code).await;
    let meta = json!({"truncated": true, "total": 1200, "end_cursor": "120"});
    assert_eq!(value(&end), &json!({"n": 100, "meta": meta, "keys": 100}));
    let told = "capstan.a.list.all stopped at its limit of 100 rows, of 1200: there are more; give a higher `limit`, at most 10000";
    assert_eq!(end.warnings, [told]);
    // Without a limit it is bounded as well.
    let code = "let n = 0; for await (const row of capstan.a.list.all()) n++; return n;";
    let end = run(&rows, code).await;
    assert_eq!((value(&end), end.warnings.len()), (&json!(1000), 1));
    // Exactly as many as there are is all of them.
    let end = run(
        &Rows::new(100),
        "return (await capstan.a.list.all({}, { limit: 100 })).length",
    )
    .await;
    assert_eq!((value(&end), end.warnings.len()), (&json!(100), 0));
    // Whoever stops by itself needs no advice.
    let code = "for await (const row of capstan.a.list.all()) if (row.n === 5) return row.n;";
    let rows = Rows::new(1200);
    let end = run(&rows, code).await;
    assert_eq!((value(&end), end.warnings.len()), (&json!(5), 0));
    assert_eq!(rows.asked.into_inner().unwrap().len(), 1);
}

/// A cursor knows how many rows a page has: what the code does not say is not made up.
#[tokio::test]
async fn a_cursor_is_continued_with_pages_of_its_own_size() {
    let rows = Rows::new(100);
    let code =
        "const all = await capstan.a.list.all({ after: '20' }); return all.map((row) => row.n);";
    let end = run(&rows, code).await;
    let expected: Vec<_> = (20..100).collect();
    assert_eq!(value(&end), &json!(expected));
    let asked = rows.asked.into_inner().unwrap();
    let asked: Vec<_> = asked.into_iter().map(|(_, input)| input).collect();
    let after = |cursor: &str| json!({"after": cursor});
    assert_eq!(asked, [after("20"), after("50"), after("80")]);
    // What the code says goes with it, and null is no cursor.
    let rows = Rows::new(100);
    let code = "await capstan.a.list.all({ after: '20', first: 90 }); await capstan.a.list.all({ after: null }); return 1;";
    value(&run(&rows, code).await);
    let asked = rows.asked.into_inner().unwrap();
    assert_eq!(asked[0].1, json!({"after": "20", "first": 90}));
    assert_eq!(asked[1].1, json!({"first": 100}));
}

#[tokio::test]
async fn rows_of_an_incomplete_search_say_so() {
    let code = "return (await capstan.a.list.all({ first: 10 })).$meta;";
    for (from, incomplete) in [(0, true), (10, true), (90, false)] {
        let rows = Rows {
            incomplete_from: from,
            ..Rows::new(30)
        };
        let end = run(&rows, code).await;
        let mut expected = json!({"truncated": false, "total": 30});
        if incomplete {
            expected["incomplete"] = json!(true);
        }
        assert_eq!(value(&end), &expected, "{from}");
    }
}

#[tokio::test]
async fn options_go_with_the_call_of_each_page() {
    let rows = Rows::new(250);
    let code = "return (await capstan.a.list.all({}, { limit: 200, timeout_ms: 250 })).length;";
    assert_eq!(value(&run(&rows, code).await), 200);
    let timeout = Some(Duration::from_millis(250));
    assert_eq!(*rows.timeouts.lock().unwrap(), [timeout, timeout]);
    // What is aborted asks for no further page.
    let rows = Rows::new(250);
    let code = "const controller = new AbortController(), seen = [];
        try {
          for await (const row of capstan.a.list.all({}, { signal: controller.signal })) {
            seen.push(row.n);
            if (row.n === 150) controller.abort();
          }
        } catch (error) {
          return [error.name, seen.length];
        }";
    assert_eq!(value(&run(&rows, code).await), &json!(["AbortError", 200]));
    assert_eq!(rows.asked.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn rows_have_the_methods_of_a_promise() {
    let code = "const log = [];
        const rows = await capstan.a.list.all().finally(() => log.push('done'));
        const caught = await capstan.a.list.all().catch(() => 'not called');
        const failed = await capstan.a.list.all({}, { signal: AbortSignal.abort() })
          .finally(() => log.push('done')).catch((error) => error.name);
        return [rows.length, caught.length, failed, log];";
    let end = run(&Rows::new(3), code).await;
    assert_eq!(value(&end), &json!([3, 3, "AbortError", ["done", "done"]]));
}

#[tokio::test]
async fn bad_limits_and_inputs_are_refused_before_anything_is_asked() {
    for (call, said) in [
        (
            "capstan.a.list.all({}, { limit: 0 })",
            "`limit` of `capstan.a.list.all` is 0",
        ),
        (
            "capstan.a.list.all({}, { limit: 10001 })",
            "from 1 to 10000",
        ),
        ("capstan.a.list.all({}, { limit: 1.5 })", "is 1.5"),
        (
            "capstan.a.list.all({}, { limit: '5' })",
            "is the string 5: expected a whole number",
        ),
        ("capstan.a.list.all({}, null)", "is null"),
        (
            "capstan.a.list.all({}, { timeout_ms: 0 })",
            "`timeout_ms` of `capstan.a.list.all`",
        ),
        (
            "capstan.a.list.all({}, { signal: 1 })",
            "`signal` of `capstan.a.list.all`",
        ),
        (
            "capstan.a.list.all({}, { rows: 1 })",
            "`limit`, `timeout_ms` and `signal` beside it, not `rows`",
        ),
        ("capstan.a.list.all([])", "takes an object"),
        ("capstan.a.list.all(7)", "takes an object"),
    ] {
        let rows = Rows::new(3);
        let end = run(&rows, &format!("return await {call}")).await;
        let error = end.result.unwrap_err();
        assert!(error.message.contains(said), "{call}: {}", error.message);
        assert_eq!(rows.asked.into_inner().unwrap(), [], "{call}");
    }
}

#[tokio::test]
async fn one_page_of_several_is_told_unless_the_code_looks_at_the_cursor() {
    let silent = "const { rows } = await capstan.a.list({}); return rows.length;";
    let end = run(&Rows::new(45), silent).await;
    assert_eq!(value(&end), 30);
    let told = "capstan.a.list gave one page of several (30 of 45 rows) and the code did not look at its cursor: \
        read all by `capstan.a.list.all(input, {limit})`, or go on with `after: result.$meta.pagination.end_cursor`";
    assert_eq!(end.warnings, [told]);
    let looks = [
        "const page = await capstan.a.list({}); return page.$meta.pagination.end_cursor ?? 'none';",
        "const { rows, $meta } = await capstan.a.list({}); return $meta.pagination.end_cursor ?? 'none';",
        "let after, n = 0; do { const page = await capstan.a.list({ after }); n += page.rows.length; \
         after = page.$meta.pagination.end_cursor; } while (after); return String(n);",
    ];
    for (code, seen) in looks.into_iter().zip(["30", "30", "45"]) {
        let end = run(&Rows::new(45), code).await;
        assert_eq!(
            (value(&end), end.warnings.len()),
            (&json!(seen), 0),
            "{code}"
        );
    }
    assert_eq!(
        run(&Rows::new(30), silent).await.warnings,
        Vec::<String>::new()
    );
    // Many of them are told in a few words.
    let many = "for (let i = 0; i < 40; i++) await capstan['a' + i].list({}); return 1;";
    let end = run(&Rows::new(45), many).await;
    assert_eq!(end.warnings.len(), 6);
    assert_eq!(end.warnings[5], "and 35 more like these");
}

/// What code does to the built-in objects, it does to itself.
#[tokio::test]
async fn pages_do_not_go_through_what_code_can_change() {
    let code = "
        const seen = [];
        const spy = (name) => function () { seen.push(name); throw new Error(name); };
        Array.prototype.push = spy('push');
        Array.prototype[Symbol.iterator] = spy('iterator');
        WeakMap.prototype.get = spy('get');
        Promise.prototype.then = spy('then');
        Array.isArray = spy('isArray');
        Object.defineProperty(Object.prototype, 'after', { get: () => '200', configurable: true });
        const all = await capstan.a.list.all({});
        return { n: all.length, first: all[0].n, seen: seen.length };";
    let end = run(&Rows::new(250), code).await;
    let seen = value(&end);
    assert_eq!(seen["seen"], 0, "{seen}");
}
