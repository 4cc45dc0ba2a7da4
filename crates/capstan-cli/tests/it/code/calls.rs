//! What code calls: in how many requests it leaves, what it may do, and what it is told.

use github_sim::{Fault, FaultKind, Sim};
use serde_json::{Value, json};

use super::surface::{Surface, World};
use crate::cli::harness::{Github, Place};

/// A world with a GitHub whose requests can be counted.
fn counted() -> (Github, World) {
    let github = Github::serving(Sim::demo());
    let world = World::at(Place::new().online(&github), &[]);
    (github, world)
}

fn exec(world: &World, code: &str) -> Value {
    world.cli().exec("a test", code, &json!({}))
}

#[test]
fn cards_that_are_awaited_together_leave_as_one_request() {
    let (github, world) = counted();
    let ran = exec(
        &world,
        "const at = (n: number) => capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: n });
         const all = await Promise.all([1, 2, 3, 4, 5, 6].map(at));
         return all.map((issue) => issue.number);",
    );
    assert_eq!(ran["data"], json!([1, 2, 3, 4, 5, 6]), "{ran}");
    assert_eq!(github.sim.requests().len(), 1);
    assert_eq!(
        ran["meta"]["calls"],
        json!([{"capability": "issue.view", "count": 6}])
    );
}

#[test]
fn cards_that_are_awaited_one_by_one_are_requests_of_their_own() {
    let (github, world) = counted();
    let ran = exec(
        &world,
        "let last = 0;
         for (const n of [1, 2, 3]) {
           last = (await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: n })).number;
         }
         last",
    );
    assert_eq!(ran["data"], 3, "{ran}");
    assert_eq!(github.sim.requests().len(), 3);
}

#[test]
fn one_bad_call_fails_alone() {
    let (github, world) = counted();
    let ran = exec(
        &world,
        "const at = (n: any) => capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: n });
         const all = await Promise.allSettled([at(1), at('x'), at(999999), capstan.issue.veiw({}), at(2)]);
         return all.map((it) => it.status === 'fulfilled' ? it.value.number : it.reason.code);",
    );
    assert_eq!(
        ran["data"],
        json!([1, "VALIDATION", "NOT_FOUND", "NOT_FOUND", 2]),
        "{ran}"
    );
    assert_eq!(github.sim.requests().len(), 1);
}

#[test]
fn an_error_that_nobody_catches_is_the_error_of_the_run() {
    let (_github, world) = counted();
    let ran = exec(
        &world,
        "// nobody has so many\nawait capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 999999 });",
    );
    assert_eq!(ran["error"]["code"], "NOT_FOUND", "{ran}");
    assert_eq!(ran["error"]["details"]["line"], 2, "{ran}");
    assert!(ran["meta"]["trace_id"].is_string());
}

#[test]
fn writes_that_happened_are_told_with_a_failure() {
    let (github, world) = counted();
    let ran = exec(
        &world,
        "await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: 1 });
         throw new Error('too late');",
    );
    assert_eq!(ran["ok"], false);
    assert_eq!(
        ran["error"]["details"]["writes"],
        json!({"done": 1, "unknown": []}),
        "{ran}"
    );
    assert_eq!(ran["error"]["retryable"], false);
    assert!(!github.sim.requests().is_empty());
}

#[test]
fn code_calls_code_and_what_capstan_does_itself() {
    let world = World::demo();
    let mut cli = world.cli();
    let double = cli.exec("double", "return args.n * 2", &json!({"n": 1}));
    let name = double["meta"]["capability_name"]
        .as_str()
        .unwrap()
        .to_owned();
    cli.run(
        "cap.name",
        &json!({"capability": name, "name": "double-it"}),
    );
    let ran = cli.exec(
        "use code",
        "const [a, b] = await Promise.all([caps['double-it']({ n: 2 }), caps['double-it']({ n: 5 })]);
         const { capabilities } = await capstan.cap.list({ glob: 'double*' });
         return { sum: a + b, known: capabilities.length };",
        &json!({}),
    );
    assert_eq!(ran["data"], json!({"sum": 14, "known": 1}), "{ran}");
    let shown = cli.run("cap.show", &json!({"capability": "double-it"}));
    assert_eq!(shown["data"]["statistics"]["usage_count"], 3);
}

#[test]
fn code_that_calls_itself_without_end_is_stopped() {
    let world = World::demo();
    let mut cli = world.cli();
    let ran = cli.exec(
        "recurse",
        "if (args.deep) return caps.again({ deep: true }); return 0",
        &json!({}),
    );
    let name = ran["meta"]["capability_name"].as_str().unwrap().to_owned();
    cli.run("cap.name", &json!({"capability": name, "name": "again"}));
    let ran = cli.call("again", &json!({"deep": true}));
    assert_eq!(ran["error"]["code"], "VALIDATION", "{ran}");
    let said = ran["error"]["message"].as_str().unwrap();
    assert!(said.contains("levels deep"), "{said}");
}

#[test]
fn the_policy_holds_for_what_code_calls() {
    let world = World::demo().also(&["--read-only"]);
    let ran = exec(
        &world,
        "await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 });
         await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: 1 });",
    );
    assert_eq!(ran["error"]["code"], "POLICY", "{ran}");
    let closed = world.cli().run(
        "issue.close",
        &json!({"owner": "acme", "repo": "rocket", "issue_number": 1}),
    );
    assert_eq!(closed["error"]["code"], "POLICY", "{closed}");
    let file = world
        .place
        .write("deny.toml", "[policy]\ndeny = [\"issue.v*\"]\n");
    let denied = World::demo();
    let denied = denied.also(&["--config", file.to_str().unwrap()]);
    let ran = exec(
        &denied,
        "await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 });",
    );
    assert_eq!(ran["error"]["code"], "POLICY", "{ran}");
}

#[test]
fn a_run_that_takes_too_long_is_ended_and_says_so() {
    let world = World::demo();
    for code in [
        "while (true) {}",
        "await new Promise(() => {}); 1",
        "'a'.repeat(1 << 21).indexOf('b'.repeat(1 << 20) + 'c'); while (true) {}",
    ] {
        let ran = world.capstan(&[
            "exec",
            "-e",
            code,
            "--intent",
            "for ever",
            "--timeout-ms",
            "700",
        ]);
        assert_eq!(ran["ok"], false, "{code}: {ran}");
        assert!(
            ["TIMEOUT", "UNKNOWN"].contains(&ran["error"]["code"].as_str().unwrap()),
            "{code}: {ran}"
        );
    }
    assert_eq!(exec(&world, "1 + 1")["data"], 2);
}

#[test]
fn a_secret_in_code_is_not_remembered() {
    let (_github, world) = counted();
    let ran = exec(&world, &format!("return '{}'", crate::support::TOKEN));
    assert_eq!(ran["error"]["code"], "VALIDATION");
    assert!(!ran.to_string().contains(crate::support::TOKEN));
}

#[test]
fn code_is_one_step_of_a_chain_among_others() {
    let (github, world) = counted();
    let ran = exec(&world, "return args.title.length");
    assert_eq!(ran["ok"], false, "{ran}");
    let ran = world.cli().exec(
        "length",
        "return { size: args.title.length }",
        &json!({"title": "x"}),
    );
    let name = ran["meta"]["capability_name"].as_str().unwrap();
    github.sim.clear_requests();
    let chain = json!([
        {"task": "issue.view", "as": "one", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}},
        {"task": "issue.view", "as": "two", "input": {"owner": "acme", "repo": "rocket", "issue_number": 2}},
        {"task": name, "as": "size", "input": {"title": "$one.data.title"}},
        {"task": "issue.comments.create", "input": {"owner": "acme", "repo": "rocket", "issue_number": 2, "body": "$one.data.title"}},
    ]);
    let file = world.place.write("chain.json", chain.to_string());
    let ran = world.capstan(&["chain", file.to_str().unwrap()]);
    assert_eq!(ran["status"], "success", "{ran}");
    let title = ran["results"][0]["data"]["title"].as_str().unwrap();
    assert_eq!(ran["results"][2]["data"]["size"], title.chars().count());
    assert!(ran["results"][2]["meta"]["capability_fqdn"].is_string());
}

#[test]
fn what_only_reads_is_told_as_no_write() {
    let world = World::demo();
    let ran = exec(
        &world,
        "await capstan.cap.list({}); await capstan.repo.view({ owner: 'acme', repo: 'rocket' }); throw new Error('x')",
    );
    assert_eq!(ran["error"]["details"].get("writes"), None, "{ran}");
    assert_eq!(ran["meta"]["calls"].as_array().unwrap().len(), 2);
}

#[test]
fn writes_of_code_within_code_are_told_too() {
    let world = World::demo();
    let mut cli = world.cli();
    let close = "await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: args.n ?? 1 }); 1";
    let ran = cli.exec("close", close, &json!({}));
    let name = ran["meta"]["capability_name"].as_str().unwrap().to_owned();
    let ran = cli.exec(
        "close two and fail",
        &format!("await Promise.all([caps.{name}({{ n: 2 }}), caps.{name}({{ n: 3 }})]); throw new Error('x')"),
        &json!({}),
    );
    let told = &ran["error"]["details"]["writes"];
    assert_eq!(*told, json!({"done": 2, "unknown": []}), "{ran}");
}

#[test]
fn calls_that_find_nothing_are_counted() {
    let world = World::demo();
    let ran = exec(
        &world,
        "const all = await Promise.allSettled([caps.nope({}), mcp.nope.x({}), capstan.foo.bar({})]);
         return all.map((it) => it.reason.code)",
    );
    assert_eq!(
        ran["data"],
        json!(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]),
        "{ran}"
    );
    let mut called: Vec<_> = ran["meta"]["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|made| {
            (
                made["capability"].as_str().unwrap(),
                made["failed"].as_u64(),
            )
        })
        .collect();
    called.sort_unstable();
    assert_eq!(
        called,
        [("foo.bar", Some(1)), ("nope", Some(1)), ("nope.x", Some(1))]
    );
}

#[test]
fn more_calls_than_a_chain_may_have_are_several_chains() {
    let world = World::demo();
    let file = world.place.write("many.toml", "[sandbox]\ncalls = 2000\n");
    let world = world.also(&["--config", file.to_str().unwrap()]);
    let ran = exec(
        &world,
        "const view = () => capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 });
         const all = await Promise.all(Array.from({ length: 1200 }, view));
         return all.length",
    );
    assert_eq!(ran["data"], 1200, "{ran}");
}

#[test]
fn code_that_hides_what_it_calls_counts_as_a_write() {
    let world = World::demo();
    let mut cli = world.cli();
    let ran = cli.exec(
        "anything",
        "if (args.d) return capstan[args.d][args.a](args.i); 1",
        &json!({}),
    );
    let name = ran["meta"]["capability_name"].as_str().unwrap();
    assert_eq!(world.capstan(&["explain", name])["operation"], "WRITE");
}

#[test]
fn secrets_by_their_names_are_in_no_trace() {
    let world = World::demo();
    let mut cli = world.cli();
    let ran = cli.exec("echo", "return 1", &json!({}));
    let name = ran["meta"]["capability_name"].as_str().unwrap().to_owned();
    let args = json!({"user": "ann", "password": "hunter2hunter2", "deep": [{"Api-Key": "sk-live-1234567"}]});
    cli.call(&name, &args);
    let listed = cli.run("trace.list", &json!({"limit": 1}));
    let id = listed["data"]["traces"][0]["id"].clone();
    let shown = cli.run("trace.show", &json!({"id": id})).to_string();
    assert!(shown.contains("ann"), "{shown}");
    assert!(
        !shown.contains("hunter2") && !shown.contains("sk-live"),
        "{shown}"
    );
}

#[test]
fn a_run_that_its_client_cancels_leaves_a_trace_of_what_it_did() {
    let (github, world) = counted();
    let mut server = world.server();
    let code = "await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: 1 });
         await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: 2 });
         await new Promise((done) => setTimeout(done, 60000));";
    let call = json!({"name": "execute", "arguments": {"intent": "never ends", "code": code}});
    let id = server.send("tools/call", &call);
    let closed = |number: u64| {
        let input = json!({"owner": "acme", "repo": "rocket", "issue_number": number});
        world.cli().run("issue.view", &input)["data"]["state"] == "closed"
    };
    while !closed(2) {
        std::thread::yield_now();
    }
    drop(github);
    server.send_message(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let trace = loop {
        let failed = json!({"capability": "trace.list", "input": {"ok": false}});
        let listed = server.execute(&failed);
        match listed["data"]["traces"]
            .as_array()
            .and_then(|all| all.first())
        {
            Some(trace) => break trace.clone(),
            None => std::thread::yield_now(),
        }
    };
    assert_eq!(trace["error_code"], "CANCELLED", "{trace}");
    assert_eq!(
        (&trace["intent"], &trace["calls"]),
        (&json!("never ends"), &json!(2))
    );
    server.end();
}

#[test]
fn a_run_that_its_client_cancels_is_counted_as_a_failure() {
    let (github, world) = counted();
    let mut server = world.server();
    let code = "if (args.number) {
           await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: args.number });
           await new Promise((done) => setTimeout(done, 60000));
         }
         return 1";
    let ran = server.execute(&json!({"intent": "wait", "code": code}));
    let name = ran["meta"]["capability_name"].as_str().unwrap().to_owned();
    let ways = [
        json!({"intent": "wait", "code": code, "args": {"number": 1}}),
        json!({"intent": "wait", "capability": name, "args": {"number": 2}}),
    ];
    for (number, arguments) in (1_u64..).zip(ways) {
        let id = server.send(
            "tools/call",
            &json!({"name": "execute", "arguments": arguments}),
        );
        let input = json!({"owner": "acme", "repo": "rocket", "issue_number": number});
        while world.cli().run("issue.view", &input)["data"]["state"] != "closed" {
            std::thread::yield_now();
        }
        server.send_message(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
        loop {
            let shown =
                server.execute(&json!({"capability": "cap.show", "input": {"capability": name}}));
            let statistics = &shown["data"]["statistics"];
            assert_eq!(statistics["success_count"], 1, "{shown}");
            if statistics["usage_count"] == 1 + number {
                break;
            }
            std::thread::yield_now();
        }
    }
    drop(github);
    server.end();
}

#[test]
fn what_is_asked_for_later_is_written_later() {
    let (github, world) = counted();
    // The first has to wait for what it looks up.
    let late = FaultKind::Latency { ms: 300 };
    github.sim.inject(Fault::once(late).on_reads());
    let ran = exec(
        &world,
        "const at = (issue_number) => ({ owner: 'acme', repo: 'rocket', issue_number });
         const first = capstan.issue.close(at(1));
         await new Promise((done) => setTimeout(done, 1));
         const second = capstan.issue.labels.add({ ...at(2), labels: ['bug'] });
         await new Promise((done) => setTimeout(done, 1));
         await Promise.all([first, second, capstan.issue.close(at(3))]);",
    );
    assert_eq!(ran["ok"], true, "{ran}");
    let seen = github.sim.requests().into_iter();
    let writes = seen.filter(|it| it.applied).flat_map(|it| it.root_fields);
    let written: Vec<_> = writes.collect();
    assert_eq!(
        written,
        ["closeIssue", "addLabelsToLabelable", "closeIssue"]
    );
}
