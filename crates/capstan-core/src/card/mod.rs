//! A card: one GitHub operation as data, checked and ready to run.
//!
//! Cards are written in YAML; reading them is the catalogue's job. Here every expression is
//! parsed, every name is known, and nothing needs checking again.

mod output;
mod routes;
mod routing;

pub use output::{FieldMapping, Output};
pub use routes::{
    ApiKind, CliArg, CliCommand, CliRoute, GraphqlDocument, GraphqlLookup, GraphqlPagination,
    GraphqlRoute, HttpLookup, HttpPagination, RestCall, RestRoute, Settled,
};
pub use routing::{Routing, SuitabilityRule, When};

use indexmap::IndexMap;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::expr::{Expr, Template, ValueTemplate};
use crate::{CapabilityId, ErrorCode, Route};

#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub id: CapabilityId,
    pub version: Version,
    /// One line.
    pub description: String,
    pub input_schema: Value,
    pub output_schema: Value,
    pub operation: Operation,
    pub effects: Vec<String>,
    pub routing: Routing,
    pub graphql: Option<GraphqlRoute>,
    /// Why GitHub's GraphQL cannot do this; every other card has a `graphql` route.
    pub no_graphql: Option<String>,
    pub rest: Option<RestRoute>,
    pub cli: Option<CliRoute>,
    /// For cards that answer with a list.
    pub list: Option<List>,
    /// Calls that are likely to follow a success.
    pub next: Vec<FollowUp>,
    /// The one call that would mend a failure, by error code.
    pub mend: IndexMap<ErrorCode, FollowUp>,
    /// Ways people ask for it, in their words.
    pub intents: Vec<String>,
    pub examples: Vec<Example>,
    pub deprecated: Option<Deprecation>,
}

/// Whether running it changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    Read,
    Write,
}

/// The list in a card's data.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The field of `data` that holds the rows.
    pub field: String,
    /// What an empty list was searched for: `no {state} issues in {owner}/{repo}`.
    pub empty: Template,
}

/// A call made from the input (`$input`) and the data (bare paths) of another.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUp {
    pub capability: CapabilityId,
    pub input: ValueTemplate,
    /// Offered only when this holds.
    pub when: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub title: String,
    pub input: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    pub since: String,
    pub sunset: Option<String>,
    pub replacement: Option<String>,
}

impl Card {
    pub fn has_route(&self, route: Route) -> bool {
        match route {
            Route::Graphql => self.graphql.is_some(),
            Route::Rest => self.rest.is_some(),
            Route::Cli => self.cli.is_some(),
        }
    }

    /// The routes in the order in which they are tried.
    pub fn route_order(&self) -> Vec<Route> {
        let mut order = Vec::with_capacity(Route::ALL.len());
        let stated = self
            .routing
            .preferred
            .into_iter()
            .chain(self.routing.fallbacks.iter().copied());
        for route in stated.chain(
            Route::ALL
                .into_iter()
                .filter(|_| self.routing.preferred.is_none()),
        ) {
            if self.has_route(route) && !order.contains(&route) {
                order.push(route);
            }
        }
        order
    }

    /// Whether results come in pages, asked for with `first` and `after`.
    pub fn pages(&self) -> bool {
        let property = |name: &str| {
            self.input_schema
                .pointer(&format!("/properties/{name}"))
                .is_some()
        };
        self.list.is_some() && property("first") && property("after")
    }
}
