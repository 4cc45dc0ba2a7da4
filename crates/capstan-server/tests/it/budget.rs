//! What conversations pay: tokens of the definitions, the skill and the explanations (o200k).

use capstan_catalog::Catalog;
use serde_json::json;
use tiktoken_rs::o200k_base_singleton;

use crate::client::{Client, modern, text};
use crate::fake;

fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

/// What every conversation pays before the first call.
#[tokio::test]
async fn instructions_and_definitions_fit_their_budget_together() {
    let mut client = Client::new([]);
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 3);
    // Even for a client that shows the model everything.
    let definitions = tokens(&list["result"]["tools"].to_string());
    let instructions = tokens(capstan_server::mcp::SKILL);
    let both = definitions + instructions;
    assert!(
        both <= 450,
        "{definitions} + {instructions} = {both} tokens"
    );
}

/// Some clients show the model no more than this of it.
#[test]
fn the_first_line_of_the_instructions_stands_alone() {
    let first = capstan_server::mcp::SKILL.lines().next().unwrap();
    assert!(first.len() <= 250, "{}", first.len());
    assert!(first.contains("execute") && first.contains("issue.list"));
}

#[tokio::test]
async fn every_explanation_costs_50_to_200_tokens() {
    let (capstan, _events) = fake::engine([]);
    let mut client = Client::initialized(capstan).await;
    let catalog = Catalog::new(capstan_cards::CARDS);
    let mut outside = Vec::new();
    for capability in catalog.iter() {
        let result = client
            .call("explain", json!({"capability": capability.id}))
            .await;
        let cost = tokens(text(&result));
        if !(50..=200).contains(&cost) {
            outside.push(format!("{}: {cost}", capability.id));
        }
    }
    assert!(outside.is_empty(), "{outside:?}");
}

/// As the documentation says: within 15 % on every text of 50 tokens and more, 4 % on average.
#[test]
fn estimates_are_close_to_the_tokenizer() {
    let workspace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in [
        "docs",
        "docs/errors",
        "cards/issue",
        "cards/pr",
        "examples/code",
    ] {
        let files = std::fs::read_dir(workspace.join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let texts_of = files.filter_map(|file| std::fs::read_to_string(file).ok());
        texts.extend(texts_of);
    }
    // Answers and requests, as the documentation shows them.
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines
        .filter(|line| line.starts_with('{'))
        .map(str::to_owned);
    let lines: Vec<_> = lines.collect();
    texts.extend(lines);
    let mut errors = Vec::new();
    for text in texts {
        let real = tokens(&text);
        if real < 50 {
            continue;
        }
        let estimated = capstan_engine::estimated_tokens(&text);
        let error = (estimated as f64 - real as f64) / real as f64;
        assert!(error.abs() <= 0.15, "{error:.2} of {real} tokens: {text}");
        errors.push(error.abs());
    }
    assert!(errors.len() > 80, "{} texts", errors.len());
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean <= 0.04, "{mean:.3} on average");
}

#[tokio::test]
async fn the_cost_is_told_to_those_who_ask_for_it() {
    let (capstan, _events) = fake::engine([]);
    let mut client = Client::initialized(capstan).await;
    let cost = json!({"capability": "cap.list", "input": {}, "options": {"cost": true}});
    let asked = client.call("execute", cost).await;
    let cost = &asked["structuredContent"]["meta"]["cost"];
    assert!(cost["tokens_in"].as_u64() > Some(5), "{asked}");
    assert!(cost["tokens_out"].as_u64() > Some(10), "{asked}");
    let unasked = json!({"capability": "cap.list", "input": {}});
    let unasked = client.call("execute", unasked).await;
    assert!(unasked["structuredContent"]["meta"].get("cost").is_none());
}
