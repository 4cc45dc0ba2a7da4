//! Compiles `service`: the routes of such a card do not call GitHub.

use capstan_core::ServiceName;

use super::compiler::Compiler;
use crate::raw::RawCard;

impl Compiler<'_> {
    /// Returns the service of a card, and reports what its cards cannot have.
    pub(super) fn service(&mut self, raw: &RawCard, name: &str) -> Option<ServiceName> {
        if raw.request.is_some() {
            self.problem(
                "/request",
                "only GitHub's cards can have `request`: give the card of a service a `rest` or a `graphql` route",
            );
        }
        let combines_others = raw.combine.iter().any(|it| it.task != raw.capability_id);
        if combines_others && raw.graphql.is_none() && raw.rest.is_none() {
            self.problem(
                "/service",
                "the card only combines other cards, which have services of their own: remove `service`",
            );
        }
        ServiceName::parse(name)
            .map_err(|error| self.problem("/service", error.to_string()))
            .ok()
    }

    /// Reports missing routes and routes that lead to GitHub.
    pub(super) fn check_service_routes(&mut self, raw: &RawCard) {
        if raw.cli.is_some() {
            self.problem(
                "/cli",
                "the card belongs to a service, and `gh` reaches only GitHub: remove `cli` or `service`",
            );
        }
        if raw.no_graphql.is_some() {
            self.problem(
                "/no_graphql",
                "the card belongs to a service, so it needs no GraphQL route: remove `no_graphql`",
            );
        }
        if raw.rest.as_ref().is_some_and(|it| it.answer.has_parts()) {
            self.problem(
                "/rest/answer",
                "only GitHub's cards can read files, logs and diffs: use `text`, or leave `answer` out",
            );
        }
        if raw.graphql.is_none() && raw.rest.is_none() {
            self.problem_with_help(
                "/service",
                "the card has no route to its service",
                "add `rest` or `graphql`",
            );
        }
    }
}
