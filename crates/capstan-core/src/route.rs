//! How a capability is run, and why that way was taken.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a request goes. Cards have up to three ways to reach GitHub; everything else has one way.
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
    /// To everything that a skill is made of.
    Skill,
    /// Nowhere: Capstan does it itself.
    Local,
}

impl Route {
    /// Every way to GitHub, in the order that applies when a card states no preference.
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

    pub fn is_github(self) -> bool {
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

/// Why the route in `route_used` was the one that was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RouteReason {
    /// The card's preferred route.
    CardPreferred,
    /// A route before it was tried and failed.
    CardFallback,
    /// A route before it was not ready: no token, no `gh`.
    PreflightFailed,
    /// The caller or the environment rules out a route before it.
    EnvConstraint,
    /// A route before it cannot do what the input asks.
    CapabilityLimit,
    /// The card states no preference: the default order decided.
    DefaultPolicy,
}
