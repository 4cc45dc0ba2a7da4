//! Cards whose input is a request that the caller writes.

use serde::{Deserialize, Serialize};

use crate::Route;

/// The kind of request that the input of a card is. Such a card has no routes of its own: a card for one call is made
/// from each input, and only that card can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestKind {
    /// `method`, `path`, `params`, `query`, `body`, `accept`.
    Rest,
    /// `query`, `variables`, `operation`.
    Graphql,
}

impl RequestKind {
    /// Returns the route on which the requests are sent.
    pub fn route(self) -> Route {
        match self {
            RequestKind::Rest => Route::Rest,
            RequestKind::Graphql => Route::Graphql,
        }
    }
}
