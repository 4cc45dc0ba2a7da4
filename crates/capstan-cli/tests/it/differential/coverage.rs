//! All rows of all tables, and what they must cover.

use capstan_catalog::{Catalog, load_dir};
use capstan_core::card::{Card, Operation};

use super::case::{Case, Expect};
use super::{issues, issues_changed, pulls, pulls_changed, repositories};
use crate::support::workspace;

pub(super) fn all_cases() -> Vec<Case> {
    [
        issues::cases(),
        issues_changed::cases(),
        pulls::cases(),
        pulls_changed::cases(),
        repositories::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns whether a card can be run on several routes. One that combines others has no routes, and a raw call has the
/// route that its caller chose.
pub(super) fn has_routes_to_compare(card: &Card) -> bool {
    !card.route_order().is_empty() && card.request.is_none()
}

#[test]
fn every_card_is_tried_in_every_way_that_it_has() {
    let cases = all_cases();
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let mut missing = Vec::new();
    for builtin in capstan_cards::CARDS.iter() {
        let card = catalog.get(builtin.id).unwrap();
        if !has_routes_to_compare(&card) {
            continue;
        }
        let of_card: Vec<&Case> = cases
            .iter()
            .filter(|case| case.card == builtin.id)
            .collect();
        for (what, there) in wanted(&card, &of_card) {
            if !there {
                missing.push(format!("{}: {what}", builtin.id));
            }
        }
    }
    assert!(missing.is_empty(), "cases are missing: {missing:#?}");
}

#[test]
fn what_is_packed_is_what_is_written() {
    let written = load_dir(&workspace().join("cards"));
    let catalog = Catalog::new(&capstan_cards::CARDS);
    assert_eq!(written.cards.len(), capstan_cards::CARDS.len());
    for card in &written.cards {
        assert_eq!(card, &*catalog.get(card.id.as_str()).unwrap());
    }
}

#[test]
fn states_have_names_of_their_own() {
    let cases = all_cases();
    for (index, case) in cases.iter().enumerate() {
        let twin = cases[..index]
            .iter()
            .any(|other| other.card == case.card && other.state == case.state);
        assert!(!twin, "{} ({}) is there twice", case.card, case.state);
    }
}

fn wanted(card: &Card, cases: &[&Case]) -> Vec<(&'static str, bool)> {
    let count = |wanted: fn(Expect) -> bool| cases.iter().filter(|c| wanted(c.expect)).count();
    let refusals = count(|expect| matches!(expect, Expect::Refusal(_)));
    let may_do_nothing = card
        .graphql
        .as_ref()
        .is_some_and(|graphql| graphql.unchanged.is_some())
        || card
            .rest
            .as_ref()
            .is_some_and(|rest| rest.unchanged.is_some());
    let mut wanted = vec![("two refusals", refusals >= 2)];
    wanted.push(match card.operation {
        Operation::Read => ("three reads", count(|expect| expect == Expect::Data) >= 3),
        Operation::Write => ("two changes", count(|expect| expect == Expect::Change) >= 2),
    });
    if may_do_nothing {
        let nothing = count(|expect| expect == Expect::NoChange);
        wanted.push(("a write with nothing to do", nothing >= 1));
    }
    if card.is_paged() {
        let pages = count(|expect| matches!(expect, Expect::Pages(_)));
        wanted.push(("a list of several pages", pages >= 1));
    }
    wanted
}
