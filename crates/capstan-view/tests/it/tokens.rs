//! What a list costs a model.

use capstan_core::ResultEnvelope;
use serde_json::{Value, json};
use tiktoken_rs::o200k_base_singleton;

use crate::samples::{issues_input, list, map, ok, page, paged, shown};

fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

const FIVE: [&str; 5] = ["number", "title", "state", "author", "labels"];

/// Ten open issues with these columns, all by one author if there is one.
fn ten(columns: &[&str], author: Option<&str>) -> Value {
    let titles = [
        "Tank pressure sensor reads 0.0 after brown-out",
        "Update the README's build instructions",
        "Telemetry drops frames over 2 kHz",
        "Igniter retries twice on a cold start",
        "Valve timing differs between pads A and B",
        "Document the abort sequence",
        "Ground station loses lock at low elevation",
        "CI takes more than forty minutes",
        "Fuel gauge shows negative values",
        "Simulator ignores wind above 30 knots",
    ];
    let authors = ["priya-nair", "tomas-silva", "maya-chen"];
    let labels = [
        json!(["bug", "flight-critical"]),
        json!(["documentation"]),
        json!([]),
    ];
    let rows = titles.iter().enumerate().map(|(at, title)| {
        let mut row = map(json!({
            "number": 48 - at, "title": title, "state": "open", "author": author.unwrap_or(authors[at % 3]), "labels": labels[at % 3],
            "comments": at % 4, "updated_at": format!("2026-05-{:02}T14:{:02}:07Z", 26 - at, 6 + at),
        }));
        row.retain(|name, _| columns.contains(&name.as_str()));
        row
    });
    json!({"issues": rows.collect::<Vec<_>>()})
}

/// Returns the number of tokens of a list.
fn view(envelope: &ResultEnvelope) -> usize {
    let card = list(
        "issue.list",
        "issues",
        Some("{state} issues"),
        Some("newest first"),
        &[],
    );
    tokens(&shown(envelope, Some(&card), issues_input().into()))
}

/// Most of such a row is prose, which costs the same in every form.
#[test]
fn a_list_costs_less_than_two_thirds_of_its_json() {
    let data = ten(&FIVE, None);
    let (view, json) = (view(&ok(data.clone())), tokens(&data.to_string()));
    println!("{view} tokens, {json} as JSON");
    assert!(view * 3 < json * 2, "{view} of {json} tokens");
}

#[test]
fn a_page_costs_less_than_three_fifths_of_its_envelope() {
    let envelope = paged(ten(&FIVE, None), page(29, Some("Y3Vyc29yOnYyOjEw")));
    let (view, json) = (view(&envelope), tokens(&json!(envelope).to_string()));
    println!("{view} tokens, {json} as JSON");
    assert!(view * 10 < json * 6, "{view} of {json} tokens");
}

#[test]
fn a_list_of_one_author_costs_less_than_three_fifths_of_its_json() {
    let data = ten(&FIVE, Some("maya-chen"));
    let (view, json) = (view(&ok(data.clone())), tokens(&data.to_string()));
    println!("{view} tokens, {json} as JSON");
    assert!(view * 10 < json * 6, "{view} of {json} tokens");
}
