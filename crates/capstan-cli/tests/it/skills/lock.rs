//! Versions that are written down stay what they are.

use serde_json::{Value, json};

use crate::cli::harness::{Place, Ran};

const SKILLS: &str = "id: outer
version: 2.1.0
level: 2
composes: [{skill: part, version: ^1.0.0}]
---
id: part
version: 1.0.0
level: 1
code: 'return {from: \"1.0.0\"}'
output_schema: {type: object, properties: {from: {type: string}}, required: [from]}
operation: TRANSFORM
";

fn newer(version: &str) -> String {
    let part = SKILLS.split("---\n").nth(1).unwrap();
    part.replace("1.0.0", version)
}

fn place() -> Place {
    let place = Place::new();
    place.write("skills/all.yaml", SKILLS);
    place
}

fn run(place: &Place) -> Value {
    let ran = place.line("--demo --json --skills skills skill run outer");
    let envelope = ran.json();
    match envelope["ok"].as_bool() {
        Some(true) => envelope["data"]["from"].clone(),
        _ => envelope["error"]["message"].clone(),
    }
}

fn lock(place: &Place, more: &str) -> Ran {
    place.line(&format!("--json skill lock skills {more}"))
}

#[test]
fn a_newer_version_changes_nothing_until_it_is_locked() {
    let place = place();
    assert_eq!(lock(&place, "--check").code, 1);
    let locked = lock(&place, "");
    assert_eq!(locked.code, 0, "{locked:?}");
    let change = json!({"skill": "outer@2.1.0", "part": "part", "before": null, "now": "1.0.0"});
    assert_eq!(locked.json()["locks"][0]["changes"], json!([change]));
    assert_eq!(lock(&place, "--check").code, 0);
    let text = std::fs::read_to_string(place.here().join("skills/skills.lock")).unwrap();
    assert_eq!(
        text,
        "{\n  \"outer@2.1.0\": {\n    \"part\": \"1.0.0\"\n  }\n}\n"
    );

    place.write("skills/newer.yaml", newer("1.5.0"));
    assert_eq!(run(&place), "1.0.0");
    assert_eq!(lock(&place, "--check").code, 1);
    let (_, shown) = place.screen(&["skill", "lock", "skills"]);
    assert_eq!(
        shown,
        "outer@2.1.0  part 1.0.0 → 1.5.0\nskills/skills.lock: 1 skill locked\n"
    );
    assert_eq!(run(&place), "1.5.0");
}

#[test]
fn a_version_that_is_gone_is_not_replaced_in_silence() {
    let place = place();
    lock(&place, "");
    place.write(
        "skills/all.yaml",
        SKILLS.replace("version: 1.0.0", "version: 1.2.0"),
    );
    let told = run(&place);
    let told = told.as_str().unwrap();
    assert!(
        told.contains("'part' is locked at 1.0.0, which does not exist"),
        "{told}"
    );
    let checked = place.line("check skills");
    assert_eq!(checked.code, 1);
    assert!(
        checked
            .stdout
            .contains("`capstan skill lock` chooses again"),
        "{checked:?}"
    );
    assert_eq!(lock(&place, "").code, 0);
    assert_eq!(place.line("check skills").code, 0);
}

#[test]
fn a_version_that_nobody_asks_for_any_more_is_told() {
    let place = place();
    lock(&place, "");
    place.write("skills/newer.yaml", newer("2.0.0"));
    place.write("skills/all.yaml", SKILLS.replace("^1.0.0", "^2.0.0"));
    let told = run(&place);
    let told = told.as_str().unwrap();
    assert!(
        told.contains("'part' is locked at 1.0.0, which does not satisfy all requirements"),
        "{told}"
    );
}

#[test]
fn a_lock_that_cannot_be_read_stops_everything() {
    let place = place();
    for bad in ["{", "[]", "{\"outer@2.1.0\": {\"part\": \"one\"}}"] {
        place.write("skills/skills.lock", bad);
        let told = run(&place);
        let told = told.as_str().unwrap();
        assert!(
            told.contains("this is not a lock file for skills"),
            "{bad}: {told}"
        );
        assert_eq!(place.line("check skills").code, 1, "{bad}");
    }
    assert_eq!(lock(&place, "").code, 0);
    assert_eq!(run(&place), "1.0.0");
}

#[test]
fn nothing_is_locked_while_something_is_wrong() {
    let place = place();
    place.write("skills/all.yaml", SKILLS.replace("^1.0.0", "^9.0.0"));
    let refused = lock(&place, "");
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("E017"), "{refused:?}");
    assert!(!place.here().join("skills/skills.lock").exists());
}

#[test]
fn a_bad_lock_is_replaced_although_nothing_is_to_be_locked() {
    let place = Place::new();
    place.write("skills/alone.yaml", newer("1.0.0"));
    place.write("skills/skills.lock", "{broken");
    assert_eq!(lock(&place, "--check").code, 1);
    assert_eq!(place.line("--read-only --json skill lock skills").code, 2);
    assert_eq!(lock(&place, "").code, 0);
    assert_eq!(lock(&place, "--check").code, 0);
    assert_eq!(place.line("check skills").code, 0);
}
