//! A plan is ready only if every word of its intent was read, whatever the words are: nobody has to know the words
//! that forbid, put off or take back.

use serde_json::{Value, json};

use super::support::ok;
use crate::code::surface::{Server, World};

/// What is told about an intent.
struct Told {
    answer: Value,
    tasks: Vec<String>,
}

impl Told {
    fn is_ready(&self) -> bool {
        let data = &self.answer["data"];
        let plan = &data["plan"];
        let signs = [
            plan["ready"] == true,
            plan.get("accept").is_some(),
            data["confidence"] == "high",
        ];
        signs.into_iter().any(|sign| sign)
    }

    fn note(&self) -> &str {
        self.answer["meta"]["note"].as_str().unwrap_or_default()
    }

    fn unread(&self) -> Vec<&str> {
        let unread = self.answer["data"]["unread"].as_array();
        let unread = unread.into_iter().flatten();
        unread.map(|word| word.as_str().unwrap()).collect()
    }

    fn is_negated(&self) -> bool {
        self.answer["data"].get("negated").is_some()
    }

    fn input(&self, place: usize) -> &Value {
        &self.answer["data"]["plan"]["steps"][place]["input"]
    }
}

fn told(server: &mut Server, intent: &str) -> Told {
    let answer = server.execute(&json!({"intent": intent}));
    let steps = ok(&answer)["plan"]["steps"].as_array();
    let steps = steps.into_iter().flatten();
    let tasks = steps.map(|step| step["task"].as_str().unwrap().to_owned());
    Told {
        tasks: tasks.collect(),
        answer,
    }
}

/// Sixty intents that were written by somebody who had not seen the code.
#[test]
fn prohibitions_are_never_ready_and_plain_orders_keep_their_steps() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let cases = include_str!("../../../../capstan-bench/data/orders.jsonl");
    let (mut problems, mut prohibitions) = (Vec::new(), 0);
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let told = told(mcp.server(), case["intent"].as_str().unwrap());
        let capability = case["capability"].as_str().unwrap();
        let is_planned = told.tasks.iter().any(|task| task == capability);
        let is_right = match case["class"].as_str().unwrap() {
            "prohibition" => {
                prohibitions += 1;
                !(told.is_ready() || told.is_negated() && is_planned)
            }
            _ => is_planned && told.is_ready() == (case["ready"] == true),
        };
        if !is_right {
            problems.push(format!("{case}: {}", told.answer));
        }
    }
    assert_eq!(prohibitions, 30);
    assert!(problems.is_empty(), "{problems:#?}");
}

const PLAIN: [&str; 14] = [
    "close issue 3 in acme/rocket",
    "please merge pull request 27 in acme/rocket",
    "comment \"Done\" on issue 3 in acme/rocket",
    "label issue 3 in acme/rocket with 'bug'",
    "assign @priya-nair to issue 3 in acme/rocket",
    "close issue 3 in acme/rocket and reopen issue 4",
    "in acme/rocket, reopen issue 3",
    "can you close issue 3 in acme/rocket",
    "close issue 3 in acme/rocket as not planned",
    "show issue 3 in acme/rocket",
    "list closed issues in acme/rocket",
    "list releases of acme/rocket",
    "which checks does pr 27 in acme/rocket have",
    "show the checks of pr 27 in acme/rocket",
];

const UNKNOWN: [&str; 23] = [
    "zorp",
    "later",
    "prohibited",
    "donot",
    "hardly",
    "❌",
    "!",
    "tomorrow",
    "beware",
    "kidding",
    "wait",
    "pretend",
    "unless",
    "failed",
    "banned",
    "=false",
    "нельзя",
    "nie",
    "almost",
    "remind",
    "x",
    "42",
    "\u{200b}",
];

/// Any word that is not known, anywhere in an intent that is ready, makes it one that is not.
#[test]
fn a_word_that_was_not_read_keeps_a_plan_from_being_ready() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    let mut next = 0;
    let mut problems = Vec::new();
    for plain in PLAIN {
        let ready = told(server, plain);
        assert!(ready.is_ready(), "{plain}: {}", ready.answer);
        let words = words(plain);
        for place in 0..=words.len() {
            for _ in 0..4 {
                let unknown = UNKNOWN[next % UNKNOWN.len()];
                next += 1;
                let mut intent = words.clone();
                intent.insert(place, unknown);
                let intent = intent.join(" ");
                let told = told(server, &intent);
                let is_named = told.is_negated() || !told.note().is_empty();
                if told.is_ready() || !is_named {
                    problems.push(format!("{intent}: {}", told.answer));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// The words of an intent, with what is quoted as one.
fn words(intent: &str) -> Vec<&str> {
    intent.split(' ').collect()
}

/// All of them are named, not only the first, and only so many.
#[test]
fn every_unread_word_is_named_in_order() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    for (intent, expected) in [
        (
            "merging pr 27 in acme/rocket is prohibited",
            &["merging", "is", "prohibited"][..],
        ),
        ("merge pr 27 in acme/rocket later", &["later"]),
        (
            "close issue 3 in acme/rocket \"do not do it\"",
            &["do not do it"],
        ),
        ("list failed workflow runs in acme/rocket", &["failed"]),
        (
            "close issue 3 in acme/rocket, it is no longer needed",
            &["is", "no", "longer", "needed"],
        ),
        ("!close issue 3 in acme/rocket", &["!close"]),
        ("merge pr 27 in acme/rocket ❌", &["❌"]),
    ] {
        let told = told(server, intent);
        assert!(!told.is_ready(), "{intent}: {}", told.answer);
        let found = told.unread();
        for word in expected {
            assert!(found.contains(word), "{intent}: {found:?}");
            assert!(
                told.note().contains(&format!("`{word}`")),
                "{}",
                told.note()
            );
        }
        assert!(!told.is_negated(), "{intent}: {}", told.answer);
    }
    let intent = "close issue 3 in acme/rocket ka kb kc kd ke kf kg kh ki kj";
    let told = told(server, intent);
    let note = "`ka`, `kb`, `kc`, `kd`, `ke`, `kf`, `kg`, `kh` and 2 more";
    assert!(told.note().contains(note), "{}", told.note());
}

/// What an option of the capability says is filled in, not left out.
#[test]
fn options_that_are_said_are_filled_in() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let server = mcp.server();
    for (intent, task, field, value) in [
        (
            "list closed issues in acme/rocket",
            "issue.list",
            "state",
            "closed",
        ),
        (
            "list all issues in acme/rocket",
            "issue.list",
            "state",
            "all",
        ),
        (
            "list all open issues in acme/rocket",
            "issue.list",
            "state",
            "open",
        ),
        (
            "list issues in acme/rocket that are closed",
            "issue.list",
            "state",
            "closed",
        ),
        (
            "list merged pull requests in acme/rocket",
            "pr.list",
            "state",
            "merged",
        ),
        (
            "list issues assigned to @maya-chen in acme/rocket",
            "issue.list",
            "assignee",
            "maya-chen",
        ),
        (
            "list prs by @priya-nair in acme/rocket",
            "pr.list",
            "author",
            "priya-nair",
        ),
        (
            "list the resolved review threads of pr 27 in acme/rocket",
            "pr.threads.list",
            "state",
            "resolved",
        ),
        (
            "close issue 3 in acme/rocket as not planned",
            "issue.close",
            "reason",
            "not_planned",
        ),
    ] {
        let told = told(server, intent);
        assert_eq!(told.tasks, [task], "{intent}: {}", told.answer);
        assert_eq!(told.input(0)[field], value, "{intent}: {}", told.answer);
        assert!(told.is_ready(), "{intent}: {}", told.answer);
    }
    // What is said of nobody, or the other way round, is no value.
    for intent in [
        "list issues that are not closed in acme/rocket",
        "list issues without assignee in acme/rocket",
        "list issues not assigned to @maya-chen in acme/rocket",
        "list non-draft prs in acme/rocket",
        "show issue 3 in acme/rocket without comments",
    ] {
        let told = told(server, intent);
        assert!(!told.is_ready(), "{intent}: {}", told.answer);
        let filled = ["state", "assignee"]
            .iter()
            .any(|it| told.input(0).get(*it).is_some());
        assert!(!filled, "{intent}: {}", told.answer);
    }
    let told = told(server, "show issue 3 in acme/rocket without comments");
    assert_eq!(told.tasks, ["issue.view"], "{}", told.answer);
}

/// A question about what writes orders nothing, and what stays as it is is not ended by another part.
#[test]
fn questions_and_states_that_stay_plan_nothing_that_writes() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for intent in [
        "was issue 3 in acme/rocket closed by someone?",
        "did someone merge pr 27 in acme/rocket?",
        "should I merge pr 27 in acme/rocket?",
        "issue 3 in acme/rocket must stay open, whoever asks to close it",
        "keep issue 3 in acme/rocket open and close it",
        "merge pr 27 in acme/rocket is not allowed",
    ] {
        let told = told(mcp.server(), intent);
        let writes = ["issue.close", "issue.reopen", "pr.merge"];
        let is_write = |task: &String| writes.contains(&task.as_str());
        assert!(
            !told.tasks.iter().any(is_write),
            "{intent}: {}",
            told.answer
        );
        assert!(!told.is_ready(), "{intent}: {}", told.answer);
    }
}

/// A reason negates no order: the plan is shown, and its unread words are named.
#[test]
fn a_reason_is_no_negation() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for intent in [
        "close issue 3 in acme/rocket, it is no longer needed",
        "close issue 3 in acme/rocket because we never got an answer",
        "there is nothing left to do, close issue 3 in acme/rocket",
        "can't you close issue 3 in acme/rocket?",
        "close issue 3 in acme/rocket now, don't wait",
        "close issue 3 in acme/rocket, no one can reproduce it",
    ] {
        let told = told(mcp.server(), intent);
        assert_eq!(told.tasks, ["issue.close"], "{intent}: {}", told.answer);
        assert!(
            !told.is_ready() && !told.is_negated(),
            "{intent}: {}",
            told.answer
        );
        assert!(told.note().contains("it does not cover"), "{}", told.note());
    }
    for (intent, task) in [
        (
            "comment 'do not merge this yet' on pr 27 in acme/rocket",
            "pr.comments.create",
        ),
        (
            "label issue 3 in acme/rocket 'no-repro'",
            "issue.labels.add",
        ),
        (
            "remove the label 'do-not-merge' from pr 27 in acme/rocket",
            "issue.labels.remove",
        ),
        (
            "don't forget to close issue 3 in acme/rocket",
            "issue.close",
        ),
    ] {
        let told = told(mcp.server(), intent);
        assert_eq!(told.tasks, [task], "{intent}: {}", told.answer);
        assert!(told.is_ready(), "{intent}: {}", told.answer);
    }
}
