//! The configuration file: where it is looked for, what it changes, and what is said when it is
//! wrong.

use serde_json::json;

use super::harness::{Github, Place};

const CARD: &str = r#"
capability_id: note.read
version: 1.0.0
description: Read the note.
operation: READ
input_schema: {type: object, properties: {}, additionalProperties: false}
output_schema: {type: object, properties: {login: {type: string}}, required: [login]}
no_graphql: this card is about REST
rest: {method: GET, path: /user, output: {fields: {login: login}}}
"#;

#[test]
fn a_file_in_this_folder_counts_and_its_paths_are_relative_to_it() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("mine/note.yaml", CARD);
    place.write("capstan.toml", "cards = [\"mine\"]\nroutes = [\"rest\"]\n");
    let ran = place.run(&["run", "note.read"]);
    assert_eq!(ran.json()["data"], json!({"login": "maya-chen"}), "{ran:?}");
    let doctor = place.run(&["doctor"]).json();
    assert_eq!(doctor["config"], "capstan.toml");
    let off = json!({"route": "graphql", "ready": false, "why": "disabled by `routes` in the configuration"});
    assert_eq!(doctor["routes"][0], off);
    let view = place.line("run issue.view -R acme/rocket issue_number=1 --trace");
    assert_eq!(view.json()["meta"]["route_used"], "rest", "{view:?}");
    assert_eq!(view.json()["meta"]["reason"], "ENV_CONSTRAINT");
}

#[test]
fn the_users_own_file_counts_and_the_folders_adds_to_it() {
    let place = Place::new();
    std::fs::create_dir_all(place.path().join("home/.config/capstan")).unwrap();
    let file = place.path().join("home/.config/capstan/config.toml");
    std::fs::write(&file, "host = \"git.example.org\"\n").unwrap();
    let doctor = place.run(&["doctor"]).json();
    assert_eq!(doctor["host"], "git.example.org");
    assert_eq!(doctor["config"], file.to_str().unwrap());

    place.write("capstan.toml", "routes = [\"cli\"]\n");
    let doctor = place.run(&["doctor"]).json();
    assert_eq!(doctor["host"], "git.example.org");
    assert_eq!(doctor["config"], "capstan.toml");

    let elsewhere = place.path().join("xdg");
    std::fs::create_dir_all(elsewhere.join("capstan")).unwrap();
    std::fs::write(
        elsewhere.join("capstan/config.toml"),
        "host = \"xdg.example.org\"",
    )
    .unwrap();
    std::fs::remove_file(place.here().join("capstan.toml")).unwrap();
    let place = place.env("XDG_CONFIG_HOME", elsewhere);
    assert_eq!(place.run(&["doctor"]).json()["host"], "xdg.example.org");
}

/// In a repository that somebody else wrote, a read must not become something else.
#[test]
fn a_folder_cannot_replace_built_in_cards() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("mine/view.yaml", CARD.replace("note.read", "issue.view"));
    place.write("mine/note.yaml", CARD);
    place.write("capstan.toml", "cards = [\"mine\"]\n");
    let ran = place.line("run issue.view -R acme/rocket issue_number=1");
    assert_eq!(ran.json()["data"]["number"], 1, "{ran:?}");
    let refusal = "mine: error[E045]: `issue.view` is a built-in card";
    assert!(ran.stderr.starts_with(refusal), "{}", ran.stderr);
    assert!(place.line("run note.read").json()["ok"].as_bool().unwrap());

    let named = place.line("--cards mine run issue.view");
    assert_eq!(
        named.json()["data"],
        json!({"login": "maya-chen"}),
        "whoever names it means it"
    );
}

/// A repository that somebody else wrote must not receive tokens.
#[test]
fn a_folder_cannot_choose_the_host() {
    let place = Place::new().env("GITHUB_TOKEN", "any");
    let file = place.write("capstan.toml", "host = \"evil.example\"\n");
    let ran = place.run(&["doctor"]);
    assert_eq!(ran.code, 2);
    let refusal = "error: `host` in `capstan.toml` is refused: a folder cannot choose where your token is sent; ";
    assert!(ran.stderr.starts_with(refusal), "{}", ran.stderr);
    let named = place.run(&["--config", file.to_str().unwrap(), "doctor"]);
    assert_eq!(
        named.json()["host"],
        "evil.example",
        "whoever names it means it"
    );
}

/// A route that the user switched off stays off, whatever a repository says.
#[test]
fn a_folder_cannot_switch_routes_on() {
    let place = Place::new().env("GITHUB_TOKEN", "any");
    std::fs::create_dir_all(place.path().join("home/.config/capstan")).unwrap();
    let own = place.path().join("home/.config/capstan/config.toml");
    std::fs::write(own, "routes = [\"rest\", \"cli\"]\n").unwrap();
    place.write("capstan.toml", "routes = [\"graphql\", \"rest\"]\n");
    let doctor = place.run(&["doctor", "--offline"]).json();
    let switched_off = |index: usize| {
        doctor["routes"][index]["why"] == "disabled by `routes` in the configuration"
    };
    assert_eq!([0, 1, 2].map(switched_off), [true, false, true], "{doctor}");

    place.write("capstan.toml", "routes = [\"graphql\"]\n");
    let ran = place.run(&["doctor", "--offline"]);
    let refusal = "error: `routes` in `capstan.toml` allows none of the routes that your own configuration allows: ";
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with(refusal), "{}", ran.stderr);
}

#[test]
fn the_environment_wins_over_the_file() {
    let place = Place::new().env("GH_HOST", "env.example.org");
    let file = place.write("other.toml", "host = \"file.example.org\"\n");
    let doctor = place.run(&["--config", file.to_str().unwrap(), "doctor"]);
    assert_eq!(doctor.json()["host"], "env.example.org");
}

#[test]
fn a_wrong_file_is_an_error_with_its_place() {
    let wrong = [
        ("syntax", "cards = [\n"),
        ("unknown key", "card = [\"x\"]\n"),
        ("wrong type", "cards = \"x\"\n"),
        ("unknown route", "routes = [\"soap\"]\n"),
        ("not UTF-8", "\u{0}"),
    ];
    let mut said = String::new();
    for (what, text) in wrong {
        let place = Place::new();
        match what {
            "not UTF-8" => place.write("capstan.toml", b"\xff\xfe"),
            _ => place.write("capstan.toml", text),
        };
        for command in [&["list"][..], &["run", "issue.view"], &["doctor"], &["mcp"]] {
            let ran = place.run(command);
            assert_eq!((ran.code, &*ran.stdout), (2, ""), "{what}: {command:?}");
        }
        let ran = place.run(&["list"]);
        said.push_str(&format!("## {what}\n{}\n", ran.stderr));
    }
    let missing = Place::new().run(&["--config", "none.toml", "list"]);
    said.push_str(&format!("## named but not there\n{}", missing.stderr));
    insta::assert_snapshot!(said);
}
