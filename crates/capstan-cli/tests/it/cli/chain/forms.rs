//! The forms in which steps can be written: they all mean the same.

use serde_json::json;

use super::steps::step;
use crate::cli::harness::{Github, Place, Ran};

/// What would be sent, as JSON.
fn planned(place: &Place, args: &[&str], stdin: &str) -> Ran {
    let ran = place.run_with(&[args, &["--dry-run"]].concat(), stdin.as_bytes());
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{stdin}: {ran:?}");
    ran
}

#[test]
fn lists_objects_and_lines_mean_the_same_in_files_and_on_standard_input() {
    let view = step("issue.view", json!({"issue_number": 1}));
    let close = step("issue.close", json!({"issue_number": "$0.data.number"}));
    let synonyms = |name: &str, input: &str| json!([{name: view["task"], input: view["input"]}, {name: close["task"], input: close["input"]}]);
    let list = json!([view, close]);
    let forms = [
        list.to_string(),
        serde_json::to_string_pretty(&list).unwrap(),
        format!("\u{feff}  {list}\r\n"),
        json!({ "steps": list }).to_string(),
        json!({"tasks": list, "options": {}}).to_string(),
        json!({"steps": list, "options": null, "intent": "tidy up"}).to_string(),
        format!("{view}\n{close}"),
        format!("{view}\r\n\r\n{close}\r\n"),
        synonyms("capability", "params").to_string(),
        synonyms("capability_id", "args").to_string(),
    ];
    let place = Place::new();
    place.write("steps.json", &forms[0]);
    let expected = planned(&place, &["chain", "steps.json"], "").stdout;
    for form in &forms {
        let piped = planned(&place, &["chain", "-"], form);
        assert_eq!(piped.stdout, expected, "{form}");
        place.write("other.jsonl", form);
        let read = planned(&place, &["chain", "other.jsonl"], "");
        assert_eq!(read.stdout, expected, "{form}");
    }
}

#[test]
fn one_step_alone_is_a_chain_too() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let view = step("issue.view", json!({"issue_number": 1}));
    for form in [view.to_string(), json!([view]).to_string()] {
        let ran = place.run_with(&["chain", "-"], form.as_bytes());
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(ran.json()["results"][0]["data"]["number"], 1);
        assert_eq!(ran.json()["meta"]["total"], 1);
    }
}

#[test]
fn a_step_needs_no_more_than_a_task() {
    let place = Place::new();
    let ran = place.run_with(&["--demo", "chain", "-"], br#"[{"task":"repo.view"}]"#);
    assert_eq!(ran.code, 0, "{ran:?}");
    let data = &ran.json()["results"][0]["data"];
    assert_eq!(data["full_name"], "acme/rocket");
}
