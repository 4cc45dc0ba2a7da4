//! Skills that are drafted from what was done do it again.

use capstan_core::Source;
use capstan_skill::read_text;
use serde_json::{Map, Value, json};

use super::world::{Workshop, rocket};
use crate::cli::harness::Ran;
use crate::code::surface::{Surface as _, World};

fn workshop() -> Workshop {
    Workshop::with("id: other\nlevel: 1\ncode: return args\n")
}

/// What is printed for people, into a pipe.
fn draft(workshop: &Workshop, args: &[&str]) -> Ran {
    let mut all = vec!["skill", "draft", "--from-trace"];
    all.extend(args);
    workshop.world.place.run(&all)
}

/// The input that was observed.
fn examples(yaml: &str) -> Value {
    let read = read_text(&Source::new("draft.yaml", yaml));
    let schema = read.skills[0].input_schema.clone().unwrap().value;
    let properties = schema["properties"].as_object().cloned().unwrap();
    let first = |(name, it): (String, Value)| (name, it["examples"][0].clone());
    properties
        .into_iter()
        .map(first)
        .collect::<Map<_, _>>()
        .into()
}

/// Drafts the last execution, has it checked, runs it, and gives what it gave and what was written.
fn again(workshop: &Workshop, id: &str) -> (Value, Vec<String>) {
    let drafted = draft(workshop, &["last", "--id", id]);
    assert_eq!(drafted.code, 0, "{}", drafted.all());
    let place = &workshop.world.place;
    let file = place.write(&format!("{id}.yaml"), &drafted.stdout);
    let file = file.to_str().unwrap();
    let checked = place.run(&["check", file]);
    assert_eq!(checked.code, 0, "{}\n{}", checked.all(), drafted.stdout);
    let before = workshop.written().len();
    let world = workshop.world.also(&["--skills", file]);
    let ran = world.cli().run(id, &examples(&drafted.stdout));
    assert_eq!(ran["ok"], true, "{ran}\n{}", drafted.stdout);
    (ran["data"].clone(), workshop.written().split_off(before))
}

/// What people see of an issue, without what tells it from others.
fn seen(workshop: &Workshop, issue: u64) -> Value {
    let mut cli = workshop.world.cli();
    let input = rocket(json!({"issue_number": issue}));
    let view = cli.run("issue.view", &input)["data"].clone();
    let comments = cli.run("issue.comments.list", &input)["data"].clone();
    let bodies: Vec<_> = comments["comments"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|comment| comment["body"].clone())
        .collect();
    json!({"title": view["title"], "labels": view["labels"], "state": view["state"], "comments": bodies})
}

#[test]
fn a_chain_is_done_again() {
    let workshop = workshop();
    let chain = json!([
        {"task": "issue.create", "as": "made", "input": rocket(json!({"title": "Valve sticks: again", "body": "$5 \"reward\"\n# no"}))},
        {"task": "issue.labels.add", "input": rocket(json!({"issue_number": "$made.data.number", "labels": ["bug"]}))},
        {"task": "issue.comments.create", "input": rocket(json!({"issue_number": "$made.data.number", "body": "- looked at it"}))},
        {"task": "repo.view", "input": rocket(json!({}))},
    ]);
    let file = workshop.world.place.write("chain.json", chain.to_string());
    let done = workshop.world.capstan(&["chain", file.to_str().unwrap()]);
    assert_eq!(done["status"], "success", "{done}");
    let (data, _) = again(&workshop, "valve");
    let number = |data: &Value| data["number"].as_u64().unwrap();
    let (old, new) = (number(&done["results"][0]["data"]), number(&data["made"]));
    assert_eq!(new, old + 1, "one is opened, and no more");
    assert_eq!(seen(&workshop, new), seen(&workshop, old));
    assert_eq!(data["view"]["full_name"], "acme/rocket", "{data}");
}

#[test]
fn code_is_done_again() {
    let workshop = workshop();
    let code = "const at = { owner: 'acme', repo: 'rocket' };
        const [one, two] = await Promise.all([2, 3].map((n) => capstan.issue.view({ ...at, issue_number: n })));
        const made = await capstan.issue.create({ ...at, title: one.title, body: two.url });
        await capstan.issue.labels.add({ ...at, issue_number: made.number, labels: ['bug'] });
        await capstan.issue.view({ ...at, issue_number: 999999 }).catch(() => null);
        return await capstan.issue.view({ ...at, issue_number: made.number });";
    let done = workshop.world.cli().exec("Copy an issue", code, &json!({}));
    assert_eq!(done["ok"], true, "{done}");
    let first = workshop.written();
    let drafted = draft(&workshop, &["last"]);
    assert!(
        drafted.stdout.contains("id: copy-an-issue\n"),
        "{}",
        drafted.stdout
    );
    assert!(
        drafted.stderr.contains("left out: `issue.view` failed"),
        "{}",
        drafted.stderr
    );
    let (data, second) = again(&workshop, "copy");
    assert_eq!(second, first);
    let number = |data: &Value| data["number"].as_u64().unwrap();
    let (old, new) = (
        number(&done["data"]),
        number(data.as_object().unwrap().values().next().unwrap()),
    );
    assert_ne!(old, new);
    assert_eq!(seen(&workshop, new), seen(&workshop, old));
}

#[test]
fn a_skill_a_call_and_a_draft_are_done_again() {
    let skill = "id: twice\nlevel: 2\ncomposes:\n  - {skill: issue.view, as: look}\n  - {skill: issue.close, as: shut, inputs: {issue_number: $look.output.number}}\n";
    let workshop = Workshop::with(skill);
    workshop.run("twice", &rocket(json!({"issue_number": 2})));
    let drafted = draft(&workshop, &["last"]).stdout;
    assert!(
        drafted.contains("as: look\n") && drafted.contains("as: shut\n"),
        "{drafted}"
    );
    let (data, _) = again(&workshop, "thrice");
    assert_eq!(data["shut"]["state"], "closed", "{data}");
    // Now the last thing that was run is the draft.
    let (data, written) = again(&workshop, "again");
    assert_eq!(
        (&data["shut"]["state"], written.len()),
        (&json!("closed"), 0),
        "{data}"
    );
    workshop.run("issue.view", &rocket(json!({"issue_number": 1})));
    let (data, _) = again(&workshop, "one");
    assert_eq!(data["view"]["number"], 1, "{data}");
}

#[test]
fn what_cannot_be_drafted_is_told() {
    let workshop = workshop();
    let none = draft(&workshop, &["last"]);
    assert_eq!(none.code, 1, "{}", none.all());
    workshop.run("issue.view", &rocket(json!({"issue_number": 999_999})));
    let failed = draft(&workshop, &["last"]);
    assert_eq!(failed.code, 2, "{}", failed.all());
    assert!(failed.stdout.contains("VALIDATION"), "{}", failed.all());
    assert!(
        failed.stdout.contains("`issue.view` failed"),
        "{}",
        failed.all()
    );
    let unknown = draft(&workshop, &["01zzzzzz"]);
    assert_eq!(unknown.code, 1, "{}", unknown.all());
    assert!(unknown.stdout.contains("NOT_FOUND"), "{}", unknown.all());
    workshop.run("issue.view", &rocket(json!({"issue_number": 1})));
    for id in ["issue.view", "no spaces", "trace.show"] {
        let refused = draft(&workshop, &["last", "--id", id]);
        assert_eq!(refused.code, 2, "{}", refused.all());
    }
    assert_eq!(draft(&workshop, &[]).code, 2);
    // One that is drafted anew is said to be there.
    let anew = workshop
        .world
        .capstan(&["skill", "draft", "--from-trace", "last", "--id", "other"]);
    let notes = &anew["data"]["notes"];
    assert_eq!(*notes, json!(["a skill `other` already exists"]), "{anew}");
}

#[test]
fn agents_draft_too() {
    let world = World::demo();
    let mut mcp = world.mcp();
    mcp.run("issue.view", &rocket(json!({"issue_number": 1})));
    let told = mcp.run("skill.draft", &json!({"trace": "last"}));
    assert_eq!(told["data"]["id"], "issue-view", "{told}");
    let yaml = told["data"]["yaml"].as_str().unwrap();
    assert_eq!(examples(yaml), rocket(json!({"issue_number": 1})));
    let told = world.capstan(&["skill", "draft", "--from-trace", "last", "--id", "x"]);
    assert_eq!(
        (&told["ok"], &told["data"]["id"]),
        (&json!(true), &json!("x")),
        "{told}"
    );
}

/// What was a secret is asked for, and nothing of it is in the file.
#[test]
fn secrets_become_inputs() {
    let workshop = workshop();
    let code = "await capstan.issue.comments.create({ owner: 'acme', repo: 'rocket', issue_number: 1, body: args.body })";
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let args = json!({"body": format!("use {secret}")});
    let done = workshop.world.cli().exec("tell", code, &args);
    assert_eq!(done["ok"], true, "{done}");
    let drafted = draft(&workshop, &["last"]);
    assert_eq!(drafted.code, 0, "{}", drafted.all());
    assert!(!drafted.all().contains(&secret), "{}", drafted.all());
    assert!(
        drafted.stdout.contains("body: $input.body"),
        "{}",
        drafted.stdout
    );
    assert!(
        drafted.stderr.contains("the value of `body` was not kept"),
        "{}",
        drafted.stderr
    );
}
