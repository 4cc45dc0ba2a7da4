//! Every rule catches a card that breaks it: a valid card with one change has exactly the finding
//! that belongs to the change.

use capstan_card_check::{CODES, Finding, GithubSchema, check_card, check_follow_ups};
use capstan_catalog::load_text;
use capstan_core::Source;
use capstan_core::card::{Card, Operation};

use crate::breaks::{BOTH, Break, CHECKS, CLOSE, LABEL, LIST, Texts, breaks};
use crate::support::schema;

#[test]
fn the_good_cards_have_no_findings() {
    for texts in [CLOSE, LIST, CHECKS, LABEL, BOTH] {
        let findings = findings(&load(texts.yaml, texts.graphql));
        assert_eq!(shown(&findings), "", "{}", texts.yaml);
    }
}

#[test]
fn each_break_is_found() {
    let mut failures = Vec::new();
    for Break {
        card,
        from,
        to,
        found: (code, pointer, message),
    } in breaks()
    {
        let (yaml, graphql) = change(card, from, to);
        let findings = findings(&load(&yaml, &graphql));
        let fits = |finding: &Finding| {
            finding.code == code && finding.pointer == pointer && finding.message.contains(message)
        };
        if findings.len() != 1 || !fits(&findings[0]) {
            failures.push(format!(
                "{from:?} -> {to:?}\n  expected [{code}] {pointer}: …{message}…\n  found:\n{}",
                shown(&findings)
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_code_has_a_break() {
    let broken: Vec<_> = breaks().into_iter().map(|broken| broken.found.0).collect();
    for (code, what) in CODES {
        // A card without a GraphQL route does not even load from YAML: see below.
        assert!(
            code == "E060" || broken.contains(&code),
            "no card breaks {code}: {what}"
        );
    }
}

#[test]
fn a_card_without_graphql_says_why() {
    let mut card = load(LIST.yaml, LIST.graphql);
    card.graphql = None;
    let of_route = |card: &Card| {
        let findings = check_card(card, schema());
        findings
            .into_iter()
            .filter(|finding| finding.code == "E060")
            .count()
    };
    assert_eq!(of_route(&card), 1);
    card.no_graphql = Some("  ".to_owned());
    assert_eq!(of_route(&card), 1);
    card.no_graphql = Some("GraphQL has no such list".to_owned());
    assert_eq!(of_route(&card), 0);
}

#[test]
fn a_follow_up_names_a_capability_that_exists() {
    let card = load(CLOSE.yaml, CLOSE.graphql);
    let findings = check_follow_ups(&card, |_| None);
    assert_eq!(
        shown(&findings),
        "[E058] /next/0/capability: there is no capability `ticket.list`\n\
         [E058] /mend/NOT_FOUND/capability: there is no capability `ticket.list`\n\
         [E062] /combine/1/task: there is no capability `ticket.label`"
    );
}

/// Both parts write, so both are reported.
#[test]
fn what_combines_writes_is_a_write() {
    let mut card = load(BOTH.yaml, BOTH.graphql);
    card.operation = Operation::Read;
    assert_eq!(
        shown(&findings(&card)),
        "[E062] /combine/0/task: `ticket.label` writes, and the card says that it reads\n\
         [E062] /combine/1/task: `ticket.close` writes, and the card says that it reads"
    );
}

#[test]
fn a_schema_that_goes_round_is_cut() {
    let mut card = load(LIST.yaml, LIST.graphql);
    let round =
        serde_json::json!({"anyOf": [{"$ref": "#/$defs/round"}, {"$ref": "#/$defs/round"}]});
    card.input_schema["$defs"] = serde_json::json!({"round": round});
    card.input_schema["properties"]["label"] = serde_json::json!({"$ref": "#/$defs/round"});
    // Nothing is known about such an input, so its use causes no findings.
    let routes = ["E051", "E052", "E053"];
    let findings = check_card(&card, schema());
    assert!(
        findings
            .iter()
            .all(|finding| !routes.contains(&finding.code)),
        "{}",
        shown(&findings)
    );
}

#[test]
fn a_schema_text_that_is_wrong_says_where() {
    let error = GithubSchema::parse(&[("bad.graphql", "type Query { a: Missing }")]).unwrap_err();
    assert!(
        error.contains("Missing") && error.contains("bad.graphql"),
        "{error}"
    );
}

/// Applies a change, which must match exactly once in the YAML or in the GraphQL.
fn change(card: Texts, from: &str, to: &str) -> (String, String) {
    let times = |text: &str| text.matches(from).count();
    match (times(card.yaml), times(card.graphql)) {
        (1, 0) => (card.yaml.replace(from, to), card.graphql.to_owned()),
        (0, 1) => (card.yaml.to_owned(), card.graphql.replace(from, to)),
        (yaml, graphql) => {
            panic!("{from:?} stands {yaml} times in the YAML and {graphql} times in the GraphQL")
        }
    }
}

fn load(yaml: &str, graphql: &str) -> Card {
    let source = Source::new("card.yaml", yaml);
    let document = Source::new("card.graphql", graphql);
    load_text(&source, |_| Ok(document)).unwrap_or_else(|diagnostics| {
        let lines: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
        panic!("the card does not load:\n{}", lines.join("\n"))
    })
}

fn findings(card: &Card) -> Vec<Finding> {
    let others = [
        load(CLOSE.yaml, CLOSE.graphql),
        load(LIST.yaml, LIST.graphql),
        load(CHECKS.yaml, CHECKS.graphql),
        load(LABEL.yaml, LABEL.graphql),
    ];
    let mut findings = check_card(card, schema());
    findings.extend(check_follow_ups(card, |id| {
        others.iter().find(|other| other.id == *id)
    }));
    findings
}

fn shown(findings: &[Finding]) -> String {
    let lines: Vec<_> = findings
        .iter()
        .map(|finding| {
            Finding {
                help: None,
                ..finding.clone()
            }
            .to_string()
        })
        .collect();
    lines.join("\n")
}
