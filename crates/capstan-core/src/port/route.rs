//! The port to GitHub and to services: sends one request on one route, once.

use std::time::Instant;

use serde_json::Value;

use super::{BoxFuture, Failure, PartialError};
use crate::{Redactor, Route, RouteRequest, ServiceName};

/// One route to GitHub or to a service.
pub trait RouteAdapter: Send + Sync {
    fn route(&self) -> Route;

    /// Returns the service to which it leads; `None` for GitHub.
    fn service(&self) -> Option<&ServiceName> {
        None
    }

    /// Returns whether this route can be used, and if not, why. It is local and cached, and never
    /// costs a network call.
    fn preflight(&self) -> BoxFuture<'_, Preflight>;

    /// Sends one request, exactly once, and waits for its answer until the deadline. Dropping the
    /// future stops the work.
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
    /// Nobody is logged in; the text says why, and what to do.
    NotReady(String),
    /// It cannot be used here with any login; the text says why, such as a missing program, and
    /// what to do.
    Unavailable(String),
}

/// A successful answer, before it is normalized.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The body for REST and `gh`; `data` for GraphQL.
    pub body: Value,
    /// The query of the next page's address, if there is another page (REST).
    pub next_page: Option<String>,
    /// Whether GitHub has accepted a write and finishes it later (status 202).
    pub is_accepted: bool,
    /// Errors that came beside GraphQL data.
    pub errors: Vec<PartialError>,
    /// Messages for the caller beside a success.
    pub warnings: Vec<String>,
    /// What GitHub says about the token of the request.
    pub token: TokenFacts,
}

/// Facts about the token from the headers of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenFacts {
    /// The scopes of a classic token. GitHub lists none for fine-grained tokens and tokens of apps.
    pub scopes: Option<Vec<String>>,
    pub budget: Option<Budget>,
}

/// How many points or requests are left until the budget is reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub limit: u64,
    pub remaining: u64,
    /// Seconds since 1970.
    pub resets_at: u64,
}

impl Answer {
    /// Masks secrets in every error of an answer. The body stays as it is; code that displays it masks it.
    pub fn redact_errors(&mut self, redactor: &Redactor) {
        for partial in &mut self.errors {
            partial.failure.redact(redactor);
        }
    }

    /// Returns an answer with only a body.
    pub fn of(body: Value) -> Self {
        Self {
            body,
            next_page: None,
            is_accepted: false,
            errors: Vec::new(),
            warnings: Vec::new(),
            token: TokenFacts::default(),
        }
    }
}
