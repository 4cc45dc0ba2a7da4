//! Compiles a card as a whole: the parts that concern no route, and how the routes fit together.

use indexmap::IndexMap;
use semver::Version;
use serde_json::Value;

use capstan_core::Route;
use capstan_core::card::{Card, Deprecation, Example, List, RequestKind};

use super::compiler::Compiler;
use crate::defaults::OutputSchema;
use crate::raw::RawCard;

impl Compiler<'_> {
    pub(super) fn card(&mut self, raw: RawCard) -> Option<Card> {
        let id = self.id("/capability_id", &raw.capability_id);
        let version = match Version::parse(&raw.version) {
            Ok(version) => Some(version),
            Err(cause) => {
                self.problem(
                    "/version",
                    format!("`{}` is not a version: {cause}", raw.version),
                );
                None
            }
        };
        for (pointer, schema) in [
            ("/input_schema", &raw.input_schema),
            ("/output_schema", &raw.output_schema),
        ] {
            // The answer to a request of the caller may be anything.
            if raw.request.is_some() && pointer == "/output_schema" {
                continue;
            }
            if schema.get("type").and_then(Value::as_str) != Some("object") {
                self.problem(
                    pointer,
                    "a card's schema describes an object: expected `type: object`",
                );
            }
        }
        let combines_itself = raw.combine.iter().any(|it| it.task == raw.capability_id);
        if raw.request.is_some() {
            self.refuse_routes(&raw, "the input of the card is the request");
            self.refuse_parts(&raw);
        } else if !raw.combine.is_empty() && !combines_itself {
            self.refuse_routes(&raw, "the card only combines other cards");
        } else if raw.service.is_some() {
            self.check_service_routes(&raw);
        } else if raw.graphql.is_none() && raw.no_graphql.is_none() {
            self.problem_with_help(
                "/capability_id",
                "the card has no `graphql` route",
                "add one, or say in `no_graphql` why GitHub's GraphQL cannot do it",
            );
        }
        if raw.graphql.is_some() && raw.no_graphql.is_some() {
            self.problem(
                "/no_graphql",
                "the card has a `graphql` route: remove `no_graphql`",
            );
        }
        let service = raw.service.as_ref().map(|name| self.service(&raw, name));
        if let (None, Some(rest)) = (&service, &raw.rest) {
            self.refuse_service_parts(rest);
        }
        let schema = OutputSchema::new(&raw.output_schema);
        let rest_given = raw.rest.is_some();
        let graphql_given = raw.graphql.is_some();
        let graphql = raw.graphql.and_then(|raw| self.graphql(raw, &schema));
        let rest = raw.rest.as_ref().and_then(|raw| self.rest(raw, &schema));
        let is_only_http = raw.rest.as_ref().is_some_and(|rest| {
            rest.answer.has_parts() || rest.raw.is_some() || !rest.host.is_usual()
        });
        let cli = raw
            .cli
            .and_then(|raw| self.cli(raw, graphql_given, rest_given, is_only_http, &schema));
        let given = |route| match route {
            Route::Graphql => graphql_given,
            Route::Rest => rest_given,
            Route::Cli => cli.is_some(),
            Route::Mcp | Route::Code | Route::Skill | Route::Local => false,
        };
        let routing = self.routing(&raw.routing, given);
        let list = raw.list.and_then(|list| {
            Some(List {
                empty: self.template("/list/empty", &list.empty)?,
                title: match &list.title {
                    Some(title) => Some(self.template("/list/title", title)?),
                    None => None,
                },
                field: list.field,
                order: list.order,
                columns: list.columns,
                always: list.always,
            })
        });
        let list = list.or_else(|| match raw.request? {
            RequestKind::Rest => Some(List::of_whole_answer()),
            RequestKind::Graphql => None,
        });
        let combine = self.combined_steps(&raw.combine);
        let line = self.line_form(&raw.line);
        let names = self.other_names(&raw.names);
        let next = self.follow_ups(&raw.next);
        let mut mend = IndexMap::new();
        for (code, follow_up) in &raw.mend {
            let pointer = format!("/mend/{code}");
            if let Some(follow_up) = self.follow_up(&pointer, follow_up) {
                mend.insert(*code, follow_up);
            }
        }
        let mut card = Card {
            id: id?,
            version: version?,
            service: match service {
                Some(service) => Some(service?),
                None => None,
            },
            description: raw.description,
            input_schema: raw.input_schema,
            output_schema: raw.output_schema,
            operation: self.operation,
            effects: raw.effects,
            routing,
            graphql,
            no_graphql: raw.no_graphql,
            rest,
            cli,
            request: raw.request,
            call: None,
            combine,
            list,
            line,
            names,
            next,
            mend,
            intents: raw.intents,
            examples: raw
                .examples
                .into_iter()
                .map(|example| Example {
                    title: example.title,
                    input: example.input,
                })
                .collect(),
            deprecated: raw.deprecated.map(|raw| Deprecation {
                since: raw.since,
                sunset: raw.sunset,
                replacement: raw.replacement,
            }),
        };
        self.protect_sealed(&mut card);
        self.check_raw_input(&card);
        Some(card)
    }
}
