//! What is checked: files, folders, cards beside skills, and what is found where nothing is named.

use std::os::unix::fs::symlink;

use crate::cli::harness::Place;

const SKILL: &str =
    "id: who\nlevel: 2\ncomposes: [person.view]\noutputs: {name: $person.view.output.login}\n";
const CARD: &str = r#"capability_id: person.view
version: 1.0.0
description: Show who you are.
operation: READ
input_schema: {type: object, properties: {}, additionalProperties: false}
output_schema:
  type: object
  required: [login]
  properties: {login: {type: string}}
graphql:
  operation: Me
  output: {root: viewer, fields: {login: login}}
"#;
const DOCUMENT: &str = "query Me { viewer { login } }\n";

/// A skill, and the card that it is made of.
fn with_card() -> Place {
    let place = Place::new();
    place.write("mine/skills/who.yaml", SKILL);
    place.write("mine/cards/user.yaml", CARD);
    place.write("mine/cards/user.graphql", DOCUMENT);
    place
}

fn said(place: &Place, line: &str) -> String {
    place.anonymous(&format!("$ capstan {line}\n{}", place.line(line).all()))
}

#[test]
fn skills_may_compose_the_cards_of_the_same_paths() {
    let place = with_card();
    let mut all = String::new();
    for line in [
        "check mine",
        "check mine/skills mine/cards",
        "check mine/skills --cards mine/cards",
        "check mine/cards",
        // Without the card there is none.
        "check mine/skills",
        // Named twice, it is there once.
        "check mine mine/skills/who.yaml mine/cards --cards mine/cards",
    ] {
        all.push_str(&said(&place, line));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_wrong_with_cards_is_told_too() {
    let place = with_card();
    place.write("mine/cards/again.yaml", CARD);
    place.write("mine/cards/again.graphql", DOCUMENT);
    place.write(
        "mine/cards/alone.yaml",
        CARD.replace("person.view", "person.alone"),
    );
    place.write("mine/cards/odd.yaml", CARD.replace("READ", "MAYBE"));
    place.write(
        "mine/cards/outside.yaml",
        CARD.replace("operation: Me", "operation: Me\n  document: ../x.graphql"),
    );
    place.write(
        "mine/cards/torn.yaml",
        "capability_id: user.torn\n  version: [\n",
    );
    insta::assert_snapshot!(said(&place, "check mine"));
}

#[test]
fn without_a_path_the_configured_skills_are_checked() {
    let place = Place::new();
    let mut all = said(&place, "check");
    place.write(
        "skills/one.yaml",
        "id: one\nlevel: 2\ncomposes: [issue.view]\n",
    );
    all.push_str(&said(&place, "check"));
    place.write("more/two.yaml", "id: two\nlevel: 2\n");
    all.push_str(&said(&place, "--skills more check"));
    place.write("capstan.toml", "skills = [\"more\"]\n");
    all.push_str(&said(&place, "check"));
    insta::assert_snapshot!(all);
}

#[test]
fn a_file_may_compose_the_skills_that_are_configured() {
    let place = Place::new();
    place.write("skills/look.yaml", "id: look\nlevel: 1\ncard: issue.view\n");
    place.write("skills/odd.yaml", "id: odd\nlevel: 2\ncomposes: []\n");
    place.write("new.yaml", "id: new\nlevel: 2\ncomposes: [look]\n");
    let mut all = said(&place, "check new.yaml");
    // Only what it is made of is looked at.
    all.push_str(&said(&place, "--skills skills check new.yaml"));
    place.write("skills/look.yaml", "id: look\nlevel: 1\ncard: issue.veiw\n");
    all.push_str(&said(&place, "--skills skills check new.yaml"));
    place.write("new.yaml", "id: look\nlevel: 1\ncard: issue.list\n");
    all.push_str(&said(&place, "--skills skills check new.yaml"));
    insta::assert_snapshot!(all);
}

#[test]
fn what_cannot_be_read_is_said() {
    let place = Place::new();
    place.write("skills/latin.yaml", b"id: caf\xe9\nlevel: 1\n");
    place.write("skills/huge.yaml", "# \n".repeat(400_000));
    place.write("skills/empty.yaml", "");
    place.write("skills/text.yaml", "just a text\n");
    place.write("skills/list.yaml", "- id: a\n");
    place.write("nothing/README.md", "");
    symlink(
        place.here().join("skills"),
        place.here().join("skills/round"),
    )
    .unwrap();
    symlink("nowhere", place.here().join("skills/dangling.yaml")).unwrap();
    let mut all = String::new();
    for line in [
        "check skills",
        "check no/such.yaml",
        "check nothing",
        "check skills/empty.yaml",
        "--json check no/such.yaml",
    ] {
        all.push_str(&said(&place, line));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn remembered_code_can_be_composed() {
    let place = Place::new();
    let made = place.run(&[
        "exec",
        "-e",
        "({total: args.a + args.b})",
        "--intent",
        "add numbers",
        "a=1",
        "b=2",
    ]);
    assert_eq!(made.code, 0, "{made:?}");
    let listed = place.line("--json cap list").json();
    let full = listed.to_string();
    let start = full.find("exec_").unwrap_or_else(|| panic!("{full}"));
    let id: String = full[start..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let named = place.run(&["cap", "name", &id, "add-numbers"]);
    assert_eq!(named.code, 0, "{named:?}");
    place.write("skills/sum.yaml", "id: sum\nlevel: 2\ncomposes: [add-numbers]\ninput_schema: {type: object, properties: {a: {type: number}, b: {type: number}}, required: [a, b]}\n");
    let ran = place.line("check --no-hints");
    assert_eq!((ran.code, &*ran.stdout), (0, ""), "{ran:?}");
    place.write(
        "skills/sum.yaml",
        "id: sum\nlevel: 2\ncomposes: [ad-numbers]\n",
    );
    assert_eq!(place.line("check").code, 1);
}

#[test]
fn nothing_is_started_and_nothing_is_written() {
    let place = Place::new();
    place.write(
        "skills/one.yaml",
        "id: one\nlevel: 2\ncomposes: [files.read]\n",
    );
    place.write(
        "servers.json",
        r#"{"mcpServers": {"files": {"command": "/no/such/program"}}}"#,
    );
    let ran = place.line("--mcp-servers servers.json check");
    assert_eq!(ran.code, 0, "{ran:?}");
    let home = std::fs::read_dir(place.path().join("home")).unwrap();
    assert_eq!(home.count(), 0);
}
