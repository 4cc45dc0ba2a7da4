//! What to run for an intent, and running it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::support::{exec_and_name, ok};
use crate::code::surface::{Server, World};

fn suggested(world: &World, intent: &str) -> Value {
    let answer = world.capstan(&["suggest", intent]);
    ok(&answer).clone()
}

/// The factors are told, and their product is the score.
#[test]
fn every_factor_is_told() {
    let world = World::demo();
    let data = suggested(&world, "merge the pull request");
    let suggestions = data["suggestions"].as_array().unwrap();
    assert_eq!(suggestions[0]["capability"], "pr.merge");
    assert!(suggestions.len() <= 5);
    for it in suggestions {
        let number = |field: &str| it[field].as_f64().unwrap();
        let product = number("relevance") * number("reliability");
        assert!((number("score") - product).abs() < 0.011, "{it}");
        assert!(!it["why"].as_str().unwrap().is_empty(), "{it}");
    }
}

/// A suggestion has what the intent says, never what the card's example says.
#[test]
fn suggestions_have_the_values_of_the_intent_and_name_what_is_missing() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for (intent, capability, input, missing) in [
        (
            "close issue 3 in octo/cat",
            "issue.close",
            json!({"owner": "octo", "repo": "cat", "issue_number": 3}),
            json!(null),
        ),
        (
            "close issue 3",
            "issue.close",
            json!({"issue_number": 3}),
            json!(["owner", "repo"]),
        ),
        (
            "close the issue",
            "issue.close",
            json!({}),
            json!(["owner", "repo", "issue_number"]),
        ),
        (
            "comment \"$s0.data\" on issue 3 in octo/cat",
            "issue.comments.create",
            json!({"owner": "octo", "repo": "cat", "issue_number": 3, "body": "$s0.data"}),
            json!(null),
        ),
        (
            "merge pr 7 in octo/cat and close issue 3",
            "issue.close",
            json!({"owner": "octo", "repo": "cat", "issue_number": 3}),
            json!(null),
        ),
    ] {
        let here = world.capstan(&["suggest", intent]);
        let there = mcp.server().execute(&json!({"intent": intent}));
        for told in [here, there] {
            let all = ok(&told)["suggestions"].as_array().unwrap();
            let found = all.iter().find(|it| it["capability"] == capability);
            let found = found.unwrap_or_else(|| panic!("{told}"));
            assert_eq!(found["input"], input, "{intent}: {told}");
            assert_eq!(found["missing"], missing, "{intent}: {told}");
            for it in all {
                let example = it["input"]["repo"] == "rocket" || it["input"]["owner"] == "acme";
                assert!(!example, "{intent}: {it}");
            }
        }
    }
    // What is given beside the intent counts as said.
    let told = world.capstan(&[
        "suggest",
        "close issue 3",
        "--input",
        r#"{"owner":"octo","repo":"cat"}"#,
    ]);
    let first = &ok(&told)["suggestions"][0];
    assert_eq!(
        first["input"],
        json!({"owner": "octo", "repo": "cat", "issue_number": 3})
    );
}

/// AC 7: what is found for an intent comes with what it depends on.
#[test]
fn dependencies_come_along() {
    let world = World::demo();
    for (to, kind) in [
        ("issue.view", "dependency"),
        ("issue.list", "dependency"),
        ("pr.view", "sequence"),
    ] {
        ok(&world.capstan(&["dep", "add", "issue.close", to, "--type", kind]));
    }
    let data = suggested(&world, "close the issue");
    let first = &data["suggestions"][0];
    assert_eq!(first["capability"], "issue.close", "{data}");
    let needs = first["needs"].as_array().unwrap().iter();
    let needs: BTreeSet<_> = needs.map(|it| it.as_str().unwrap()).collect();
    assert_eq!(
        needs,
        BTreeSet::from(["issue.list", "issue.view"]),
        "{data}"
    );
    // Only what it needs itself.
    assert!(data["suggestions"][1].get("needs").is_none(), "{data}");
}

#[test]
fn what_nothing_fits_is_said_to_be_so() {
    let world = World::demo();
    for intent in ["bake a sourdough bread", "what is the weather in Oslo"] {
        let answer = world.capstan(&["suggest", intent]);
        assert_eq!(ok(&answer)["confidence"], "low", "{answer}");
        assert!(answer["meta"]["note"].is_string(), "{answer}");
        let accepted = world.capstan(&["suggest", intent, "--accept"]);
        assert_eq!(accepted["error"]["code"], "VALIDATION", "{accepted}");
    }
}

#[test]
fn several_things_to_do_are_a_plan_that_can_be_sent() {
    let world = World::demo();
    let intent = "close issue 3 in acme/rocket and reopen issue 3";
    let data = suggested(&world, intent);
    let plan = &data["plan"];
    assert_eq!(plan["ready"], true, "{data}");
    let tasks: Vec<_> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["task"])
        .collect();
    assert_eq!(tasks, ["issue.close", "issue.reopen"]);
    let mut mcp = world.mcp();
    // Each is told in its own words how to have it run.
    let here = world.capstan(&["suggest", intent]);
    let there = mcp.server().execute(&json!({"intent": intent}));
    for (answer, accept) in [(here, "`--accept="), (there, "`accept: \"")] {
        let note = answer["meta"]["note"].as_str().unwrap();
        assert!(note.contains(accept), "{note}");
    }
    let sent = mcp.server().execute(&json!({"steps": plan["steps"]}));
    assert_eq!(sent["status"], "success", "{sent}");
    let accepted = accept(mcp.server(), intent);
    assert_eq!(accepted["status"], "success", "{accepted}");
}

/// Nothing is written that nobody has seen: what writes is accepted by what stands for just this plan.
#[test]
fn what_writes_is_accepted_as_it_was_seen() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    let intent = "close issue 3 in acme/rocket";
    let unseen = server.execute(&json!({"intent": intent, "accept": true}));
    assert_eq!(unseen["error"]["code"], "VALIDATION", "{unseen}");
    let mend = &unseen["error"]["details"]["mend"]["arguments"];
    let told = server.execute(&json!({"intent": intent}));
    assert_eq!(ok(&told)["plan"]["accept"], mend["accept"], "{told}");
    // Another plan is not the one that was seen.
    for other in [
        json!({"intent": "close issue 4 in acme/rocket", "accept": mend["accept"]}),
        json!({"intent": intent, "accept": mend["accept"], "input": {"reason": "not_planned"}}),
        json!({"intent": intent, "accept": "00000000"}),
    ] {
        let refused = server.execute(&other);
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("this plan differs"), "{refused}");
    }
    let seen = json!({"capability": "issue.view",
        "input": {"owner": "acme", "repo": "rocket", "issue_number": 3}});
    assert_eq!(ok(&server.execute(&seen))["state"], "open");
    assert_eq!(ok(&server.execute(mend))["changed"], true);
    // On the command line as well.
    let told = world.capstan(&["suggest", intent]);
    let code = ok(&told)["plan"]["accept"].as_str().unwrap().to_owned();
    assert!(told["meta"]["note"].as_str().unwrap().contains(&code));
    let done = world.capstan(&["suggest", intent, &format!("--accept={code}")]);
    assert_eq!(ok(&done)["changed"], true, "{done}");
    // What only looks needs no look.
    let looked = world.capstan(&["suggest", "show issue 3 in acme/rocket", "--accept"]);
    assert_eq!(ok(&looked)["number"], 3, "{looked}");
}

/// Looks at what is suggested, and accepts it.
fn accept(server: &mut Server, intent: &str) -> Value {
    let told = server.execute(&json!({"intent": intent}));
    let code = &ok(&told)["plan"]["accept"];
    assert!(code.is_string(), "{intent}: {told}");
    server.execute(&json!({"intent": intent, "accept": code}))
}

/// It is not run without a look at it, and whoever looks is told why.
fn is_refused(server: &mut Server, intent: &str) {
    let refused = server.execute(&json!({"intent": intent, "accept": true}));
    assert_eq!(
        refused["error"]["code"], "VALIDATION",
        "{intent}: {refused}"
    );
    let told = server.execute(&json!({"intent": intent}));
    assert!(is_objected(&told), "{intent}: {told}");
}

/// Whether something speaks against a plan, and is told.
fn is_objected(told: &Value) -> bool {
    let data = ok(told);
    let note = told["meta"]["note"].as_str().unwrap_or_default();
    let is_fine = note.starts_with("the plan is ready:") || note.starts_with("the plan writes: if");
    data["confidence"] == "low" || data["plan"]["ready"] != true || !is_fine
}

#[test]
fn what_is_missing_is_told_before_anything_is_run() {
    let world = World::demo();
    let intent = "comment on issue 3 in acme/rocket";
    let refused = world.capstan(&["suggest", intent, "--accept"]);
    assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("body of issue.comments.create"),
        "{message}"
    );
    let update = world.capstan(&["suggest", "update issue 3 in acme/rocket"]);
    let steps = &ok(&update)["plan"]["steps"];
    assert_eq!(steps[0]["missing"], json!(["title or body"]), "{update}");
    let input = r#"{"body":"Done."}"#;
    let told = world.capstan(&["suggest", intent, "--input", input]);
    let code = ok(&told)["plan"]["accept"].as_str().unwrap();
    let code = format!("--accept={code}");
    let done = world.capstan(&["suggest", intent, &code, "--input", input]);
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(done["meta"]["capability_id"], "issue.comments.create");
}

#[test]
fn accept_goes_with_an_intent_alone() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for wrong in [
        json!({"accept": true}),
        json!({"accept": true, "intent": "x", "capability": "issue.view"}),
        json!({"accept": true, "intent": "x", "code": "return 1"}),
        json!({"accept": "yes", "intent": "x"}),
    ] {
        let answer = mcp.server().execute(&wrong);
        assert_eq!(answer["error"]["code"], "VALIDATION", "{wrong} {answer}");
    }
}

fn inputs(data: &Value) -> Vec<(&str, &Value)> {
    let steps = data["plan"]["steps"].as_array().into_iter().flatten();
    steps
        .map(|step| (step["task"].as_str().unwrap(), &step["input"]))
        .collect()
}

/// Each thing to do has what is said for it, and what is said once is done once for each.
#[test]
fn each_step_has_its_own_values() {
    let world = World::demo();
    for (intent, expected) in [
        (
            "close issue 3 in acme/rocket and reopen issue 4",
            &[("issue.close", 3), ("issue.reopen", 4)][..],
        ),
        (
            "close issues 3, 4 and 6 in acme/rocket",
            &[("issue.close", 3), ("issue.close", 4), ("issue.close", 6)],
        ),
        (
            "close acme/rocket#3 and then reopen it",
            &[("issue.close", 3), ("issue.reopen", 3)],
        ),
    ] {
        let data = suggested(&world, intent);
        let found = inputs(&data);
        let found: Vec<_> = found
            .iter()
            .map(|(task, input)| (*task, input["issue_number"].as_i64().unwrap()))
            .collect();
        assert_eq!(found, expected, "{data}");
        assert_eq!(data["plan"]["ready"], true, "{data}");
    }
    let intent =
        "comment \"so be it, and now\" on issue 3 in acme/rocket, comment \"thanks\" on issue 4";
    let data = suggested(&world, intent);
    let bodies: Vec<_> = inputs(&data).iter().map(|(_, it)| &it["body"]).collect();
    assert_eq!(bodies, ["so be it, and now", "thanks"], "{data}");
}

/// A number is that of what it belongs to, or it is missing.
#[test]
fn numbers_are_never_made_up() {
    let world = World::demo();
    let mut seen = 0;
    for line in include_str!("../../../../capstan-bench/data/numbers.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let data = suggested(&world, case["intent"].as_str().unwrap());
        for (task, input) in inputs(&data) {
            let Some(expected) = case["inputs"].get(task) else {
                continue;
            };
            seen += 1;
            for field in ["issue_number", "pr_number"] {
                assert_eq!(input.get(field), expected.get(field), "{case} {data}");
            }
        }
    }
    assert!(seen >= 30, "{seen}");
}

/// A plan runs all of its steps, so what depends on something, or is not to be done, is not run.
#[test]
fn conditions_and_prohibitions_are_not_run() {
    let world = World::demo();
    for (intent, reason) in [
        (
            "show issue 3 in acme/rocket and if it is old close it",
            "says `if`",
        ),
        (
            "show issue 3 in acme/rocket, do not close issue 3",
            "what not to do",
        ),
        (
            "close issue 3 in acme/rocket, customers everywhere complaining",
            "no step for `customers everywhere complaining`",
        ),
    ] {
        let refused = world.capstan(&["suggest", intent, "--accept"]);
        assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
        let told = world.capstan(&["suggest", intent]);
        assert_eq!(told["data"]["confidence"], "low", "{told}");
        let note = told["meta"]["note"].as_str().unwrap();
        assert!(note.contains(reason), "{note}");
    }
    let data = suggested(&world, "show issue 3 in acme/rocket, do not close issue 3");
    assert!(
        inputs(&data).iter().all(|(task, _)| *task != "issue.close"),
        "{data}"
    );
}

/// What is not understood is told, beside the plan, and not run without a look at it.
#[test]
fn what_is_not_understood_is_told_and_not_run() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    for intent in [
        "revert the merge of PR 27 in acme/rocket",
        "can't close issue 3 in acme/rocket",
        "prevent closing issue 3 in acme/rocket",
        "stop closing issue 3 in acme/rocket",
        "delete the comment \"x\" on issue 3 in acme/rocket",
        "close every issue except issue 3 in acme/rocket",
        "assign issue 3 in acme/rocket to someone other than @priya-nair",
        "merge PR 27 in acme/rocket as long as CI is green",
        "merge PR 27 in acme/rocket after CI passes",
        "check that CI of PR 27 in acme/rocket is green, then merge it",
        "should I close issue 3 in acme/rocket",
        "dry-run: close issue 3 in acme/rocket",
        "close issue 3 in acme/rocket tomorrow",
        "squash and merge PR 27 in acme/rocket",
        "close issue 3 in acme/rocket and issue 5 in acme/site",
        "close issues 3 or 5 in acme/rocket",
        "close issues 3 to 5 in acme/rocket",
        "close the duplicate of issue 3 in acme/rocket",
        "close issue 3 in acme/rocket, I mean 4",
        "close issue 1 234 in acme/rocket",
        "close https://gitlab.com/acme/rocket/issues/3",
        "comment \"one\" and \"two\" on issue 3 in acme/rocket",
        "merge PR 27 in acme/rocket, then close issue 3",
        "close issue 3 and reopen issue 4 and assign @priya-nair in acme/rocket",
        "in acme/rocket close issue 1, close issue 3, close issue 5, close issue 6, close issue 7, \
         close issue 8, close issue 9, close issue 10, and do not run any of this",
        "close issues 1, 3, 5, 6, 7, 8, 9, 10, 11 and 12 in acme/rocket",
        "close issue 3 in acme/rocket ”tomorrow”",
        "close issue 3 in acme/rocket tomorrow\"\"",
        "close issue 3 in acme/rocket “a “b” tomorrow”",
        "close issue 3 in acme/rocket „tomorrow“",
        "close issue 3 in acme/rocket «tomorrow»",
        "❌\"done\" comment on issue 3 in acme/rocket",
        "close issue 3 in acme/rocket -\"\"",
        // What is said of something is no order to do it.
        "pr 27 in acme/rocket merged?",
        "the merged pr 27 in acme/rocket",
        "merged pull request 27 in acme/rocket",
        "merge pr 27 in acme/rocket?",
        "close issue 3 in acme/rocket?",
        "this closes issue 3 in acme/rocket",
        "acme/rocket#3 reopened",
        "label \"bug\" removed from issue 1 in acme/rocket",
        "the removed label \"bug\" of issue 1 in acme/rocket",
        "assignees of issue 3 in acme/rocket @priya-nair",
        "request to merge pr 27 in acme/rocket",
        "request the merge of pull request 27 in acme/rocket",
        "report closing of issue 3 in acme/rocket",
        "the comment from \"kim\" on issue 3 of acme/rocket",
        "comment on the \"fuel leak\" issue #3 in acme/rocket",
        "comments for \"kim\" on issue 3 in acme/rocket",
        // What one thing has is not another's.
        "show issue 1 in acme/rocket and add labels to issue 5",
        "show issue 1 in acme/rocket and assign issue 3",
        "show issue 2 in acme/rocket and close issue in acme/launchpad",
        "comment \"hi\" on issue 2 in acme/rocket and close in acme/launchpad",
        "create a pull request \"Sync\" in acme/rocket to \"main\" from \"count-dropped-frames\"",
        "reply \"Done\" in thread \"PRRT_1\" of pr 27 in acme/rocket",
        "close https://github.example.com/acme/rocket/issues/3",
        "close https://github.com.example.org/acme/rocket/issues/3",
        "delete the comments on issue 3 in acme/rocket",
        "comment \"done\" on pr 27 in acme/rocket and assign @priya-nair to the bug",
        "merge pr 27 in acme/rocket, to #49",
        "close issue 3 in acme/rocket, with #5",
        "open an issue \"Fix the pump\", \"It leaks\" in acme/rocket",
        "label issue 3 in acme/rocket from \"bug\" to \"documentation\"",
        "close except:https://github.com/acme/rocket/issues/3",
        "close issue 5 in https://github.com/acme/rocket/issues/3,4",
        // To look at something is not what was asked for.
        "archive the repository acme/rocket",
        "disable workflow runs in acme/rocket",
    ] {
        is_refused(server, intent);
    }
    for (intent, input) in [
        (
            "show issue 3 in acme/rocket and close issue 4",
            json!({"issue_number": 5}),
        ),
        (
            "close issue 3 in acme/rocket",
            json!({"resaon": "not_planned"}),
        ),
    ] {
        let wrong = json!({"intent": intent, "accept": true, "input": input});
        let refused = server.execute(&wrong);
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("`input."), "{refused}");
        let told = server.execute(&json!({"intent": intent, "input": input}));
        let note = told["meta"]["note"].as_str().unwrap();
        assert!(note.contains("`input."), "{told}");
        assert!(ok(&told)["plan"].get("accept").is_none(), "{told}");
    }
    for intent in [
        "close issue 3 in acme/rocket",
        "please reopen ticket #3 in acme/rocket",
        "can you close https://github.com/acme/rocket/issues/3?",
        "assign @priya-nair to issue 3 in acme/rocket",
        "comment \"if this breaks, don't worry\" on issue 3 in acme/rocket",
        "add a comment \"Done\" to issue 3 in acme/rocket",
        "comment on issue 3 in acme/rocket with \"Done\"",
        "close issues 1, 3 and 5 in acme/rocket",
        "close issue 3 in acme/rocket as not planned",
        "label issue 3 in acme/rocket with \"bug\"",
        "remove the label \"bug\" from issue 3 in acme/rocket",
        "in acme/rocket, reopen issue 3",
        "show issue 3 in acme/rocket and close it",
        "show issue 3 in acme/rocket",
        "which checks does pr 27 in acme/rocket have?",
    ] {
        let told = server.execute(&json!({"intent": intent}));
        assert!(!is_objected(&told), "{intent}: {told}");
        let code = ok(&told)["plan"].get("accept");
        let code = code.cloned().unwrap_or(json!(true));
        let done = server.execute(&json!({"intent": intent, "accept": code}));
        assert!(
            done["ok"] == true || done["status"] == "success",
            "{intent}: {done}"
        );
    }
    let mut input =
        json!({"intent": "close issue 6 in acme/rocket", "input": {"reason": "not_planned"}});
    let told = server.execute(&input);
    input["accept"] = ok(&told)["plan"]["accept"].clone();
    let done = server.execute(&input);
    assert_eq!(done["data"]["state_reason"], "not_planned", "{done}");
}

/// Code is run for an intent if it is named, or asked for as it was described: what is only a part of that,
/// or its opposite, has the same words.
#[test]
fn code_is_run_for_what_it_is_for_alone() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for (name, intent) in [
        (
            "archive",
            "archive the telemetry logs and delete the originals",
        ),
        ("rotate", "rotate the signing keys but not the master key"),
        ("sync", "sync the flags from production to staging"),
    ] {
        exec_and_name(&mut mcp, name, intent, &format!("return {}", json!(intent)));
    }
    let server = mcp.server();
    for intent in [
        "archive the telemetry logs",
        "archived the telemetry logs and deleted the originals",
        "rotate the master key",
        "rotate not the signing keys",
        "sync the flags from staging to production",
        "sync the flags from production to staging?",
    ] {
        is_refused(server, intent);
    }
    let done = accept(server, "please sync the flags from production to staging");
    assert_eq!(ok(&done), "sync the flags from production to staging");
}

/// A name among other words is heard.
#[test]
fn what_is_named_is_meant() {
    let world = World::demo();
    let mut mcp = world.mcp();
    exec_and_name(&mut mcp, "my-nightly-sweep", "tidy the backlog", "return 1");
    let server = mcp.server();
    for (intent, expected) in [
        ("run my-nightly-sweep", "my-nightly-sweep"),
        ("please call my-nightly-sweep now", "my-nightly-sweep"),
        ("pr.checks.list for pr 27 in acme/rocket", "pr.checks.list"),
    ] {
        let told = server.execute(&json!({"intent": intent}));
        let first = &ok(&told)["suggestions"][0];
        assert_eq!(first["capability"], expected, "{intent}: {told}");
        assert_eq!(ok(&told)["confidence"], "high", "{intent}: {told}");
    }
    assert_eq!(ok(&accept(server, "run my-nightly-sweep")), 1);
}

/// What is quoted is sent as it stands, with quotes inside it.
#[test]
fn quotes_within_quotes_are_kept() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 3, "first": 100});
    for (quoted, body) in [
        ("\"“Hello” she said\"", "“Hello” she said"),
        ("\"«done»\"", "«done»"),
        ("“he said \"stop\"”", "he said \"stop\""),
    ] {
        let intent = format!("comment {quoted} on issue 3 in acme/rocket");
        ok(&accept(server, &intent));
        let list = json!({"capability": "issue.comments.list", "input": input});
        let listed = server.execute(&list);
        let comments = ok(&listed)["comments"].as_array().unwrap();
        assert!(comments.iter().any(|it| it["body"] == body), "{comments:?}");
    }
}

/// What usually comes first does not decide what "it" is, nor the order of what is run.
#[test]
fn habits_do_not_change_what_was_said() {
    let world = World::demo();
    let habit = [
        "dep",
        "add",
        "issue.close",
        "issue.reopen",
        "--type",
        "sequence",
    ];
    ok(&world.capstan(&habit));
    let intent = "reopen issue 4 in acme/rocket and close it";
    let told = world.capstan(&["suggest", intent]);
    let note = told["meta"]["note"].as_str().unwrap();
    assert!(note.contains("order differs"), "{told}");
    let data = suggested(&world, intent);
    let tasks: Vec<_> = inputs(&data).iter().map(|(task, _)| *task).collect();
    assert_eq!(tasks, ["issue.close", "issue.reopen"], "{data}");
    for (_, input) in inputs(&data) {
        assert_eq!(input["issue_number"], 4, "{data}");
    }
}

/// What somebody quotes is a text, also if it looks like a reference to another step.
#[test]
fn quoted_texts_are_no_references() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    for intent in [
        "comment \"$s0.data.number\" on issue 3 in acme/rocket",
        "show issue 3 in acme/rocket, comment \"$s0.data.number\" on issue 3",
    ] {
        let done = accept(server, intent);
        assert!(done["ok"] == true || done["status"] == "success", "{done}");
    }
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 3, "first": 100});
    let listed = server.execute(&json!({"capability": "issue.comments.list", "input": input}));
    let comments = ok(&listed)["comments"].as_array().unwrap();
    let literal = comments.iter().filter(|it| it["body"] == "$s0.data.number");
    assert_eq!(literal.count(), 2, "{comments:?}");
}

/// Intents that need several capabilities: what an expert would use is among the first five.
#[test]
fn plans_hold_what_is_needed() {
    let world = World::demo();
    let cases = include_str!("../../../../capstan-bench/data/multi_step.jsonl");
    let (mut right, mut wrong) = (0, Vec::new());
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["part"] != "validation" {
            continue;
        }
        let intent = case["intent"].as_str().unwrap();
        let data = suggested(&world, intent);
        let names = |all: &Value, field: Option<&str>| -> BTreeSet<String> {
            let all = all.as_array().unwrap().iter();
            let names = all.map(|it| field.map_or(it, |field| &it[field]));
            names.map(|it| it.as_str().unwrap().to_owned()).collect()
        };
        let wanted = names(&case["capabilities"], None);
        let got = names(&data["suggestions"], Some("capability"));
        if wanted.is_subset(&got) {
            right += 1;
        } else {
            wrong.push((intent.to_owned(), wanted, got));
        }
    }
    assert_eq!(right + wrong.len(), 80);
    assert!(right >= 64, "{right}: {wrong:#?}");
}
