//! A capability in a complete list.

use capstan_catalog::Catalog;
use capstan_catalog::outline::Audience;
use capstan_core::Route;
use capstan_core::card::{Deprecation, Kind, Operation};
use capstan_engine::{Hit, form_of};
use serde::Serialize;

/// What a complete list says about a capability.
#[derive(Serialize)]
pub(crate) struct CatalogueRow {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) operation: Operation,
    pub(super) kind: &'static str,
    /// The part of the id before the first dot: a domain of cards, or a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) domain: Option<String>,
    /// What GitHub calls the operations of a built-in card: `issues/create`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sources: Vec<String>,
    /// In the order in which they are tried.
    pub(super) routes: Vec<Route>,
    pub(super) generated: bool,
    /// Who can use it, if not every user.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub(super) audience: Option<Audience>,
    pub(super) deprecated: bool,
    /// The date of its removal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sunset: Option<String>,
    /// The line that runs it.
    #[serde(skip)]
    pub(super) form: String,
}

impl CatalogueRow {
    /// Describes a hit of a list. Cards are looked up in the catalogue.
    pub(crate) fn new(catalog: &Catalog, hit: Hit) -> Self {
        let detail = (hit.kind == Kind::Card).then(|| catalog.detail(&hit.id));
        let detail = detail.flatten();
        let card = detail.as_ref().map(|it| &*it.card);
        let standing = detail.as_ref().map(|it| it.summary.standing);
        let standing = standing.unwrap_or_default();
        let deprecation: Option<&Deprecation> = card.and_then(|card| card.deprecated.as_ref());
        let sources = detail.iter().flat_map(|it| &it.sources);
        Self {
            kind: hit.kind.as_str(),
            operation: hit.operation,
            domain: hit.id.split_once('.').map(|(domain, _)| domain.to_owned()),
            sources: sources.map(|&source| source.to_owned()).collect(),
            routes: card.map_or_else(|| vec![only_route(hit.kind)], |card| card.route_order()),
            generated: standing.is_generated,
            audience: standing.audience,
            deprecated: deprecation.is_some(),
            sunset: deprecation.and_then(|it| it.sunset.clone()),
            form: card.map_or_else(|| hit.id.clone(), form_of),
            id: hit.id,
            description: hit.description,
        }
    }
}

/// Returns the route of what is not a card.
fn only_route(kind: Kind) -> Route {
    match kind {
        Kind::Card => Route::Rest,
        Kind::Tool => Route::Mcp,
        Kind::Code => Route::Code,
        Kind::Skill => Route::Skill,
        Kind::System => Route::Local,
    }
}
