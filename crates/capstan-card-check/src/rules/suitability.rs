//! Checks that suitability rules read only existing inputs and facts that the router has.

use indexmap::IndexMap;

use capstan_core::card::Card;

use crate::finding::{Finding, INPUT};
use crate::infer::{Checker, ExprLocation};
use crate::rules::request::{input_type, request_scope};
use crate::ty::{ObjectSource, Ty};

pub(crate) fn check(card: &Card) -> Vec<Finding> {
    let mut checker = Checker::default();
    let input = input_type(card, &mut checker);
    let facts = ["token", "gh", "host"].map(|name| (name.to_owned(), Ty::any()));
    let env = Ty::object(ObjectSource::Engine, IndexMap::from(facts));
    let mut scope = request_scope(card, &input).with("env", env);
    scope.names.remove("page");
    scope.names.remove("fields");
    for (index, rule) in card.routing.suitability.iter().enumerate() {
        let pointer = format!("/routing/suitability/{index}/predicate");
        let at = ExprLocation {
            pointer: &pointer,
            code: INPUT,
        };
        checker.infer(&rule.predicate, &scope, at);
    }
    checker.findings
}
