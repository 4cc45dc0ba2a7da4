//! What skills say of themselves, before anything is run.

use serde_json::json;

use super::support::{exec_and_name, ok};
use crate::cli::harness::Place;
use crate::code::surface::{Surface, World};

const SKILLS: &str = "
id: look
version: 1.2.0
level: 1
description: One issue as it is
card: issue.view
---
id: counted
level: 1
description: As many as there are
capability: counter
operation: WRITE
input_schema: { type: object, properties: {} }
output_schema: { type: object, properties: { count: { type: integer } } }
---
id: look-and-count
level: 2
description: One issue, and how many there are
composes:
  - look
  - counter
input_schema:
  type: object
  properties:
    owner: { type: string }
    repo: { type: string }
    issue_number: { type: integer, minimum: 1 }
  required: [owner, repo, issue_number]
output_schema:
  type: object
  properties:
    title: { type: string }
";

const COUNT: &str = "const { issues } = await capstan.issue.list({ owner: 'acme', repo: 'rocket' }); return { count: issues.length };";

fn world() -> World {
    let place = Place::new();
    let file = place.write("skills.yaml", SKILLS);
    World::at(place, &["--demo", "--skills", file.to_str().unwrap()])
}

/// What something contains, as it says itself. What is not sound says nothing.
fn contained(surface: &mut dyn Surface, of: &str) -> Vec<String> {
    let input = json!({"capability": of, "direction": "from", "type": "contains"});
    let near = surface.run("graph.neighbors", &input);
    let near = near["data"]["neighbors"].as_array();
    near.into_iter()
        .flatten()
        .map(|it| it["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_skill_of_one_step_contains_what_it_runs() {
    let world = world();
    assert_eq!(contained(&mut world.cli(), "look"), ["issue.view"]);
    assert_eq!(contained(&mut world.mcp(), "look"), ["issue.view"]);
}

/// What is held in memory is what somebody sees who looks for the first time.
#[test]
fn skills_are_asked_again_when_names_of_code_change() {
    let world = world();
    let mut held = world.mcp();
    let is_fresh = |held: &mut dyn Surface| {
        for skill in ["look", "counted", "look-and-count"] {
            let seen = contained(held, skill);
            assert_eq!(seen, contained(&mut world.mcp(), skill), "{skill}");
        }
    };
    let none: [&str; 0] = [];
    assert_eq!(contained(&mut held, "look-and-count"), none);
    is_fresh(&mut held);
    let fqdn = exec_and_name(&mut held, "counter", "count the issues", COUNT);
    for skill in ["counted", "look-and-count"] {
        let found = contained(&mut held, skill);
        assert!(found.contains(&fqdn), "{skill}: {found:?}");
    }
    is_fresh(&mut held);
    // Another name is one more; the old one stays good.
    let input = json!({"capability": "counter", "name": "tally"});
    ok(&held.run("cap.rename", &input));
    is_fresh(&mut held);
    ok(&held.run("cap.delete", &json!({"capability": "tally"})));
    assert_eq!(contained(&mut held, "counted"), none);
    is_fresh(&mut held);
    // The name means other code.
    let other = COUNT.replace("issues.length", "issues.length + 1");
    let fqdn = exec_and_name(&mut held, "counter", "count one more", &other);
    assert_eq!(contained(&mut held, "counted"), [fqdn]);
    is_fresh(&mut held);
}

/// What skills declare is the same in every view: the graph, the list, and one relation by itself.
#[test]
fn what_skills_declare_is_in_every_view() {
    let world = world();
    let mut surface = world.cli();
    let listed = surface.run("dep.list", &json!({"capability": "look"}));
    let edge = &ok(&listed)["dependencies"][0];
    assert_eq!(
        (
            &edge["from"],
            &edge["to"],
            &edge["type"],
            &edge["source"],
            &edge["declared"]
        ),
        (
            &json!("look"),
            &json!("issue.view"),
            &json!("contains"),
            &json!("template"),
            &json!(true)
        ),
        "{listed}"
    );
    assert_eq!(ok(&listed)["total"], 1, "{listed}");
    let all = surface.run("dep.list", &json!({"source": "template"}));
    let all = ok(&all)["dependencies"].as_array().unwrap().clone();
    assert!(all.contains(edge), "{all:?}");
    let ends = json!({"from": "look", "to": "issue.view"});
    let shown = surface.run("dep.show", &ends);
    assert_eq!(
        (&ok(&shown)["declared"], &ok(&shown)["observations"]),
        (&json!(true), &json!([]))
    );
    // It cannot be forgotten, and says why; being counted makes it one that is kept.
    let removed = surface.run("dep.remove", &ends);
    let message = removed["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("comes only from a skill or code"),
        "{removed}"
    );
    let mut counted = ends.clone();
    counted["by"] = json!(2);
    let counted = surface.run("dep.update", &counted);
    assert_eq!(
        (
            &ok(&counted)["type"],
            &ok(&counted)["source"],
            &ok(&counted)["observed"]
        ),
        (&json!("contains"), &json!("observed"), &json!(3)),
        "{counted}"
    );
    let shown = surface.run("dep.show", &ends);
    assert!(ok(&shown).get("declared").is_none(), "{shown}");
    let near = surface.run(
        "graph.neighbors",
        &json!({"capability": "look", "direction": "from"}),
    );
    assert_eq!(
        ok(&near)["neighbors"].as_array().unwrap().len(),
        1,
        "{near}"
    );
}
