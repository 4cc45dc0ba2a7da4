//! The port to GitHub: one request on one route, sent once.

use std::time::Instant;

use serde_json::Value;

use super::{BoxFuture, Failure, PartialError};
use crate::{Route, RouteRequest};

/// One way to reach GitHub.
pub trait RouteAdapter: Send + Sync {
    fn route(&self) -> Route;

    /// Whether this route can be used at all, and if not, why. Local and cached: it never costs
    /// a network call.
    fn preflight(&self) -> BoxFuture<'_, Preflight>;

    /// Sends one request, exactly once, and waits for its answer until the deadline.
    /// Dropping the future stops the work.
    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>>;
}

/// Whether a route is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preflight {
    Ready,
    /// Nobody is logged in: why not, and what to do about it.
    NotReady(String),
    /// It cannot be used here, whoever is logged in: why not, such as a program that is missing, and
    /// what to do about it.
    Unavailable(String),
}

/// A successful answer, before it is normalized.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// REST and `gh`: the body. GraphQL: `data`.
    pub body: Value,
    /// Whether GitHub says that there is another page (REST).
    pub has_next_page: Option<bool>,
    /// Errors that came beside GraphQL data.
    pub errors: Vec<PartialError>,
    /// What the caller should hear beside a success.
    pub warnings: Vec<String>,
    /// What GitHub says about the token that it was asked with.
    pub token: TokenFacts,
}

/// What the headers of an answer tell about the token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenFacts {
    /// The scopes of a classic token. GitHub names none for fine-grained tokens and those of apps.
    pub scopes: Option<Vec<String>>,
    pub budget: Option<Budget>,
}

/// How many points or requests are left until the budget is full again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub limit: u64,
    pub remaining: u64,
    /// Seconds since 1970.
    pub resets_at: u64,
}

impl Answer {
    /// An answer with nothing beside it.
    pub fn of(body: Value) -> Self {
        Self {
            body,
            has_next_page: None,
            errors: Vec::new(),
            warnings: Vec::new(),
            token: TokenFacts::default(),
        }
    }
}
