//! GitHub's primary rate limits: one counter per resource, reported in the headers of every response.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::response::HttpResponse;

const WINDOW_SECONDS: i64 = 3600;

/// A resource with a rate limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    Core,
    Graphql,
    Search,
}

/// The state of one rate limit, as the headers of a response report it. `reset` is in seconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) resource: Resource,
    pub(crate) used: u32,
    pub(crate) reset: i64,
}

/// The counters of all resources. They reset one hour after the start.
#[derive(Debug)]
pub(crate) struct RateLimits {
    reset: i64,
    used: Mutex<BTreeMap<Resource, u32>>,
}

impl Resource {
    fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Graphql => "graphql",
            Self::Search => "search",
        }
    }

    fn limit(self) -> u32 {
        match self {
            Self::Core | Self::Graphql => 5000,
            Self::Search => 30,
        }
    }
}

impl Budget {
    pub(crate) fn remaining(&self) -> u32 {
        self.resource.limit().saturating_sub(self.used)
    }

    /// Returns a used-up budget that resets in `reset_in` seconds.
    pub(crate) fn exhausted(resource: Resource, reset_in: u64) -> Self {
        Self {
            resource,
            used: resource.limit(),
            reset: unix_now() + i64::try_from(reset_in).unwrap_or(WINDOW_SECONDS),
        }
    }

    /// Adds the rate-limit headers.
    pub(crate) fn add_headers(&self, response: HttpResponse) -> HttpResponse {
        response
            .with_header("x-ratelimit-limit", self.resource.limit())
            .with_header("x-ratelimit-remaining", self.remaining())
            .with_header("x-ratelimit-used", self.used)
            .with_header("x-ratelimit-reset", self.reset)
            .with_header("x-ratelimit-resource", self.resource.name())
    }

    fn to_json(self) -> Value {
        json!({
            "limit": self.resource.limit(),
            "used": self.used,
            "remaining": self.remaining(),
            "reset": self.reset,
        })
    }
}

impl RateLimits {
    pub(crate) fn new() -> Self {
        Self {
            reset: unix_now() + WINDOW_SECONDS,
            used: Mutex::default(),
        }
    }

    /// Counts one request. The counter wraps at the limit, so that long tests are not refused; only faults refuse.
    pub(crate) fn spend(&self, resource: Resource) -> Budget {
        let budget = self.next(resource);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(resource, budget.used);
        budget
    }

    /// Returns the budget as it is, without counting a request.
    pub(crate) fn current(&self, resource: Resource) -> Budget {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.budget(resource, used.get(&resource).copied().unwrap_or_default())
    }

    /// Returns the budget as it will be after one more request.
    pub(crate) fn next(&self, resource: Resource) -> Budget {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = used.get(&resource).copied().unwrap_or_default();
        self.budget(resource, (spent + 1) % resource.limit())
    }

    /// Returns the body of `GET /rate_limit`, a request that does not count.
    pub(crate) fn overview(&self) -> Value {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |resource| {
            self.budget(resource, used.get(&resource).copied().unwrap_or_default())
                .to_json()
        };
        json!({
            "resources": {
                "core": of(Resource::Core),
                "search": of(Resource::Search),
                "graphql": of(Resource::Graphql),
            },
            "rate": of(Resource::Core),
        })
    }

    fn budget(&self, resource: Resource, used: u32) -> Budget {
        Budget {
            resource,
            used,
            reset: self.reset,
        }
    }
}

/// Returns the real time in seconds since 1970, not the world's: clients compare it with their own clock.
fn unix_now() -> i64 {
    OffsetDateTime::now_utc().unix_timestamp()
}
