//! The routes that a card prefers, and when a route is unsuitable.

use serde::{Deserialize, Serialize};

use crate::Route;
use crate::expr::Expr;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routing {
    /// The first route; `None` means the default order.
    pub preferred: Option<Route>,
    pub fallbacks: Vec<Route>,
    pub suitability: Vec<SuitabilityRule>,
    /// Notes for `explain`.
    pub notes: Vec<String>,
}

/// A condition under which a route is suitable. All rules of a route must be true.
#[derive(Clone, Debug, PartialEq)]
pub struct SuitabilityRule {
    pub route: Route,
    pub when: When,
    /// An expression over `$input` (also bare paths) and `$env` (`token`, `gh`, `host`).
    pub predicate: Expr,
    pub reason: String,
}

/// What a suitability rule depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    Always,
    Env,
    Params,
}
