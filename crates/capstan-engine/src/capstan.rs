//! The engine's face: run a capability, explain it, show what a run would send.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use capstan_catalog::{Catalog, UnknownCapability};
use capstan_core::card::Card;
use capstan_core::port::{Clock, Preflight, RouteAdapter};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, ErrorCode, Redactor, ResultEnvelope, ResultError, Route,
    TaskRequest, Timings,
};
use capstan_graphql::Documents;

use crate::chain::{Chain, ChunkLimits, Post, Prepared, Progress, Surroundings, prepare};
use crate::explanation::Explanation;
use crate::outcome::{self, ChainOutcome, millis};
use crate::router::Environment;
use crate::run::LookupCache;
use crate::schemas::Schemas;
use crate::{follow_up, retry};

/// Capabilities that can be run.
pub struct Capstan {
    catalog: Catalog,
    adapters: Vec<Arc<dyn RouteAdapter>>,
    pub(crate) clock: Arc<dyn Clock>,
    redactor: Redactor,
    settings: Settings,
    schemas: Schemas,
    lookups: LookupCache,
    /// Of batches; most come again.
    documents: Mutex<Documents>,
}

/// What the configuration decides.
#[derive(Clone, Debug)]
pub struct Settings {
    pub host: String,
    /// Routes that may be used at all.
    pub routes: Vec<Route>,
    /// How long one request may take.
    pub request_timeout: Duration,
    /// How long a run may take when the caller does not say.
    pub run_timeout: Duration,
    /// What one request of a chain may hold.
    pub chunks: ChunkLimits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: "github.com".to_owned(),
            routes: Route::ALL.to_vec(),
            request_timeout: retry::REQUEST_TIMEOUT,
            run_timeout: Duration::from_secs(40),
            chunks: ChunkLimits::default(),
        }
    }
}

/// Nobody waits longer than this for one run.
const LONGEST_RUN: Duration = Duration::from_secs(600);

/// What each further step adds to the time that a chain may take.
const TIME_PER_STEP: Duration = Duration::from_secs(2);

impl fmt::Debug for Capstan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capstan")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Capstan {
    pub fn new(
        catalog: Catalog,
        adapters: Vec<Arc<dyn RouteAdapter>>,
        clock: Arc<dyn Clock>,
        redactor: Redactor,
        settings: Settings,
    ) -> Self {
        let lookups = LookupCache::new(Arc::clone(&clock));
        Self {
            catalog,
            adapters,
            clock,
            redactor,
            settings,
            schemas: Schemas::default(),
            lookups,
            documents: Mutex::default(),
        }
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Runs one capability. Whatever happens, the answer is an envelope. Dropping the future stops
    /// the work.
    pub async fn execute_task(&self, request: &TaskRequest) -> ResultEnvelope {
        let chain = ChainRequest::of_one(request.clone());
        self.run(&chain, &|_| {}).await.into_single(request)
    }

    /// Runs many capabilities in as few requests as can be; their results come in their order.
    pub async fn execute_tasks(&self, request: &ChainRequest) -> ChainResultEnvelope {
        self.execute_tasks_watched(request, &|_| {}).await
    }

    /// Like `execute_tasks`, telling along the way how far it is.
    pub async fn execute_tasks_watched(
        &self,
        request: &ChainRequest,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ChainResultEnvelope {
        let outcome = self.run(request, watch).await;
        outcome.into_chain(request, &self.redactor)
    }

    /// A compact summary of a capability.
    pub fn explain(&self, capability: &str) -> Result<Explanation, ResultError> {
        explain(&self.catalog, capability)
    }

    /// Which routes are ready, and if not, why.
    pub async fn preflight(&self) -> Vec<(Route, Preflight)> {
        let mut results = Vec::with_capacity(self.adapters.len());
        for adapter in &self.adapters {
            results.push((adapter.route(), adapter.preflight().await));
        }
        results
    }

    /// The steps of a chain, or what is wrong with which of them.
    pub(crate) fn prepare<'a>(
        &self,
        request: &'a ChainRequest,
    ) -> Result<Vec<Prepared<'a>>, Vec<(usize, ResultError)>> {
        prepare(request, &self.catalog, &self.schemas)
    }

    /// What is known before anything is sent. Only the routes that the cards have and the caller
    /// allows are asked: a preflight is cheap, but finding `gh` is not free.
    pub(crate) async fn environment(&self, prepared: &[Prepared<'_>]) -> Environment {
        let mut preflight: Vec<(Route, Preflight)> = Vec::new();
        for adapter in &self.adapters {
            let route = adapter.route();
            let asked = |step: &Prepared<'_>| match step.request.options.route {
                Some(forced) => forced == route,
                None => step.card.route_order().contains(&route),
            };
            if prepared.iter().any(asked) {
                preflight.push((route, adapter.preflight().await));
            }
        }
        Environment {
            host: self.settings.host.clone(),
            allowed: self.settings.routes.clone(),
            preflight,
        }
    }

    pub(crate) fn surroundings<'a>(
        &'a self,
        request: &ChainRequest,
        environment: &'a Environment,
        now: Instant,
        dry: bool,
    ) -> Surroundings<'a> {
        // A chain may need many requests, one after the other, and has to wait when GitHub says so.
        let more = u32::try_from(request.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let unsaid = self.settings.run_timeout + TIME_PER_STEP.saturating_mul(more);
        let timeout = request.timeout_ms.map_or(unsaid, Duration::from_millis);
        Surroundings {
            environment,
            lookups: &self.lookups,
            documents: &self.documents,
            limits: self.settings.chunks,
            deadline: now + timeout.min(LONGEST_RUN),
            dry,
        }
    }

    async fn run(&self, request: &ChainRequest, watch: &(dyn Fn(Progress) + Sync)) -> ChainOutcome {
        let started = self.clock.now();
        let mut requests = 0;
        let mut chunks = 0;
        let mut adapter_time = Duration::ZERO;
        let envelopes = match self.prepare(request) {
            Err(problems) => outcome::refused(request, problems),
            Ok(prepared) => {
                let environment = self.environment(&prepared).await;
                let now = self.clock.now();
                let surroundings = self.surroundings(request, &environment, now, false);
                let post = Post {
                    adapters: &self.adapters,
                    clock: &*self.clock,
                    deadline: surroundings.deadline,
                    request_timeout: self.settings.request_timeout,
                };
                let mut chain = Chain::new(&prepared, surroundings);
                adapter_time = post.deliver_all(&mut chain, watch).await;
                let end = chain.finish();
                (requests, chunks) = (end.requests, end.chunks);
                let steps = prepared.iter().zip(end.steps);
                steps
                    .map(|(prepared, ended)| outcome::envelope(prepared, ended))
                    .collect()
            }
        };
        let redact = |envelope| outcome::redacted(&self.redactor, envelope);
        ChainOutcome {
            envelopes: envelopes.into_iter().map(redact).collect(),
            requests,
            chunks,
            timings: Timings {
                total_ms: millis(self.clock.now().saturating_duration_since(started)),
                adapter_ms: millis(adapter_time),
            },
        }
    }
}

/// A compact summary of a capability. Needs no route, so it needs no engine.
pub fn explain(catalog: &Catalog, capability: &str) -> Result<Explanation, ResultError> {
    card(catalog, capability).map(|card| Explanation::of(&card))
}

pub(crate) fn card(catalog: &Catalog, capability: &str) -> Result<Arc<Card>, ResultError> {
    catalog
        .get(capability)
        .map_err(|unknown| unknown_capability(&unknown))
}

fn unknown_capability(unknown: &UnknownCapability) -> ResultError {
    let mend = match unknown.near.first() {
        Some(near) => follow_up::explain(near),
        None => json!({"tool": "search", "arguments": {"intent": unknown.id}}),
    };
    ResultError::new(ErrorCode::NotFound, unknown.to_string())
        .with_detail("near", unknown.near.clone())
        .with_detail("mend", mend)
}
