//! What goes wrong in the middle.

use github_sim::{Fault, FaultKind, Transport};
use serde_json::{Value, json};

use super::world::{Workshop, calls, rocket};

/// Closes 1, looks at what is not there, would close 2.
const STOPS: &str = "id: stops
level: 3
composes:
  - {skill: issue.close, as: first, inputs: {issue_number: 1}}
  - {skill: issue.view, as: lost, inputs: {issue_number: 4242}}
  - {skill: issue.close, as: last, inputs: {issue_number: 2}}
execution: [{step: first}, {step: lost}, {step: last}]
";

#[test]
fn the_first_failure_ends_it_and_tells_what_is_done() {
    let workshop = Workshop::with(STOPS);
    let ran = workshop.run("stops", &rocket(json!({})));
    let error = &ran["error"];
    assert_eq!(error["code"], "NOT_FOUND", "{ran}");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .starts_with("step `lost`: "),
        "{ran}"
    );
    assert_eq!(error["details"]["step"], "lost");
    assert_eq!(error["details"]["completed"], json!(["first"]));
    assert_eq!(error["details"]["written"], json!(["first"]));
    assert_eq!(
        error["details"]["writes"],
        json!({"done": 1, "unknown": []})
    );
    assert_eq!(error["retryable"], false);
    assert_eq!(workshop.written(), ["closeIssue"]);
    assert_eq!(workshop.state_of(2), "open");
}

#[test]
fn a_failed_run_on_a_terminal_shows_what_was_written_and_its_id() {
    let workshop = Workshop::with(STOPS);
    let skills = workshop.world.place.here().join("skills.yaml");
    let args = [
        "--skills",
        skills.to_str().unwrap(),
        "run",
        "stops",
        "-R",
        "acme/rocket",
    ];
    let (code, screen) = workshop.world.place.screen(&args);
    assert_eq!(code, 1, "{screen}");
    assert!(screen.contains("written first"), "{screen}");
    let run = screen.lines().find_map(|line| line.strip_prefix("run "));
    let run = run.unwrap_or_else(|| panic!("{screen}")).trim();
    let shown = workshop.run("run.show", &json!({"run": run}));
    assert_eq!(shown["data"]["state"], "failed", "{shown}");
}

/// Closes 1, and fails beside it after a while.
fn beside(pause_ms: u64) -> Workshop {
    Workshop::with(&format!(
        "id: side-by-side
level: 3
composes:
  - {{skill: issue.close, as: write, inputs: {{issue_number: 1}}}}
  - late
---
id: late
level: 1
operation: TRANSFORM
code: await new Promise((done) => setTimeout(done, {pause_ms})); throw new Error('enough')
"
    ))
}

#[test]
fn what_is_being_written_is_waited_for() {
    let workshop = beside(1000);
    let slow = Fault::once(FaultKind::Latency { ms: 2500 }).on_writes();
    workshop.github.sim.inject(slow);
    let ran = workshop.run("side-by-side", &rocket(json!({})));
    let details = &ran["error"]["details"];
    assert_eq!(details["step"], "late", "{ran}");
    assert_eq!(details["completed"], json!(["write"]), "{ran}");
    assert_eq!(details["writes"], json!({"done": 1, "unknown": []}));
    assert_eq!(details["outcome"], "applied");
    assert_eq!(workshop.state_of(1), "closed");
}

#[test]
fn code_that_began_to_write_is_let_finish() {
    let workshop = Workshop::with(
        "id: side-by-side
level: 3
composes: [both, late]
---
id: both
level: 1
code: |
  for (const issue_number of [1, 2]) await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number });
---
id: late
level: 1
operation: TRANSFORM
code: await new Promise((done) => setTimeout(done, 1000)); throw new Error('enough')
",
    );
    let slow = Fault::once(FaultKind::Latency { ms: 2500 }).on_writes();
    workshop.github.sim.inject(slow);
    let ran = workshop.run("side-by-side", &json!({}));
    let details = &ran["error"]["details"];
    assert_eq!(details["step"], "late", "{ran}");
    assert_eq!(details["completed"], json!(["both"]), "{ran}");
    assert_eq!(details["writes"], json!({"done": 2, "unknown": []}));
    assert_eq!(workshop.state_of(2), "closed");
}

#[test]
fn what_has_not_left_by_then_is_not_written() {
    let workshop = beside(0);
    // What the write has to look up first takes its time.
    let slow = Fault::once(FaultKind::Latency { ms: 2500 }).on_reads();
    workshop.github.sim.inject(slow);
    let ran = workshop.run("side-by-side", &rocket(json!({})));
    let details = &ran["error"]["details"];
    assert_eq!(details["step"], "late", "{ran}");
    assert_eq!(details["completed"], json!([]), "{ran}");
    assert_eq!(details["outcome"], "not_applied", "{ran}");
    assert_eq!(workshop.written(), [""; 0]);
    assert_eq!(workshop.state_of(1), "open");
}

#[test]
fn a_step_whose_condition_does_not_hold_is_skipped_with_those_that_need_it() {
    let workshop = Workshop::with(
        "id: perhaps
level: 3
composes: [look, more, after, always]
execution:
  - step: look
  - step: more
    condition: $input.more == true and $look.output.number > 0
  - step: after
  - step: always
---
id: look
level: 1
card: issue.view
---
id: more
level: 1
code: 'return {detail: `about ${args.title}`}'
input_schema: {type: object, properties: {title: {type: string}}, required: [title]}
output_schema: {type: object, properties: {detail: {type: string}}, required: [detail]}
---
id: after
level: 1
code: 'return {shout: args.detail.toUpperCase()}'
input_schema: {type: object, properties: {detail: {type: string}}, required: [detail]}
output_schema: {type: object, properties: {shout: {type: string}}, required: [shout]}
---
id: always
level: 1
code: 'return {seen: args.detail ?? \"nothing\"}'
input_schema: {type: object, properties: {detail: {type: string}}}
output_schema: {type: object, properties: {seen: {type: string}}, required: [seen]}
",
    );
    let without = workshop.run("perhaps", &rocket(json!({"issue_number": 1})));
    assert_eq!(without["ok"], true, "{without}");
    assert_eq!(without["data"]["seen"], "nothing");
    assert_eq!(without["data"].get("shout"), None, "{without}");
    let with = workshop.run("perhaps", &rocket(json!({"issue_number": 1, "more": true})));
    assert!(
        with["data"]["shout"]
            .as_str()
            .unwrap()
            .starts_with("ABOUT ENGINE 3"),
        "{with}"
    );
    assert!(
        with["data"]["seen"]
            .as_str()
            .unwrap()
            .starts_with("about Engine 3")
    );
}

fn sleepy(retry: &str) -> Workshop {
    Workshop::with(&format!(
        "id: nap
level: 2
composes: [sleep]
---
id: sleep
level: 1
code: 'await new Promise((done) => setTimeout(done, 5000)); return {{}}'
timeout_ms: 60
output_schema: {{type: object}}
{retry}
"
    ))
}

#[test]
fn a_step_is_tried_again_as_its_skill_says() {
    for (retry, tries) in [
        ("", 1),
        (
            "retry: {max_attempts: 3, backoff: none, retry_on: [TimeoutError]}",
            3,
        ),
        (
            "retry: {max_attempts: 3, backoff: none, retry_on: [NetworkError]}",
            1,
        ),
    ] {
        let workshop = sleepy(&format!("operation: TRANSFORM\n{retry}"));
        let ran = workshop.run("nap", &json!({}));
        assert_eq!(ran["error"]["code"], "TIMEOUT", "{ran}");
        assert_eq!(calls(&ran), [("sleep".to_owned(), tries)], "{retry}: {ran}");
    }
}

/// Three attempts of a step, each with three tries of its card, were nine requests on each route.
#[test]
fn attempts_of_a_step_do_not_multiply_with_those_of_its_card() {
    for (retry, graphql) in [
        ("", 3),
        (
            "retry: {max_attempts: 2, backoff: none, retry_on: [ServerError]}",
            2,
        ),
        (
            "retry: {max_attempts: 4, backoff: none, retry_on: [ServerError]}",
            4,
        ),
        (
            "retry: {max_attempts: 4, backoff: none, retry_on: [TimeoutError]}",
            1,
        ),
    ] {
        let workshop = Workshop::with(&format!(
            "id: look
level: 3
composes: [{{skill: issue.view, as: one, inputs: {{issue_number: 1}}}}]
{retry}
"
        ));
        let down = Fault::always(FaultKind::Status503);
        workshop.github.sim.inject(down);
        let ran = workshop.run("look", &rocket(json!({})));
        assert_eq!(ran["ok"], false, "{ran}");
        let requests = workshop.github.sim.requests();
        let seen = requests
            .iter()
            .filter(|it| it.transport == Transport::Graphql)
            .count();
        assert_eq!(seen, graphql, "{retry}: {ran}");
    }
}

#[test]
fn what_may_have_written_is_not_tried_again() {
    let workshop = Workshop::with(
        "id: nap
level: 2
composes: [write-and-sleep]
---
id: write-and-sleep
level: 1
code: |
  await capstan.issue.close({ owner: 'acme', repo: 'rocket', issue_number: 1 });
  await new Promise((done) => setTimeout(done, 60000));
timeout_ms: 3000
retry: {max_attempts: 3, backoff: none, retry_on: [TimeoutError]}
",
    );
    let ran = workshop.run("nap", &json!({}));
    assert_eq!(ran["error"]["code"], "TIMEOUT", "{ran}");
    assert_eq!(calls(&ran), [("write-and-sleep".to_owned(), 1)], "{ran}");
    assert_eq!(workshop.written(), ["closeIssue"]);
}

/// It would be done again by a retry, from the cache, or by who resumes the run.
#[test]
fn what_says_that_it_changes_nothing_cannot() {
    for operation in ["TRANSFORM", "READ"] {
        let workshop = Workshop::with(&format!(
            "id: sly
level: 2
composes: [look]
---
id: look
level: 1
operation: {operation}
code: 'await capstan.issue.close({{ owner: \"acme\", repo: \"rocket\", issue_number: 1 }})'
"
        ));
        let ran = workshop.run("sly", &json!({}));
        assert_eq!(ran["error"]["code"], "POLICY", "{ran}");
        assert_eq!(workshop.written(), [""; 0]);
    }
}

#[test]
fn nothing_is_tried_again_after_the_end() {
    let workshop = Workshop::with(
        "id: both
level: 3
composes: [stubborn, fatal]
execution: [{parallel: [{step: stubborn}, {step: fatal}]}]
---
id: stubborn
level: 1
operation: WRITE
code: await new Promise((done) => setTimeout(done, 60000))
timeout_ms: 100
retry: {max_attempts: 3, backoff: fixed, delay_ms: 3000, retry_on: [TimeoutError]}
---
id: fatal
level: 1
operation: TRANSFORM
code: await new Promise((done) => setTimeout(done, 1500)); throw new Error('enough')
",
    );
    let ran = workshop.run("both", &json!({}));
    assert_eq!(ran["error"]["details"]["step"], "fatal", "{ran}");
    let tried: Vec<_> = calls(&ran);
    assert!(tried.contains(&("stubborn".to_owned(), 1)), "{ran}");
}

#[test]
fn what_ended_well_beside_a_failure_is_told() {
    let workshop = Workshop::with(
        "id: beside
level: 3
composes:
  - {skill: issue.view, as: lost, inputs: {issue_number: 4242}}
  - {skill: issue.view, as: found, inputs: {issue_number: 1}}
",
    );
    let ran = workshop.run("beside", &rocket(json!({})));
    assert_eq!(ran["error"]["details"]["step"], "lost", "{ran}");
    assert_eq!(
        ran["error"]["details"]["completed"],
        json!(["found"]),
        "{ran}"
    );
}

#[test]
fn a_skill_that_is_not_sound_is_not_run() {
    let workshop = Workshop::with(
        "id: wrong
level: 2
composes:
  - {skill: issue.close, as: first, inputs: {issue_number: 1}}
  - {skill: issue.view, as: second, inputs: {issue_number: one}}
",
    );
    let ran = workshop.run("wrong", &rocket(json!({})));
    assert_eq!(ran["error"]["code"], "VALIDATION", "{ran}");
    let told = ran["error"]["details"]["diagnostics"][0].as_str().unwrap();
    assert!(told.contains("error[E021]"), "{told}");
    assert_eq!(workshop.requests(), 0);
}

/// The write before it would be done by the time the code is read.
#[test]
fn a_skill_whose_inline_code_cannot_be_parsed_is_refused_by_check_and_not_run() {
    let skills = "id: half
level: 3
composes:
  - {skill: issue.close, as: first, inputs: {issue_number: 1}}
  - second
execution: [{step: first}, {step: second}]
---
id: second
level: 1
operation: TRANSFORM
code: |
  const one = 1;
  return {one: one
";
    let workshop = Workshop::with(skills);
    let place = &workshop.world.place;
    let checked = place.run(&["check", "skills.yaml"]);
    assert_eq!(checked.code, 1, "{}{}", checked.stdout, checked.stderr);
    let told = format!("{}{}", checked.stdout, checked.stderr);
    assert!(told.contains("E041"), "{told}");
    assert!(told.contains("`code` cannot be run"), "{told}");

    let ran = workshop.run("half", &rocket(json!({})));
    assert_eq!(ran["error"]["code"], "VALIDATION", "{ran}");
    let told = ran["error"]["details"]["diagnostics"][0].as_str().unwrap();
    assert!(told.contains("`code` cannot be run"), "{told}");
    assert_eq!(workshop.requests(), 0);
}

/// Its result would be the function itself, which every run refuses.
#[test]
fn inline_code_that_is_a_function_nobody_calls_is_refused_by_check() {
    for (code, words) in [
        ("async () => ({x: 1})", "is a function that nothing calls"),
        (
            "(function () { return {x: 1} })",
            "is a function that nothing calls",
        ),
        ("async function main() { return {x: 1} }", "`await main()`"),
        ("const main = () => ({x: 1}); main", "`await main()`"),
    ] {
        let skill = format!("id: bare\nlevel: 1\noperation: TRANSFORM\ncode: \"{code}\"\n");
        let workshop = Workshop::with(&skill);
        let checked = workshop.world.place.run(&["check", "skills.yaml"]);
        assert_eq!(checked.code, 1, "{code}: {checked:?}");
        assert!(checked.stdout.contains("error[E041]"), "{checked:?}");
        assert!(checked.stdout.contains(words), "{code}: {checked:?}");
    }
    // One that is called is fine, and so is one that is reached by some runs only.
    for code in [
        "(async () => ({x: 1}))()",
        "if (args.a) { return {x: 1} } () => 1",
        "[1].map((x) => ({x}))[0]",
    ] {
        let skill = format!("id: bare\nlevel: 1\noperation: TRANSFORM\ncode: \"{code}\"\n");
        let workshop = Workshop::with(&skill);
        let checked = workshop
            .world
            .place
            .run(&["check", "skills.yaml", "--no-hints"]);
        assert_eq!(checked.code, 0, "{code}: {checked:?}");
    }
}

#[test]
fn its_input_is_validated_before_anything_runs() {
    let workshop = Workshop::with(STOPS);
    let ran = workshop.run("stops", &json!({"owner": "acme"}));
    assert_eq!(ran["error"]["code"], "VALIDATION", "{ran}");
    assert!(
        ran["error"]["message"].as_str().unwrap().contains("repo"),
        "{ran}"
    );
    assert_eq!(workshop.requests(), 0);
}

#[test]
fn the_policy_holds_for_every_step() {
    let workshop = Workshop::with(STOPS);
    let strict = workshop.world.also(&["--read-only"]);
    let input = rocket(json!({})).to_string();
    let ran: Value = strict.capstan(&["run", "stops", "--input", &input]);
    assert_eq!(ran["error"]["code"], "POLICY", "{ran}");
    assert_eq!(workshop.written(), [""; 0]);
}

/// What the checker can only hint at holds when it runs.
#[test]
fn values_are_held_to_their_contracts() {
    let takes = "id: takes
level: 1
operation: TRANSFORM
code: 'return {took: args.k}'
input_schema: {type: object, properties: {k: {type: integer, minimum: 10}}, required: [k]}
output_schema: {type: object, properties: {took: {type: integer, maximum: 20}}, required: [took]}
";
    let gives = "id: gives
level: 1
operation: TRANSFORM
code: 'return {k: args.n}'
input_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
output_schema: {type: object, properties: {k: {type: integer}}, required: [k]}
";
    let workshop = Workshop::with(&format!(
        "id: bounds\nlevel: 2\ncomposes: [gives, takes]\n---\n{gives}---\n{takes}"
    ));
    for (n, step) in [(3, "takes"), (30, "takes"), (15, "")] {
        let ran = workshop.run("bounds", &json!({"n": n}));
        match step {
            "" => assert_eq!(ran["data"]["took"], n, "{ran}"),
            step => {
                assert_eq!(ran["error"]["code"], "VALIDATION", "{n}: {ran}");
                assert_eq!(ran["error"]["details"]["step"], step, "{n}: {ran}");
            }
        }
    }
}

/// A skill that copies something writes what it read; what people see is another matter.
#[test]
fn what_goes_from_step_to_step_is_whole() {
    let workshop = Workshop::with(
        "id: copy
level: 3
composes:
  - {skill: issue.create, as: first, inputs: {title: $input.title}}
  - {skill: issue.create, as: second, inputs: {title: $again.output.title}}
  - {skill: issue.view, as: again, inputs: {issue_number: $first.output.number}}
outputs: {title: $again.output.title}
input_schema:
  type: object
  properties: {owner: {type: string}, repo: {type: string}, title: {type: string}}
  required: [owner, repo, title]
",
    );
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let title = format!("about {token}");
    let ran = workshop.run("copy", &rocket(json!({"title": title})));
    assert_eq!(ran["ok"], true, "{ran}");
    assert_eq!(ran["data"]["title"], "about [redacted]", "{ran}");
    let same = workshop.github.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let issues = world.repositories[repo.0].issues.values();
        issues.filter(|issue| issue.title == title).count()
    });
    assert_eq!(same, 2);
}
