//! Compiles the order of the routes and the rules for when a route is unsuitable.

use capstan_core::Route;
use capstan_core::card::{Routing, SuitabilityRule};

use super::compiler::Compiler;
use crate::raw::RawRouting;

impl Compiler<'_> {
    pub(super) fn routing(&mut self, raw: &RawRouting, given: impl Fn(Route) -> bool) -> Routing {
        let stated = raw
            .preferred
            .iter()
            .map(|route| ("/routing/preferred".to_owned(), *route));
        let fallbacks = raw
            .fallbacks
            .iter()
            .enumerate()
            .map(|(index, route)| (format!("/routing/fallbacks/{index}"), *route));
        for (pointer, route) in stated.chain(fallbacks) {
            if !given(route) {
                self.problem(&pointer, format!("the card declares no `{route}` route"));
            }
        }
        let mut suitability = Vec::new();
        for (index, rule) in raw.suitability.iter().enumerate() {
            let pointer = format!("/routing/suitability/{index}/predicate");
            if let Some(predicate) = self.expr(&pointer, &rule.predicate) {
                suitability.push(SuitabilityRule {
                    route: rule.route,
                    when: rule.when,
                    predicate,
                    reason: rule.reason.clone(),
                });
            }
        }
        Routing {
            preferred: raw.preferred,
            fallbacks: raw.fallbacks.clone(),
            suitability,
            notes: raw.notes.clone(),
        }
    }
}
