//! The built-in cards have no findings, and the checker looks at all of them.

use capstan_card_check::{check_card, check_follow_ups};
use capstan_core::card::{Card, FieldMapping, OtherName};
use capstan_core::expr::{Expr, Root, Segment};
use indexmap::IndexMap;

use crate::support::{builtin, schema};

#[test]
fn the_built_in_cards_have_no_findings() {
    let loaded = builtin();
    let mut lines: Vec<_> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    assert!(!loaded.cards.is_empty(), "no cards found");
    for card in &loaded.cards {
        let known = |id: &_| loaded.cards.iter().find(|other| other.id == *id);
        let findings = check_card(card, schema());
        for finding in findings.into_iter().chain(check_follow_ups(card, known)) {
            lines.push(format!("{}: {finding}", file_of(card)));
        }
    }
    assert!(
        lines.is_empty(),
        "{} findings\n{}",
        lines.len(),
        lines.join("\n")
    );
}

/// A write that sets a state can be recognized afterwards. A write that creates something cannot:
/// an earlier, similar one could be mistaken for it.
#[test]
fn a_lost_write_is_verified_where_it_sets_a_state_and_nowhere_else() {
    for card in builtin().cards {
        let graphql = card.graphql.as_ref();
        let rest = card.rest.as_ref();
        let routes = [
            graphql.map(|route| (route.unchanged.is_some(), route.verify.is_some())),
            rest.map(|route| (route.unchanged.is_some(), route.verify.is_some())),
        ];
        for (unchanged, verify) in routes.into_iter().flatten() {
            assert_eq!(unchanged, verify, "{}", file_of(&card));
        }
    }
}

/// A name must not mean two cards at once.
#[test]
fn every_other_name_means_one_card() {
    let cards = builtin().cards;
    let mut taken: Vec<(&OtherName, &Card)> = Vec::new();
    let mut problems = Vec::new();
    for card in &cards {
        for name in &card.names {
            let is_id = cards.iter().any(|other| other.id.as_str() == name.name);
            if is_id {
                problems.push(format!("{}: `{}` is an id", card.id, name.name));
            }
            let same = |other: &OtherName| other.name == name.name && other.with == name.with;
            if let Some((_, other)) = taken.iter().find(|(other, _)| same(other)) {
                problems.push(format!(
                    "`{}` means {} and {}",
                    name.name, other.id, card.id
                ));
            }
            // If two names have the same number of inputs, both may match and neither is more
            // specific.
            let rivals = taken.iter().filter(|(other, of)| {
                other.name == name.name && of.id != card.id && other.with.len() == name.with.len()
            });
            for (other, of) in rivals {
                let apart = name
                    .with
                    .iter()
                    .any(|(input, value)| other.with.get(input).is_some_and(|it| it != value));
                if !apart {
                    problems.push(format!("`{}` may mean {} or {}", name.name, of.id, card.id));
                }
            }
            taken.push((name, card));
        }
    }
    assert!(!taken.is_empty(), "no card has another name");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Misspells the end of every path into a GraphQL answer; the checker must find each.
#[test]
fn no_path_into_an_answer_goes_unchecked() {
    let mut unseen = Vec::new();
    let mut misspelt = 0;
    for mut card in builtin().cards {
        let Some(route) = &mut card.graphql else {
            continue;
        };
        let mut pointers = Vec::new();
        misspell(
            &mut route.output.fields,
            "/graphql/output/fields",
            &mut pointers,
        );
        misspelt += pointers.len();
        let findings = check_card(&card, schema());
        for pointer in pointers {
            let found = |code: &str| {
                let mut here = findings.iter().filter(|finding| finding.pointer == pointer);
                here.any(|finding| finding.code == code)
            };
            if !found("E052") {
                unseen.push(format!("{}: {pointer}", file_of(&card)));
            }
        }
    }
    assert!(misspelt > 0, "no card reads an answer");
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}

fn misspell(fields: &mut IndexMap<String, FieldMapping>, pointer: &str, changed: &mut Vec<String>) {
    for (name, mapping) in fields {
        let pointer = format!("{pointer}/{name}");
        match mapping {
            FieldMapping::Value(expr) => {
                if misspell_path(expr) {
                    changed.push(pointer);
                }
            }
            FieldMapping::Object(fields)
            | FieldMapping::ObjectFrom { fields, .. }
            | FieldMapping::Each { fields, .. } => {
                misspell(fields, &format!("{pointer}/fields"), changed);
            }
        }
    }
}

/// Misspells a path from the current value, and returns whether there was one.
fn misspell_path(expr: &mut Expr) -> bool {
    match expr {
        Expr::Path(path) if path.root == Root::This => match path.segments.last_mut() {
            Some(Segment::Key(key)) => {
                key.push_str("Misspelt");
                true
            }
            _ => false,
        },
        Expr::Filtered(inner, _) | Expr::Not(inner) => misspell_path(inner),
        Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) => {
            let left = misspell_path(left);
            misspell_path(right) || left
        }
        Expr::Path(_) | Expr::Literal(_) => false,
    }
}

fn file_of(card: &Card) -> String {
    format!("cards/{}.yaml", card.id.as_str().replacen('.', "/", 1))
}
