//! The token costs of the definitions, the main skill and the explanations (o200k).

use capstan_catalog::Catalog;
use serde_json::json;
use tiktoken_rs::o200k_base_singleton;

use crate::client::{Client, modern, text};
use crate::fake;

fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

/// Every conversation pays for these before the first call.
#[tokio::test]
async fn instructions_and_definitions_fit_their_token_budget() {
    let mut client = Client::new([]);
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 3);
    // Counted as JSON, for clients that show the model the whole definition.
    let definitions = tokens(&list["result"]["tools"].to_string());
    let instructions = tokens(capstan_server::mcp::MAIN_SKILL);
    let both = definitions + instructions;
    assert!(
        both <= 450,
        "{definitions} + {instructions} = {both} tokens"
    );
}

/// Some clients show the model only this line.
#[test]
fn the_first_line_of_the_instructions_is_short_and_useful_alone() {
    let first = capstan_server::mcp::MAIN_SKILL.lines().next().unwrap();
    assert!(first.len() <= 250, "{}", first.len());
    assert!(first.contains("execute") && first.contains("issue.list"));
}

#[tokio::test]
async fn every_explanation_costs_50_to_200_tokens() {
    let (capstan, _events) = fake::engine([]);
    let mut client = Client::initialized(capstan).await;
    let catalog = Catalog::new(&capstan_cards::CARDS);
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

/// Those that many inputs or fields make long are shortened.
#[tokio::test]
async fn every_explanation_of_a_generated_card_costs_at_most_200_tokens() {
    let (capstan, _events) = fake::engine([]);
    let mut client = Client::initialized(capstan).await;
    let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    let mut costly = Vec::new();
    for capability in catalog.generated() {
        let result = client
            .call("explain", json!({"capability": capability.id}))
            .await;
        let cost = tokens(text(&result));
        if cost > 200 {
            costly.push(format!("{}: {cost}", capability.id));
        }
    }
    assert!(costly.is_empty(), "{}: {costly:#?}", costly.len());
}

/// The documentation promises at most 15 % error for each text of at least 50 tokens, and 4 % on average.
#[test]
fn token_estimates_are_close_to_the_tokenizer() {
    let workspace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in [
        "docs",
        "docs/errors",
        "cards/issue",
        "cards/pr",
        "examples/code",
    ] {
        let entries = std::fs::read_dir(workspace.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        texts.extend(paths.filter_map(|path| std::fs::read_to_string(path).ok()));
    }
    // JSON requests and responses in the documentation count as texts of their own.
    let lines = texts.iter().flat_map(|text| text.lines());
    let json_lines: Vec<_> = lines
        .filter(|line| line.starts_with('{'))
        .map(str::to_owned)
        .collect();
    texts.extend(json_lines);
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
async fn the_cost_is_shown_only_on_request() {
    let (capstan, _events) = fake::engine([]);
    let mut client = Client::initialized(capstan).await;
    let with_cost = json!({"capability": "cap.list", "input": {}, "options": {"cost": true}});
    let asked = client.call("execute", with_cost).await;
    let cost = &asked["structuredContent"]["meta"]["cost"];
    assert!(cost["tokens_in"].as_u64() > Some(5), "{asked}");
    assert!(cost["tokens_out"].as_u64() > Some(10), "{asked}");
    let without_cost = json!({"capability": "cap.list", "input": {}});
    let unasked = client.call("execute", without_cost).await;
    assert!(unasked["structuredContent"]["meta"].get("cost").is_none());
}
