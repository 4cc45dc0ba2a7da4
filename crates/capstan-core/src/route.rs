//! How a capability is run, and why on that route.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a request goes. Cards have up to three routes to GitHub, or two to a service; everything else has one route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    Graphql,
    Rest,
    Cli,
    /// To a downstream MCP server.
    Mcp,
    /// Into the sandbox.
    Code,
    /// To the parts of a skill.
    Skill,
    /// Nowhere: Capstan does it itself.
    Local,
}

impl Route {
    /// All routes to GitHub, in the default order. Services have the first two.
    pub const GITHUB: [Route; 3] = [Route::Graphql, Route::Rest, Route::Cli];

    pub fn as_str(self) -> &'static str {
        match self {
            Route::Graphql => "graphql",
            Route::Rest => "rest",
            Route::Cli => "cli",
            Route::Mcp => "mcp",
            Route::Code => "code",
            Route::Skill => "skill",
            Route::Local => "local",
        }
    }

    /// Returns whether it leads to GitHub or to a service.
    pub fn is_of_cards(self) -> bool {
        Route::GITHUB.contains(&self)
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Route::GITHUB
            .into_iter()
            .find(|route| route.as_str() == text)
            .ok_or_else(|| format!("`{text}` is not a route: expected graphql, rest or cli"))
    }
}

/// Why the route in `route_used` was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RouteReason {
    /// The card's preferred route.
    CardPreferred,
    /// An earlier route was tried and failed.
    CardFallback,
    /// An earlier route was not ready: no token, or no `gh`.
    PreflightFailed,
    /// The caller or the environment rules out an earlier route.
    EnvConstraint,
    /// An earlier route cannot do what the input requires.
    CapabilityLimit,
    /// The card has no preference, so the default order decided.
    DefaultPolicy,
}
