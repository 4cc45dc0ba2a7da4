//! GitHub's primary rate limits: one counter per resource, shown in every answer's headers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::answer::Answer;

const WINDOW_SECONDS: i64 = 3600;

/// A counter of its own, as GitHub keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    Core,
    Graphql,
    Search,
}

/// What the headers of one answer say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) resource: Resource,
    pub(crate) used: u32,
    pub(crate) reset: i64,
}

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

    /// A used-up budget that resets in so many seconds.
    pub(crate) fn exhausted(resource: Resource, reset_in: u64) -> Self {
        Self {
            resource,
            used: resource.limit(),
            reset: unix_now() + i64::try_from(reset_in).unwrap_or(WINDOW_SECONDS),
        }
    }

    pub(crate) fn stamp(&self, answer: Answer) -> Answer {
        answer
            .with("x-ratelimit-limit", self.resource.limit())
            .with("x-ratelimit-remaining", self.remaining())
            .with("x-ratelimit-used", self.used)
            .with("x-ratelimit-reset", self.reset)
            .with("x-ratelimit-resource", self.resource.name())
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

    /// Counts one request. The counter wraps rather than locking a long test out: limits strike only as faults.
    pub(crate) fn spend(&self, resource: Resource) -> Budget {
        let budget = self.next(resource);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(resource, budget.used);
        budget
    }

    /// What the budget will be after one more request.
    pub(crate) fn next(&self, resource: Resource) -> Budget {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = used.get(&resource).copied().unwrap_or_default();
        self.budget(resource, (spent + 1) % resource.limit())
    }

    /// The body of `GET /rate_limit`, which costs nothing.
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

/// Real time, unlike the world's clock: clients compare the reset time with their own clock.
fn unix_now() -> i64 {
    OffsetDateTime::now_utc().unix_timestamp()
}
