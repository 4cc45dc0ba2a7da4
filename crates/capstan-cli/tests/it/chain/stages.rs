//! Steps that depend on what earlier ones found: for each row, only if something holds, to the end of a list.

use capstan_core::{ChainStatus, ChainStep};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::bench::Bench;
use super::steps::{assert_all_ok, codes, named, step, view};
use super::world::portrait;

fn docs() -> ChainStep {
    named(
        "docs",
        step("issue.list", json!({"label": "documentation"})),
    )
}

fn each(of: &str, step: ChainStep) -> ChainStep {
    ChainStep {
        each: Some(of.to_owned()),
        ..step
    }
}

fn when(condition: &str, step: ChainStep) -> ChainStep {
    ChainStep {
        when: Some(condition.to_owned()),
        ..step
    }
}

fn assign() -> ChainStep {
    let input = json!({"issue_number": "$docs.number", "add_assignees": ["tomas-silva"]});
    each("docs", step("issue.edit", input))
}

#[tokio::test]
async fn a_step_runs_for_each_row_in_one_mutation() {
    let bench = Bench::demo().await;
    let ran = bench.run(&[docs(), assign(), view(47)]).await;
    assert_all_ok(&ran);
    let rows = ran.results[1].data.as_ref().unwrap().as_array().unwrap();
    let numbers: Vec<_> = rows
        .iter()
        .map(|row| row["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [47, 37, 2]);
    let (_, writes) = bench.counts();
    assert_eq!(writes, 1);
    assert_eq!(
        ran.results[2].data.as_ref().unwrap()["assignees"],
        json!(["tomas-silva"])
    );
}

#[tokio::test]
async fn no_rows_are_no_failure() {
    let bench = Bench::demo().await;
    let none = named(
        "docs",
        step(
            "issue.list",
            json!({"label": "documentation", "author": "nobody-else"}),
        ),
    );
    let ran = bench.run(&[none, assign()]).await;
    assert_all_ok(&ran);
    assert_eq!(ran.results[1].data, Some(json!([])));
    assert!(ran.results[1].meta.note.is_some());
    assert_eq!(bench.counts().1, 0);
}

#[tokio::test]
async fn what_is_wrong_with_a_later_stage_keeps_the_first_from_running() {
    let bench = Bench::demo().await;
    let of_rows = |input: Value| each("docs", step("issue.edit", input));
    for (bad, said) in [
        (
            of_rows(json!({"issue_number": "$docs.title", "title": "x"})),
            "integer",
        ),
        (
            of_rows(json!({"issue_number": "$docs.nummer", "title": "x"})),
            "nummer",
        ),
        (
            of_rows(json!({"issue_number": "$docs.number"})),
            "at least one of",
        ),
        (each("dogs", view(1)), "not an earlier step"),
        (when("$docs.total ==", view(1)), "`when`"),
        (when("$dogs.total == 1", view(1)), "not an earlier step"),
        (when("total == 1", view(1)), "names an earlier step"),
    ] {
        let ran = bench.run(&[docs(), bad.clone()]).await;
        assert_eq!(ran.status, ChainStatus::Failed, "{bad:?}");
        let error = ran.results[1].error.as_ref().unwrap();
        assert_eq!(error.code.as_str(), "VALIDATION", "{error:?}");
        assert!(error.message.contains(said), "{said}: {}", error.message);
    }
    assert_eq!(bench.counts(), (0, 0), "nothing was sent");
}

#[tokio::test]
async fn a_condition_decides_whether_a_step_runs() {
    let bench = Bench::demo().await;
    let checks = named("checks", step("pr.checks.list", json!({"pr_number": 33})));
    let note = |body: &str| {
        step(
            "issue.comments.create",
            json!({"issue_number": 1, "body": body}),
        )
    };
    let ran = bench
        .run(&[
            checks,
            when("$checks.failed == 0", note("all passed")),
            when(
                "$checks.data.failed > 0 and $checks.ok",
                note("some failed"),
            ),
        ])
        .await;
    assert_all_ok(&ran);
    assert_eq!(ran.results[1].data, Some(Value::Null));
    assert!(
        ran.results[1]
            .meta
            .note
            .as_ref()
            .unwrap()
            .contains("does not hold")
    );
    let comments = portrait(&bench.sim)[&1].comments.clone();
    assert_eq!(comments.last().map(String::as_str), Some("some failed"));
    assert!(!comments.iter().any(|it| it == "all passed"));
}

#[tokio::test]
async fn what_depends_on_a_failure_is_skipped_and_the_rest_goes_on() {
    let bench = Bench::demo().await;
    let missing = named("docs", step("issue.list", json!({"repo": "no-such-repo"})));
    let steps = [missing, assign(), when("$docs.ok", view(1)), view(2)];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["NOT_FOUND", "CANCELLED", "CANCELLED", "ok"]);
    assert!(
        ran.results[1]
            .error
            .as_ref()
            .unwrap()
            .message
            .contains("step 0")
    );
}

#[tokio::test]
async fn nothing_is_written_after_a_write_of_an_earlier_stage_that_is_in_doubt() {
    let bench = Bench::demo().await;
    bench
        .sim
        .inject(Fault::once(FaultKind::ResetBefore).on_writes());
    let create = named("new", step("issue.create", json!({"title": "Look"})));
    let close = step("issue.close", json!({"issue_number": 3}));
    let steps = [create, docs(), each("docs", close), view(1)];
    let ran = bench.run(&steps).await;
    let codes = codes(&ran);
    assert_eq!(
        (codes[0].as_str(), codes[2].as_str(), codes[3].as_str()),
        ("NETWORK", "CANCELLED", "ok")
    );
    assert_eq!(bench.writes().len(), 1, "only the first was sent");
}

#[tokio::test]
async fn lists_are_read_to_their_end_and_filtered() {
    let bench = Bench::demo().await;
    let all = |options: &dyn Fn(&mut ChainStep)| {
        let mut list = step("issue.list", json!({"state": "all", "first": 7}));
        list.request.options.all = true;
        options(&mut list);
        list
    };
    let ran = bench
        .run(&[
            all(&|_| {}),
            all(&|list| list.request.options.limit = Some(10)),
            all(&|list| list.request.options.condition = Some("comments > 1".to_owned())),
        ])
        .await;
    assert_all_ok(&ran);
    let rows = |index: usize| {
        ran.results[index].data.as_ref().unwrap()["issues"]
            .as_array()
            .unwrap()
            .clone()
    };
    assert_eq!(rows(0).len(), 40);
    let pages = ran.results[0].meta.pagination.as_ref().unwrap();
    assert!(!pages.has_next_page);
    assert_eq!(rows(1).len(), 10);
    assert!(
        ran.results[1]
            .meta
            .pagination
            .as_ref()
            .unwrap()
            .has_next_page
    );
    let wanted: Vec<_> = rows(0)
        .into_iter()
        .filter(|row| row["comments"].as_u64() > Some(1))
        .collect();
    assert!(!wanted.is_empty());
    assert_eq!(rows(2), wanted);
    assert!(
        ran.results[2]
            .meta
            .note
            .as_ref()
            .unwrap()
            .contains("of 40 rows match")
    );
}

#[tokio::test]
async fn a_list_that_breaks_off_says_so() {
    let bench = Bench::demo().await;
    let mut list = step("issue.list", json!({"first": 10}));
    list.request.options.all = true;
    let first = bench.run(std::slice::from_ref(&list)).await;
    let all = first.results[0].data.as_ref().unwrap()["issues"]
        .as_array()
        .unwrap()
        .len();
    assert!(all > 20);
    bench
        .sim
        .inject(Fault::always(FaultKind::Status401).after(1));
    let cut = bench.run(&[list]).await;
    let result = &cut.results[0];
    assert!(result.ok);
    assert_eq!(
        result.data.as_ref().unwrap()["issues"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
    assert!(result.meta.pagination.as_ref().unwrap().incomplete);
    assert!(
        result.meta.warnings[0].contains("the list is incomplete"),
        "{:?}",
        result.meta.warnings
    );
}
