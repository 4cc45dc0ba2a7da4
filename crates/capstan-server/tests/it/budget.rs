//! What conversations pay: tokens of the definitions, the skill and the explanations (o200k).

use capstan_catalog::Catalog;
use serde_json::{Value, json};
use tiktoken_rs::o200k_base_singleton;

use crate::client::{Client, modern, text};
use crate::fake;

fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

#[tokio::test]
async fn the_three_definitions_fit_their_budget() {
    let mut client = Client::new([]);
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 3);
    let seen: Vec<Value> = tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": tool["inputSchema"]
            })
        })
        .collect();
    let cost = tokens(&Value::Array(seen).to_string());
    assert!(cost <= 430, "{cost} tokens");
    // Even a client that shows the model everything stays below the limit.
    let all = tokens(&list["result"]["tools"].to_string());
    assert!(all <= 450, "{all} tokens with annotations");
}

#[test]
fn the_skill_is_short() {
    let cost = tokens(capstan_server::mcp::SKILL);
    assert!(cost < 150, "{cost} tokens");
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
