//! Suitability rules read inputs that exist and facts that the router knows.

use indexmap::IndexMap;

use capstan_core::card::Card;

use crate::finding::{Finding, INPUT};
use crate::infer::{At, Checker};
use crate::rules::request::{input_type, request_scope};
use crate::ty::{Holder, Ty};

pub(crate) fn check(card: &Card) -> Vec<Finding> {
    let mut checker = Checker::default();
    let input = input_type(card, &mut checker);
    let facts = ["token", "gh", "host"].map(|name| (name.to_owned(), Ty::any()));
    let env = Ty::object(Holder::Engine, IndexMap::from(facts));
    let mut scope = request_scope(card, &input).with("env", env);
    scope.names.remove("page");
    scope.names.remove("fields");
    for (index, rule) in card.routing.suitability.iter().enumerate() {
        let pointer = format!("/routing/suitability/{index}/predicate");
        let at = At {
            pointer: &pointer,
            code: INPUT,
        };
        checker.infer(&rule.predicate, &scope, at);
    }
    checker.findings
}
