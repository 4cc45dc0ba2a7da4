//! A workflow over GitHub costs its depth in requests.

use serde_json::json;

use super::world::{Workshop, calls, rocket};

/// Four views of issues on each of three levels, each level by numbers that the one before gave.
fn twelve_steps() -> String {
    let mut skill = String::from("id: twelve\nlevel: 3\ncomposes:\n");
    for level in 0..3 {
        for place in 1..=4 {
            let number = match level {
                0 => place.to_string(),
                _ => format!("$s{}-{}.output.number", level - 1, 5 - place),
            };
            skill.push_str(&format!(
                "  - {{skill: issue.view, as: s{level}-{place}, inputs: {{issue_number: {number}}}}}\n"
            ));
        }
    }
    skill.push_str("outputs:\n  numbers: [$s2-1.output.number, $s2-2.output.number, $s2-3.output.number, $s2-4.output.number]\n");
    skill
}

#[test]
fn twelve_steps_in_three_levels_are_three_requests() {
    let workshop = Workshop::with(&twelve_steps());
    let ran = workshop.run("twelve", &rocket(json!({})));
    assert_eq!(ran["data"], json!({"numbers": [1, 2, 3, 4]}), "{ran}");
    assert_eq!(workshop.requests(), 3, "{ran}");
    assert_eq!(calls(&ran), [("issue.view".to_owned(), 12)]);
}

#[test]
fn composites_that_run_side_by_side_share_their_requests() {
    let workshop = Workshop::with(
        "id: both
level: 3
composes:
  - {skill: pair, as: first, inputs: {issue_number: 1}}
  - {skill: pair, as: second, inputs: {issue_number: 2}}
outputs: {one: $first.output.title, two: $second.output.title, stars: $first.output.stars}
---
id: pair
level: 2
composes: [issue.view, repo.view]
",
    );
    let ran = workshop.run("both", &rocket(json!({})));
    assert_eq!(ran["ok"], true, "{ran}");
    assert_eq!(ran["data"]["stars"], 1284, "{ran}");
    assert_ne!(ran["data"]["one"], ran["data"]["two"]);
    assert_eq!(workshop.requests(), 1, "{ran}");
}

#[test]
fn a_shared_step_that_may_serve_again_runs_once() {
    let skills = |cache: &str| {
        format!(
            "id: both
level: 3
composes: [left, right]
outputs: {{left: $left.output.stars, right: $right.output.stars}}
---
id: left
level: 2
composes: [about]
---
id: right
level: 2
composes: [about]
---
id: about
level: 1
card: repo.view
{cache}
"
        )
    };
    for (cache, views) in [("", 2), ("cache: run", 1)] {
        let workshop = Workshop::with(&skills(cache));
        let ran = workshop.run("both", &rocket(json!({})));
        assert_eq!(ran["data"], json!({"left": 1284, "right": 1284}), "{ran}");
        let traced = workshop.world.capstan(&["trace", "show", "last"]);
        let all = traced["data"]["calls"].as_array().unwrap();
        let seen = all
            .iter()
            .filter(|it| it["capability"] == "repo.view")
            .count();
        assert_eq!(seen, views, "{cache}: {traced}");
    }
}

#[test]
fn writes_keep_their_order_and_reads_do_not_wait_for_them() {
    let workshop = Workshop::with(
        "id: tidy
level: 3
composes:
  - {skill: issue.close, as: first, inputs: {issue_number: 1}}
  - {skill: issue.labels.add, as: second, inputs: {issue_number: 2, labels: [bug]}}
  - {skill: issue.close, as: third, inputs: {issue_number: 3}}
  - {skill: issue.view, as: look, inputs: {issue_number: 4}}
outputs: {seen: $look.output.number, last: $third.output.state}
",
    );
    let ran = workshop.run("tidy", &rocket(json!({})));
    assert_eq!(ran["data"], json!({"seen": 4, "last": "closed"}), "{ran}");
    assert_eq!(
        workshop.written(),
        ["closeIssue", "addLabelsToLabelable", "closeIssue"]
    );
}
