//! The built-in cards answer to the words of `gh` and of GitHub's MCP server, and `issue.edit` does what its
//! parts do.

use capstan_catalog::Catalog;
use capstan_core::Options;
use serde_json::{Map, Value, json};

use crate::support::Bench;

/// Every tool in the corpus that has a card is a name of it, and the input that decides is taken out.
#[test]
fn tools_of_the_mcp_server_are_names_of_cards() {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let rows = include_str!("known_words/mcp.jsonl").lines();
    let mut wrong = Vec::new();
    for row in rows.map(|row| serde_json::from_str::<Value>(row).unwrap()) {
        let (tool, given) = (row["tool"].as_str().unwrap(), object(&row["arguments"]));
        let Some(task) = row["task"].as_str() else {
            continue;
        };
        match catalog.find_by_other_name(tool, &given) {
            Some((card, name)) if card.id.as_str() == task => {
                let input = name.applied(given);
                let wanted = object(&row["input"]);
                // Other spellings are settled elsewhere; what decided is gone, and what is meant is there.
                let left = name.with.keys().find(|it| input.contains_key(*it));
                let lacking = name.sets.keys().find(|it| !wanted.contains_key(*it));
                if left.is_some() || lacking.is_some() {
                    wrong.push(format!("{tool}: {input:?}"));
                }
            }
            other => {
                let other = other.map(|(card, _)| card.id.to_string());
                wrong.push(format!("{tool} means {other:?}, not {task}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_unknown_name_leads_to_the_cards_that_gh_calls_alike() {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let near = |name: &str| catalog.get(name).unwrap_err().near;
    assert_eq!(near("run.view"), ["workflow.runs.list"]);
    assert_eq!(near("label.view"), ["repo.labels.list"]);
    assert_eq!(near("milestone.view"), ["repo.milestones.list"]);
    // What ids begin with is looked for among ids.
    assert_eq!(near("issue.vew")[0], "issue.view");
    assert_eq!(near("isue.view")[0], "issue.view");
}

#[tokio::test]
async fn several_things_of_an_issue_change_with_one_call() {
    let bench = Bench::demo().await;
    let run = async |mut input: Value| {
        input["owner"] = json!("acme");
        input["repo"] = json!("rocket");
        input["issue_number"] = json!(1);
        let ran = bench.run("issue.edit", &input, Options::default()).await;
        assert!(ran.ok, "{:?}", ran.error);
        ran.data.unwrap()
    };
    let data = run(json!({
        "title": "Engine 3 stops early", "add_labels": ["gnc"], "remove_labels": ["bug", "propulsion"],
        "add_assignees": ["priya-nair"], "remove_assignees": ["jonas-weber"], "milestone": 3,
    }))
    .await;
    assert_eq!(data["number"], 1);
    assert_eq!(data["title"], "Engine 3 stops early");
    assert_eq!(data["labels"], json!(["flight-critical", "gnc"]));
    assert_eq!(data["assignees"], json!(["priya-nair"]));
    assert_eq!(data["milestone"], "v2.0 Orbital");
    assert_eq!(data["changed"], true);
    // Null takes it out; what is not given stays.
    let data = run(json!({"milestone": null})).await;
    assert_eq!(
        (&data["milestone"], &data["changed"]),
        (&Value::Null, &json!(true))
    );
    let data = run(json!({"title": "Engine 3 stops early"})).await;
    assert_eq!(data["changed"], false);
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}
