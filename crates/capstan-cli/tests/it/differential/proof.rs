//! The answer to a read proves no write. `gh` follows a redirect of a write with a read, and what
//! comes back is a list, or the thing as it was before.

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Operation};
use capstan_core::expr::Template;
use capstan_core::{Method, ResultEnvelope, Route};
use serde_json::{Value, json};

use crate::support::{Bench, Setup};

/// A card with an input that changes something, and what is read in place of the write where
/// nothing can be read at the write's own address.
struct Row(&'static str, Value, Option<&'static str>);

fn rows() -> Vec<Row> {
    let issue = "/repos/{owner}/{repo}/issues/{issue_number}";
    let labels = "/repos/{owner}/{repo}/issues/{issue_number}/labels";
    vec![
        Row(
            "issue.assignees.add",
            json!({"issue_number": 1, "assignees": ["tomas-silva"]}),
            Some("/repos/{owner}/{repo}/assignees"),
        ),
        Row(
            "issue.assignees.remove",
            json!({"issue_number": 1, "assignees": ["jonas-weber"]}),
            Some("/repos/{owner}/{repo}/assignees"),
        ),
        Row("issue.close", json!({"issue_number": 1}), None),
        Row(
            "issue.comments.create",
            json!({"issue_number": 1, "body": "ok"}),
            None,
        ),
        Row("issue.create", json!({"title": "Igniter"}), None),
        Row(
            "issue.labels.add",
            json!({"issue_number": 1, "labels": ["bug", "GNC"]}),
            None,
        ),
        Row(
            "issue.labels.remove",
            json!({"issue_number": 1, "label": "Bug"}),
            Some(labels),
        ),
        // What is neither a list of labels nor anything else that lacks the label.
        Row(
            "issue.labels.remove",
            json!({"issue_number": 1, "label": "bug"}),
            Some(issue),
        ),
        Row(
            "issue.milestone.set",
            json!({"issue_number": 1, "milestone": 1}),
            None,
        ),
        Row(
            "issue.milestone.set",
            json!({"issue_number": 1, "milestone": null}),
            None,
        ),
        Row(
            "issue.milestone.set",
            json!({"issue_number": 1, "milestone": null}),
            Some("/repos/{owner}/{repo}/issues"),
        ),
        Row("issue.reopen", json!({"issue_number": 4}), None),
        Row(
            "issue.update",
            json!({"issue_number": 1, "title": "Igniter"}),
            None,
        ),
        Row(
            "issue.update",
            json!({"issue_number": 1, "body": "text"}),
            None,
        ),
        Row(
            "pr.comments.create",
            json!({"pr_number": 27, "body": "ok"}),
            None,
        ),
        Row(
            "pr.create",
            json!({"title": "Count", "head": "count-dropped-frames", "base": "main"}),
            None,
        ),
        Row(
            "pr.reviews.submit",
            json!({"pr_number": 27, "event": "approve"}),
            None,
        ),
    ]
}

#[tokio::test]
async fn the_answer_to_a_read_proves_no_write() {
    for Row(card, input, path) in rows() {
        for route in [Route::Rest, Route::Cli] {
            let envelope = read_instead(card, &input, path, route).await;
            let error = envelope.error.expect(card);
            assert_eq!(
                error.details.get("outcome"),
                Some(&json!("unknown")),
                "{card} on {route}: {error:?}"
            );
        }
    }
}

/// GitHub passes over people without access, so that nobody need be there who was not before. Then
/// at least what is said is true.
#[tokio::test]
async fn nobody_is_said_to_be_assigned_who_is_not() {
    let input = json!({"issue_number": 1, "assignees": ["tomas-silva"]});
    let issue = "/repos/{owner}/{repo}/issues/{issue_number}";
    let envelope = read_instead("issue.assignees.add", &input, Some(issue), Route::Rest).await;
    let data = envelope.data.expect("a success");
    assert_eq!(data["changed"], false, "{data}");
    assert!(
        !data["assignees"].to_string().contains("tomas-silva"),
        "{data}"
    );
}

#[test]
fn every_write_over_rest_has_a_row() {
    let rows = rows();
    for card in builtin() {
        if card.operation == Operation::Write && card.rest.is_some() {
            let there = rows.iter().any(|Row(id, ..)| *id == card.id.as_str());
            assert!(there, "{} has no row", card.id);
        }
    }
}

/// Runs a card whose write is replaced by the read that a redirect would make of it.
async fn read_instead(
    card: &str,
    input: &Value,
    path: Option<&str>,
    route: Route,
) -> ResultEnvelope {
    let mut card = builtin().find(|other| other.id.as_str() == card).unwrap();
    let call = &mut card.rest.as_mut().unwrap().call;
    call.method = Method::Get;
    call.body = None;
    if let Some(path) = path {
        call.path = Template::parse(path).unwrap();
    }
    let id = card.id.clone();
    let bench = Bench::set_up(Setup {
        cards: vec![card],
        ..Setup::default()
    })
    .await;
    let mut input = input.clone();
    input["owner"] = json!("acme");
    input["repo"] = json!("rocket");
    bench.run_on(route, id.as_str(), &input).await
}

fn builtin() -> impl Iterator<Item = Card> {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    capstan_cards::CARDS
        .iter()
        .map(move |card| Card::clone(&catalog.get(card.id).unwrap()))
}
