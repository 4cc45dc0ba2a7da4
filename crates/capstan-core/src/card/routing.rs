//! Which routes a card prefers, and when one does not suit.

use serde::{Deserialize, Serialize};

use crate::Route;
use crate::expr::Expr;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routing {
    /// None: the default order applies.
    pub preferred: Option<Route>,
    pub fallbacks: Vec<Route>,
    pub suitability: Vec<SuitabilityRule>,
    /// For `explain`.
    pub notes: Vec<String>,
}

/// A route suits only where its predicates hold.
#[derive(Clone, Debug, PartialEq)]
pub struct SuitabilityRule {
    pub route: Route,
    pub when: When,
    /// Over `$input` (also bare paths) and `$env` (`token`, `gh`, `host`).
    pub predicate: Expr,
    pub reason: String,
}

/// What a suitability rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    Always,
    Env,
    Params,
}
