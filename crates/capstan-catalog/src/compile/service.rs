//! Compiles `service`: the routes of such a card do not call GitHub.

use capstan_core::ServiceName;
use capstan_core::card::{ListParameter, ServiceParts};

use super::compiler::Compiler;
use crate::raw::{RawCard, RawRest};

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

    /// Compiles what only the requests of services have.
    pub(super) fn service_parts(&mut self, raw: &RawRest) -> ServiceParts {
        let mut parts = ServiceParts {
            form: raw.form.clone(),
            ..ServiceParts::default()
        };
        if raw.form.is_some() && raw.raw.is_some() {
            let message =
                "a request has one body: `form` sends `body` as a form, and there is also `raw`";
            self.problem("/rest/form", message);
        }
        for (name, list) in &raw.lists {
            let pointer = format!("/rest/lists/{name}");
            if raw.query.contains_key(name) {
                self.problem(&pointer, "the parameter is also in `query`");
            }
            if let Some(value) = self.template(&format!("{pointer}/value"), &list.value) {
                let style = list.style;
                parts
                    .lists
                    .insert(name.clone(), ListParameter { value, style });
            }
        }
        for (name, value) in &raw.headers {
            let pointer = format!("/rest/headers/{name}");
            if !ServiceParts::may_set(name) {
                let message = format!("a card cannot set the header `{name}`");
                self.problem(&pointer, message);
            }
            if let Some(value) = self.template(&pointer, value) {
                parts.headers.insert(name.clone(), value);
            }
        }
        parts
    }

    /// Reports parts of requests that only cards of services can have.
    pub(super) fn refuse_service_parts(&mut self, raw: &RawRest) {
        let given = [
            ("lists", !raw.lists.is_empty()),
            ("form", raw.form.is_some()),
            ("headers", !raw.headers.is_empty()),
        ];
        for (key, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            let message = format!("only cards with a `service` can have `{key}`");
            self.problem(&format!("/rest/{key}"), message);
        }
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
