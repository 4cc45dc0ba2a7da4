//! What executions teach.

use std::time::{Duration, Instant};

use capstan_core::code::{Trace, TraceId};
use capstan_core::port::{Relations as _, Store as _};
use capstan_engine::Settings;
use capstan_store::SqliteStore;
use serde_json::{Value, json};

use super::support::{exec_and_name, ok, on_both_surfaces, relation};
use crate::code::surface::{Surface, World};

const COUNT: &str = "const { issues } = await capstan.issue.list({ owner: 'acme', repo: 'rocket' }); return issues.length;";
const THRICE: &str =
    "let sum = 0; for (let i = 0; i < 3; i++) sum += await caps.counter({}); return sum;";
const FIRST: &str = "const { issues } = await capstan.issue.list({ owner: 'acme', repo: 'rocket' });\n\
    const issue = await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: issues[0].number });\n\
    return issue.title;";

fn is(edge: &Value, kind: &str, source: &str, observed: u64, confidence: f64) {
    assert_eq!(
        (
            &edge["type"],
            &edge["source"],
            &edge["observed"],
            &edge["confidence"]
        ),
        (
            &json!(kind),
            &json!(source),
            &json!(observed),
            &json!(confidence)
        ),
        "{edge}"
    );
}

#[test]
fn what_code_calls_three_times_it_is_observed_to_contain() {
    on_both_surfaces(|surface| {
        let counter = exec_and_name(surface, "counter", "count the issues", COUNT);
        let thrice = exec_and_name(surface, "thrice", "count them three times", THRICE);
        let edge = relation(surface, &thrice, &counter);
        is(&edge, "contains", "observed", 3, 0.8);
        let observations = edge["observations"].as_array().unwrap();
        let called: Vec<_> = observations
            .iter()
            .filter(|it| it["type"] == "contains")
            .collect();
        assert_eq!(called.len(), 1, "{edge}");
        assert_eq!(called[0]["times"], 3);
        let trace = surface.run("trace.show", &json!({"id": called[0]["trace"]}));
        assert_eq!(ok(&trace)["capability"], thrice.as_str());
        // Once more is four times, and not less sure.
        ok(&surface.call("thrice", &json!({})));
        let edge = relation(surface, "thrice", "counter");
        is(&edge, "contains", "observed", 6, 0.8);
    });
}

#[test]
fn three_runs_that_call_once_are_as_good() {
    on_both_surfaces(|surface| {
        exec_and_name(surface, "counter", "count the issues", COUNT);
        let once = "return 1 + await caps.counter({});";
        let caller = exec_and_name(surface, "caller", "one more than the issues", once);
        is(
            &relation(surface, &caller, "counter"),
            "contains",
            "inferred",
            1,
            0.56,
        );
        ok(&surface.call("caller", &json!({})));
        is(
            &relation(surface, &caller, "counter"),
            "contains",
            "inferred",
            2,
            0.56,
        );
        ok(&surface.call("caller", &json!({})));
        is(
            &relation(surface, &caller, "counter"),
            "contains",
            "observed",
            3,
            0.8,
        );
    });
}

#[test]
fn what_is_passed_on_is_a_dependency_of_what_takes_it() {
    on_both_surfaces(|surface| {
        exec_and_name(surface, "first", "title of the first issue", FIRST);
        let edge = relation(surface, "issue.view", "issue.list");
        is(&edge, "dependency", "inferred", 1, 0.7);
        let why = edge["observations"][0]["why"].as_str().unwrap();
        assert!(why.contains("/issues/0/number → /issue_number"), "{why}");
        let edge = relation(surface, "issue.list", "issue.view");
        is(&edge, "sequence", "inferred", 1, 0.35);
    });
}

/// What the caller gave came from nobody, even if something else gave it too.
#[test]
fn what_code_is_given_is_not_passed_on() {
    on_both_surfaces(|surface| {
        let code = "const { issues } = await capstan.issue.list({ owner: 'acme', repo: 'rocket' });\n\
            const issue = await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: args.n });\n\
            return [issues.map((it) => it.number), issue.title];";
        let ran = surface.exec(
            "one of the issues",
            code,
            &json!({"n": 1, "api_token": "very secret"}),
        );
        let numbers = ok(&ran)[0].as_array().unwrap();
        assert!(numbers.contains(&json!(1)), "{ran}");
        let edge = relation(surface, "issue.list", "issue.view");
        is(&edge, "sequence", "inferred", 1, 0.35);
        let none = surface.run(
            "dep.show",
            &json!({"from": "issue.view", "to": "issue.list"}),
        );
        assert_eq!(none["error"]["code"], "NOT_FOUND", "{none}");
        let trace = &edge["observations"][0]["trace"];
        let trace = surface.run("trace.show", &json!({"id": trace}));
        let given = json!({"n": 1, "api_token": "[redacted]"});
        assert_eq!(ok(&trace)["input"], given, "{trace}");
    });
}

#[test]
fn chains_teach_by_their_references() {
    on_both_surfaces(|surface| {
        let input = json!({"owner": "acme", "repo": "rocket"});
        ok(&surface.run(
            "issue.view",
            &json!({"owner": "acme", "repo": "rocket", "issue_number": 1}),
        ));
        ok(&surface.run("issue.list", &input));
        surface.restart();
        // Two calls of a connected agent, one after the other, are a sequence; those of two processes are none.
        let listed = surface.run("dep.list", &json!({}));
        for edge in ok(&listed)["dependencies"].as_array().unwrap() {
            assert_eq!(
                (&edge["from"], &edge["to"], &edge["type"]),
                (
                    &json!("issue.view"),
                    &json!("issue.list"),
                    &json!("sequence")
                )
            );
        }
    });
}

#[test]
fn what_was_learned_can_be_corrected_and_forgotten() {
    on_both_surfaces(|surface| {
        exec_and_name(surface, "first", "title of the first issue", FIRST);
        is(
            &relation(surface, "issue.view", "issue.list"),
            "dependency",
            "inferred",
            1,
            0.7,
        );
        let corrected = json!({"from": "issue.view", "to": "issue.list", "type": "sequence"});
        let said = surface.run("dep.add", &corrected);
        assert_eq!(ok(&said)["replaced"], "dependency");
        is(
            &relation(surface, "issue.view", "issue.list"),
            "sequence",
            "manual",
            2,
            0.5,
        );
        let forgotten = surface.run("dep.forget", &json!({}));
        assert!(
            ok(&forgotten)["forgotten"].as_u64().unwrap() >= 2,
            "{forgotten}"
        );
        // What code declares in its text is not learned, and stays.
        let kept = |surface: &mut dyn Surface| {
            let left = surface.run("dep.list", &json!({}));
            let rows = ok(&left)["dependencies"].as_array().unwrap().clone();
            let kept = rows.iter().filter(|it| it.get("declared").is_none());
            kept.count()
        };
        assert_eq!(kept(surface), 1);
        // Nothing comes back from what was learned already.
        surface.restart();
        assert_eq!(kept(surface), 1);
        let pair = json!({"from": "issue.view", "to": "issue.list"});
        ok(&surface.run("dep.remove", &pair));
        let again = surface.run("dep.remove", &pair);
        assert_eq!(again["error"]["code"], "NOT_FOUND", "{again}");
    });
}

#[test]
fn code_that_is_deleted_takes_its_relations_along() {
    on_both_surfaces(|surface| {
        exec_and_name(surface, "counter", "count the issues", COUNT);
        let thrice = exec_and_name(surface, "thrice", "count them three times", THRICE);
        relation(surface, "thrice", "counter");
        ok(&surface.run("cap.delete", &json!({"capability": "thrice"})));
        let listed = surface.run("dep.list", &json!({}));
        assert!(!ok(&listed).to_string().contains(&thrice), "{listed}");
    });
}

#[test]
fn the_same_purpose_by_other_means_is_an_alternative() {
    on_both_surfaces(|surface| {
        exec_and_name(
            surface,
            "one",
            "count the open issues of the rocket repository",
            COUNT,
        );
        let other =
            "const it = await capstan.repo.view({ owner: 'acme', repo: 'rocket' }); return it;";
        exec_and_name(
            surface,
            "two",
            "count the open issues of the rocket repository",
            other,
        );
        let edge = relation(surface, "two", "one");
        is(&edge, "alternative", "inferred", 1, 0.42);
    });
}

/// Who makes something contain itself by running it is told, once.
#[test]
fn code_that_comes_to_contain_itself_is_warned_of() {
    let world = World::demo();
    let exec = |name: &str, code: &str| {
        let ran = world.capstan(&["exec", "-e", code, "--intent", name]);
        ok(&ran);
        let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
        ok(&world.capstan(&["cap", "name", &fqdn, name]));
    };
    exec("first", "return args.deep ? await caps.second({}) : 1");
    exec("second", "return await caps.first({})");
    let called = world
        .place
        .run(&["--demo", "--json", "call", "first", "deep:=true"]);
    assert_eq!(called.code, 0, "{called:?}");
    assert!(
        called.stderr.contains("this contains itself: "),
        "{called:?}"
    );
    let again = world
        .place
        .run(&["--demo", "--json", "call", "first", "deep:=true"]);
    assert_eq!(again.stderr, "", "{again:?}");
}

/// Over MCP nobody waits for learning: the next answer tells, once.
#[test]
fn the_next_answer_warns_of_what_came_to_contain_itself() {
    let world = World::demo();
    let mut surface = world.mcp();
    let surface: &mut dyn Surface = &mut surface;
    exec_and_name(
        surface,
        "first",
        "one",
        "return args.deep ? await caps.second({}) : 1",
    );
    exec_and_name(surface, "second", "two", "return await caps.first({})");
    ok(&surface.call("first", &json!({"deep": true})));
    let input = json!({"owner": "acme", "repo": "rocket"});
    let mut told = Vec::new();
    for _ in 0..200 {
        let answer = surface.run("issue.list", &input);
        let warnings = answer["meta"]["warnings"].as_array();
        told.extend(warnings.into_iter().flatten().cloned());
        if !told.is_empty() {
            break;
        }
    }
    assert_eq!(told.len(), 1, "{told:?}");
    let text = told[0].as_str().unwrap();
    assert!(text.starts_with("this contains itself: "), "{text}");
    for _ in 0..3 {
        let answer = surface.run("issue.list", &input);
        assert_eq!(answer["meta"]["warnings"], json!(null), "{answer}");
    }
}

/// What a process left that was killed is learned when an agent connects, before it asks for anything.
#[tokio::test]
async fn who_connects_learns_what_was_left() {
    let world = World::demo();
    let store = world.place.path().join("home/.local/share/capstan/demo.db");
    // Where nothing is remembered, nothing is made.
    world.server().end();
    assert!(!store.exists());
    ok(&world.capstan(&["dep", "add", "pr.list", "pr.view", "--type", "sequence"]));
    let left = SqliteStore::new(store);
    let viewer = Settings::default().viewer;
    let calls = json!([
        {"capability": "issue.list", "batch": 0, "started_us": 0, "duration_us": 1, "ok": true},
        {"capability": "issue.view", "batch": 1, "started_us": 2, "duration_us": 1, "ok": true},
    ]);
    let trace: Trace = serde_json::from_value(json!({
        "id": TraceId::new(1, 1), "mode": "direct", "started_at": 1, "duration_us": 4, "ok": true,
        "calls": calls,
    }))
    .unwrap();
    left.add_trace(&viewer, trace).await.unwrap();
    let server = world.server();
    let until = Instant::now() + Duration::from_secs(60);
    while !left.unlearned(&viewer, 1).await.unwrap().is_empty() {
        assert!(Instant::now() < until, "nobody learns");
        std::thread::yield_now();
    }
    server.end();
    let edges = left.all_edges(&viewer, None).await.unwrap();
    assert_eq!(edges.len(), 2, "{edges:?}");
}

/// A value that stands in the code did not come from a call, however often the code runs.
#[test]
fn constants_of_code_teach_no_dependency() {
    on_both_surfaces(|surface| {
        for (intent, code) in [
            (
                "look at the third issue",
                "await capstan.issue.list({ owner: 'acme', repo: 'rocket' });\n\
                 return (await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 3 })).title;",
            ),
            (
                "look at the fifth issue by its title",
                "const number = 5; await capstan.issue.list({ owner: 'acme', repo: 'rocket' });\n\
                 return (await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: number })).title;",
            ),
        ] {
            for _ in 0..3 {
                ok(&surface.exec(intent, code, &json!({})));
            }
        }
        surface.restart();
        let shown = surface.run(
            "dep.show",
            &json!({"from": "issue.view", "to": "issue.list"}),
        );
        assert_eq!(shown["error"]["code"], "NOT_FOUND", "{shown}");
        // What really flowed is learned as before.
        ok(&surface.exec("look at the first issue", FIRST, &json!({})));
        let edge = relation(surface, "issue.view", "issue.list");
        is(&edge, "dependency", "inferred", 1, 0.7);
    });
}

/// Values that code computes, or that its caller gave in another form, came from no call either.
#[test]
fn values_that_code_makes_itself_teach_no_dependency() {
    let view = |number: &str| {
        format!(
            "const o = {{ owner: 'acme', repo: 'rocket' }}; await capstan.issue.list({{ ...o, first: 100 }});\n\
             return (await capstan.issue.view({{ ...o, issue_number: {number} }})).title;"
        )
    };
    let read =
        |number: &str| view(number).replace("return", "const seen = (it) => it.number; return");
    let list = |label: &str| {
        format!(
            "const o = {{ owner: 'acme', repo: 'rocket' }}; await capstan.repo.labels.list(o);\n\
             return (await capstan.issue.list({{ ...o, label: {label} }})).issues.length;"
        )
    };
    let counting = "const o = { owner: 'acme', repo: 'rocket' }; await capstan.issue.list({ ...o, first: 3 });\n\
        for (let i = 46; i < 49; i++) await capstan.issue.view({ ...o, issue_number: i });\n\
        return 1;";
    let nothing = json!({});
    on_both_surfaces(|surface| {
        let mut codes = vec![(counting.to_owned(), nothing.clone())];
        for number in [
            "40 + 8",
            "0x30",
            "4_8",
            "48.0",
            "4.8e1",
            "Number('4' + '8')",
            "Number(`48`)",
            "+'\\x348'",
        ] {
            codes.push((view(number), nothing.clone()));
            codes.push((read(number), nothing.clone()));
        }
        let address = "https://github.com/acme/rocket/issues/48";
        codes.push((read("Number(args.n)"), json!({"n": "48"})));
        codes.push((
            read("Number(args.url.split('/').pop())"),
            json!({"url": address}),
        ));
        for label in [
            "'FLIGHT-CRITICAL'.toLowerCase()",
            "'flight' + '-critical'",
            "'\\u0066light-critical'",
        ] {
            codes.push((list(label), nothing.clone()));
        }
        for (code, args) in &codes {
            ok(&surface.exec("look at one of them", code, args));
        }
        surface.restart();
        for (from, to) in [
            ("issue.view", "issue.list"),
            ("issue.list", "repo.labels.list"),
        ] {
            let shown = surface.run("dep.show", &json!({"from": from, "to": to}));
            assert_eq!(shown["error"]["code"], "NOT_FOUND", "{shown}");
        }
    });
}

/// Comments are no values, and objects may be passed on as they are.
#[test]
fn what_flows_is_learned_whatever_the_comments_say() {
    for code in [
        "const o = { owner: 'acme', repo: 'rocket' }; /* 1 2 3 48 49 50 */ const { issues } = await capstan.issue.list(o);\n\
         // Not issue 48, and not limit=48.\n\
         return (await capstan.issue.view({ ...o, issue_number: issues[0].number })).title;",
        "const o = { owner: 'acme', repo: 'rocket' }; const { issues } = await capstan.issue.list(o);\n\
         const field = 'number'; return (await capstan.issue.view({ ...o, issue_number: issues[0][field] })).title;",
        "const o = { owner: 'acme', repo: 'rocket' };\n\
         for await (const { number } of capstan.issue.list.all(o)) return (await capstan.issue.view({ ...o, issue_number: number })).title;",
    ] {
        let world = World::demo();
        let mut surface = world.cli();
        ok(&surface.exec("look at the first", code, &json!({})));
        let edge = relation(&mut surface, "issue.view", "issue.list");
        is(&edge, "dependency", "inferred", 1, 0.7);
    }
}

/// Code that cannot use a capability does not share it with code that can.
#[test]
fn failed_calls_are_not_shared() {
    on_both_surfaces(|surface| {
        let older = exec_and_name(
            surface,
            "one-title",
            "the title of one issue",
            "return (await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 })).title;",
        );
        let failing = exec_and_name(
            surface,
            "how-many",
            "how many pull requests there are",
            "try { await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 99999 }); } catch {}\n\
             const { pull_requests } = await capstan.pr.list({ owner: 'acme', repo: 'rocket' });\n\
             return pull_requests.length;",
        );
        surface.restart();
        let shown = surface.run("dep.show", &json!({"from": failing, "to": older}));
        assert_eq!(shown["error"]["code"], "NOT_FOUND", "{shown}");
        let working = exec_and_name(
            surface,
            "two-things",
            "a title and a count",
            "const { title } = await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 });\n\
             const { issues } = await capstan.issue.list({ owner: 'acme', repo: 'rocket' });\n\
             return [title, issues.length];",
        );
        let edge = relation(surface, &working, &older);
        is(&edge, "sequence", "inferred", 1, 0.35);
    });
}
