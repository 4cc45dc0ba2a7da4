//! A plan shows the very requests that a run then sends, and sends none itself.

use capstan_core::Route;
use capstan_core::port::Preflight;
use capstan_exec::ChainPlan;

use crate::support::{
    Bench, Step, bench, guarded, plan_text, read, read_any, read_rest, remark, remember, set,
    tool_write, write, write_rest,
};

#[test]
fn levels_follow_what_steps_need() {
    let rows: [(&str, Bench, Vec<Step>, &str); 11] = [
        ("reads", bench(), vec![read("a"), read("b")], "q[a b]"),
        (
            "both",
            bench(),
            vec![read("a"), write("b"), read("c")],
            "m[b] + q[a] | q[c]",
        ),
        (
            "lookups",
            bench(),
            vec![set("a", "x"), remark("b", "y")],
            "q[?a ?b] | m[<$thing.id>=x <$thing.id>+y]",
        ),
        (
            "references",
            bench(),
            vec![write("a"), set("$0.data.name", "x")],
            "m[a] | q[?<$0.data.name>] | m[<$thing.id>=x]",
        ),
        (
            "chunks",
            bench().chunks(1, 1),
            vec![read("a"), read("b"), write("c"), write("d")],
            "m[c] + q[a] + q[b] | m[d]",
        ),
        (
            "as many at once as there are",
            bench().chunks(1, 1),
            (0..6).map(|it| read(&format!("a{it}"))).collect(),
            "q[a0] + q[a1] + q[a2] + q[a3] + q[a4] + q[a5]",
        ),
        (
            "routes",
            bench(),
            vec![read_rest("a"), write_rest("b"), write("c")],
            "rest![b] + rest[a] | m[c]",
        ),
        (
            "servers",
            bench(),
            vec![tool_write("s", "a"), write("b")],
            "mcp![s.a] + m[b]",
        ),
        (
            "nothing is concluded from made-up answers",
            bench().value("a", "x"),
            vec![set("a", "x"), guarded("a", "y")],
            "q[?a] | m[<$thing.id>=x <$thing.id>=y]",
        ),
        (
            "a route that is not ready is shown if there is no other",
            bench().preflight(Route::Graphql, Preflight::NotReady("log in".to_owned())),
            vec![read("a")],
            "q[a]",
        ),
        (
            "a route that is ready is taken",
            bench().preflight(Route::Graphql, Preflight::NotReady("log in".to_owned())),
            vec![read_any("a")],
            "rest[a]",
        ),
    ];
    for (what, bench, steps, expected) in rows {
        assert_eq!(plan_text(&bench.plan(&steps)), expected, "{what}");
    }
}

#[test]
fn purposes_and_steps_are_told() {
    let plan = bench().plan(&[set("a", "x"), read("b"), remark("a", "y"), read("c")]);
    let told = |plan: &ChainPlan| -> Vec<Vec<(String, Vec<usize>)>> {
        let levels = plan.levels.iter().map(|level| level.requests.iter());
        levels
            .map(|requests| {
                requests
                    .map(|it| (it.purpose.clone(), it.steps.clone()))
                    .collect()
            })
            .collect()
    };
    let expected = [
        vec![("lookup thing".to_owned(), vec![0, 2])],
        vec![("run".to_owned(), vec![0, 2])],
        vec![("run".to_owned(), vec![1, 3])],
    ];
    assert_eq!(told(&plan), expected);
    let plan = bench().plan(&[read("a"), remark("b", "y")]);
    assert_eq!(
        told(&plan)[0],
        [("run, lookup thing".to_owned(), vec![0, 1])]
    );
}

#[test]
fn routes_that_are_passed_over_are_told() {
    let bench = bench().routes(&[Route::Rest, Route::Cli]);
    let plan = bench.plan(&[read_any("a"), read_any("b").on(Route::Cli)]);
    assert_eq!(plan_text(&plan), "rest[a] + gh[b]");
    assert_eq!(
        plan.skipped[0],
        ["graphql: graphql is switched off in the configuration"]
    );
    assert_eq!(plan.skipped[1].len(), 2);
    assert!(plan.steps.iter().all(|step| step.result.is_ok()));
}

/// What a run has remembered need not be looked up; a pause is nothing that a plan waits for.
#[test]
fn a_plan_knows_what_is_remembered() {
    let bench = bench();
    assert_eq!(
        plan_text(&bench.plan(&[remember("a", "x")])),
        "q[?a] | m[<$thing.id>+x]"
    );
    bench.run(&[remember("a", "x")]);
    assert_eq!(plan_text(&bench.plan(&[remember("a", "y")])), "m[a+y]");
}
