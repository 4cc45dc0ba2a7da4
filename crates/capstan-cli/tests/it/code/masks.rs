//! Secrets are masked where people and agents look, never between capabilities; and a mask is never
//! written in place of the text that it stands for.

use github_sim::Sim;
use serde_json::{Value, json};

use super::surface::{Surface, World};
use crate::cli::harness::{Github, Place};
use crate::support::TOKEN;

/// Has the shape of a token, and is nobody's.
const FOREIGN: &str = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2";

const READ_MODIFY_WRITE: &str = "
    const issue = { owner: 'acme', repo: 'rocket', issue_number: args.number };
    const { body } = await capstan.issue.view(issue);
    console.log('read', body);
    await capstan.issue.update({ ...issue, body: body + ' and more' });
    return { body, length: body.length };";

struct Workplace {
    github: Github,
    world: World,
}

impl Workplace {
    fn new() -> Self {
        let github = Github::serving(Sim::demo());
        let place = Place::new().online(&github);
        let skills = place.write(
            "skills.yaml",
            "id: note
level: 3
composes:
  - {skill: issue.update, as: note, inputs: {issue_number: $input.issue_number, body: $input.body}}
outputs: {number: $note.output.number}
input_schema:
  type: object
  properties: {owner: {type: string}, repo: {type: string}, issue_number: {type: integer}, body: {type: string}}
  required: [owner, repo, issue_number, body]
",
        );
        let world = World::at(place, &["--skills", skills.to_str().unwrap()]);
        Self { github, world }
    }

    /// Puts a text into an issue without going through `capstan`.
    fn set_body(&self, number: u64, body: &str) {
        self.github.sim.world(|world| {
            let repo = world.find_repo("acme", "rocket").unwrap();
            let issues = &mut world.repositories[repo.0].issues;
            issues.get_mut(&number).unwrap().body = body.to_owned();
        });
    }

    fn body(&self, number: u64) -> String {
        self.github.sim.world(|world| {
            let repo = world.find_repo("acme", "rocket").unwrap();
            world.repositories[repo.0].issues[&number].body.clone()
        })
    }

    fn writes(&self) -> usize {
        let seen = self.github.sim.requests();
        seen.iter().filter(|request| request.applied).count()
    }
}

fn issue(more: Value) -> Value {
    let mut input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    if let (Some(input), Value::Object(more)) = (input.as_object_mut(), more) {
        input.extend(more);
    }
    input
}

#[track_caller]
fn refused_at(answer: &Value, path: &str) {
    let error = &answer["error"];
    assert_eq!(error["code"], "VALIDATION", "{answer}");
    assert_eq!(error["details"]["fields"][0]["field"], path, "{answer}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(&format!("`{path}` contains")), "{message}");
}

#[test]
fn code_writes_back_the_very_text_that_it_read_and_people_see_it_masked() {
    let place = Workplace::new();
    let surfaces: [&mut dyn Surface; 2] = [&mut place.world.cli(), &mut place.world.mcp()];
    for surface in surfaces {
        let body = format!("a token: {FOREIGN}");
        place.set_body(1, &body);
        let ran = surface.exec("add to the body", READ_MODIFY_WRITE, &json!({"number": 1}));
        assert_eq!(ran["ok"], true, "{ran}");
        assert_eq!(place.body(1), format!("{body} and more"));
        assert_eq!(ran["data"]["body"], "a token: [redacted]");
        assert_eq!(ran["data"]["length"], body.len());

        let last = surface.run("trace.show", &json!({"id": "last"}));
        let console = &last["data"]["console"][0]["text"];
        assert_eq!(console, "read a token: [redacted]", "{last}");
        assert!(!last.to_string().contains(FOREIGN), "{last}");
    }
}

#[test]
fn what_code_throws_is_masked() {
    let place = Workplace::new();
    place.set_body(1, FOREIGN);
    let code = "const { body } = await capstan.issue.view(args);
        console.error(body);
        throw new Error('cannot use ' + body);";
    let failed = place.world.cli().exec("fail", code, &issue(json!({})));
    assert_eq!(failed["ok"], false, "{failed}");
    let message = failed["error"]["message"].as_str().unwrap();
    assert!(message.contains("cannot use [redacted]"), "{message}");
    assert!(!failed.to_string().contains(FOREIGN), "{failed}");
}

#[test]
fn references_of_chains_pass_the_true_value_on() {
    let place = Workplace::new();
    place.set_body(1, FOREIGN);
    let steps = json!([
        {"task": "issue.view", "as": "first", "input": issue(json!({}))},
        {"task": "issue.update", "input": issue(json!({"issue_number": 2, "body": "$first.data.body"}))},
    ]);
    let ran = place.world.server().execute(&json!({"steps": steps}));
    assert_eq!(ran["status"], "success", "{ran}");
    assert_eq!(place.body(2), FOREIGN);
    assert!(!ran.to_string().contains(FOREIGN), "{ran}");
}

#[test]
fn a_write_whose_input_contains_the_mask_is_refused_through_every_door() {
    let place = Workplace::new();
    let masked = issue(json!({"body": "a token: [redacted]"}));
    let surfaces: [&mut dyn Surface; 2] = [&mut place.world.cli(), &mut place.world.mcp()];
    for surface in surfaces {
        refused_at(&surface.run("issue.update", &masked), "body");
        refused_at(&surface.run("note", &masked), "body");
        let code = "await capstan.issue.update(args)";
        refused_at(&surface.exec("write", code, &masked), "body");
        let labels = issue(json!({"labels": ["bug", "x[redacted]"]}));
        refused_at(&surface.run("issue.labels.add", &labels), "labels.1");
    }
    let chain = json!([
        {"task": "issue.view", "as": "seen", "input": issue(json!({}))},
        {"task": "issue.update", "input": masked},
    ]);
    let file = place.world.place.write("chain.json", chain.to_string());
    let file = file.to_str().unwrap();
    refused_at(&place.world.capstan(&["chain", file])["results"][1], "body");
    refused_at(&place.world.capstan(&["chain", file, "--dry-run"]), "body");
    // What a reference finds is looked at as well.
    place.set_body(1, "already [redacted]");
    let chain = json!([
        {"task": "issue.view", "as": "seen", "input": issue(json!({}))},
        {"task": "issue.update", "input": issue(json!({"issue_number": 2, "body": "$seen.data.body"}))},
    ]);
    let ran = place.world.server().execute(&json!({"steps": chain}));
    refused_at(&ran["results"][1], "body");
    assert_eq!(place.writes(), 0);
    // A read may look for it.
    let search = json!({"owner": "acme", "repo": "rocket", "label": "[redacted]"});
    assert_eq!(place.world.cli().run("issue.list", &search)["ok"], true);
}

#[test]
fn our_own_token_reaches_neither_code_nor_a_write() {
    let place = Workplace::new();
    let mut cli = place.world.cli();
    place.set_body(1, &format!("leaked: {TOKEN}"));
    let code = "const { body } = await capstan.issue.view(args); return body.split('').join(' ');";
    let read = cli.exec("spell the body", code, &issue(json!({})));
    assert_eq!(read["ok"], true, "{read}");
    assert_eq!(
        read["data"], "l e a k e d :   [ r e d a c t e d ]",
        "{read}"
    );
    let written = cli.exec("add to it", READ_MODIFY_WRITE, &json!({"number": 1}));
    refused_at(&written, "body");

    let with_token = issue(json!({"body": format!("here: {TOKEN}")}));
    refused_at(&cli.run("issue.update", &with_token), "body");
    refused_at(&cli.run("note", &with_token), "body");
    refused_at(
        &cli.exec("use it", "return args.body.length", &with_token),
        "body",
    );
    let chain = json!([
        {"task": "issue.view", "as": "seen", "input": issue(json!({}))},
        {"task": "issue.update", "input": issue(json!({"issue_number": 2, "body": "$seen.data.body"}))},
    ]);
    let ran = place.world.server().execute(&json!({"steps": chain}));
    refused_at(&ran["results"][1], "body");
    assert_eq!(place.writes(), 0);
}
