//! The engine's face: run a capability, explain it, show what a run would send.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use capstan_catalog::{Catalog, UnknownCapability};
use capstan_core::card::{Card, Operation};
use capstan_core::port::{Clock, Failure, Preflight, RouteAdapter};
use capstan_core::{
    AttemptMeta, AttemptStatus, ErrorCode, Outcome, Redactor, ResultEnvelope, ResultError,
    ResultMeta, Route, RouteReason, TaskRequest, Timings,
};

use crate::explanation::Explanation;
use crate::router::{Candidate, Environment, plan};
use crate::run::{Answered, Attempt, AttemptLog, LookupCache, Script, Sender};
use crate::schemas::{CardSchemas, Schemas};
use crate::{follow_up, input, note, retry, shape};

/// Capabilities that can be run.
pub struct Capstan {
    catalog: Catalog,
    adapters: Vec<Arc<dyn RouteAdapter>>,
    clock: Arc<dyn Clock>,
    redactor: Redactor,
    settings: Settings,
    schemas: Schemas,
    lookups: LookupCache,
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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: "github.com".to_owned(),
            routes: Route::ALL.to_vec(),
            request_timeout: retry::REQUEST_TIMEOUT,
            run_timeout: Duration::from_secs(40),
        }
    }
}

/// Nobody waits longer than this for one run.
const LONGEST_RUN: Duration = Duration::from_secs(600);

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
        Self {
            catalog,
            adapters,
            clock,
            redactor,
            settings,
            schemas: Schemas::default(),
            lookups: LookupCache::default(),
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
        let started = self.clock.now();
        let log = AttemptLog::default();
        let mut meta = ResultMeta {
            capability_id: request.capability.clone(),
            ..ResultMeta::default()
        };
        let result = self.run(request, &log, &mut meta).await;
        let (attempts, adapter_time) = log.into_parts();
        if request.options.trace {
            meta.attempts = Some(attempts);
            meta.timings = Some(Timings {
                total_ms: millis(self.clock.now().saturating_duration_since(started)),
                adapter_ms: millis(adapter_time),
            });
        }
        let envelope = match result {
            Ok(data) => ResultEnvelope::success(data, meta),
            Err(error) => ResultEnvelope::failure(error, meta),
        };
        self.redacted(envelope)
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

    pub(crate) fn prepare(
        &self,
        request: &TaskRequest,
    ) -> Result<(Arc<Card>, Arc<CardSchemas>, Value), ResultError> {
        let card = card(&self.catalog, &request.capability)?;
        let with_mend = |error: ResultError| {
            let mend = follow_up::mend(&card, &Value::Object(request.input.clone()), error.code);
            match mend {
                Some(mend) => error.with_detail("mend", mend),
                None => error,
            }
        };
        let schemas = self.schemas.of(&card)?;
        let input = input::prepare(&card, &schemas, &request.input).map_err(with_mend)?;
        shape::check_fields(&card, &request.options).map_err(with_mend)?;
        if let Some(route) = request.options.route
            && !card.has_route(route)
        {
            let has: Vec<_> = card
                .route_order()
                .iter()
                .map(|route| route.as_str())
                .collect();
            let message = format!(
                "{} has no {route} route; it has {}",
                card.id,
                has.join(", ")
            );
            return Err(ResultError::new(ErrorCode::AdapterUnsupported, message));
        }
        Ok((card, schemas, input))
    }

    pub(crate) async fn plan(
        &self,
        card: &Card,
        request: &TaskRequest,
        input: &Value,
    ) -> Vec<Candidate> {
        let env = Environment {
            host: self.settings.host.clone(),
            allowed: self.settings.routes.clone(),
            preflight: self.preflight_for(card, request).await,
        };
        plan(card, input, &request.options, &env)
    }

    async fn run(
        &self,
        request: &TaskRequest,
        log: &AttemptLog,
        meta: &mut ResultMeta,
    ) -> Result<Value, ResultError> {
        let (card, schemas, input) = self.prepare(request)?;
        let candidates = self.plan(&card, request, &input).await;
        let timeout = request
            .options
            .timeout_ms
            .map_or(self.settings.run_timeout, Duration::from_millis);
        let deadline = self.clock.now() + timeout.min(LONGEST_RUN);
        // Why the first route of the card is not the one that is used.
        let mut passed_over: Option<RouteReason> = None;
        let mut last_failure: Option<(Route, Failure)> = None;
        for candidate in &candidates {
            if let Some((reason, why)) = &candidate.skipped {
                log.push(skipped(candidate.route, why));
                passed_over = passed_over.or(Some(*reason));
                continue;
            }
            let Some((script, adapter)) = self.script(&card, candidate.route) else {
                continue;
            };
            let sender = Sender {
                adapter,
                clock: &*self.clock,
                deadline,
                request_timeout: self.settings.request_timeout,
                log,
            };
            let attempt = Attempt {
                card: &card,
                schemas: &schemas,
                script,
                input: &input,
                sender: &sender,
                cache: &self.lookups,
            };
            meta.route_used = Some(candidate.route);
            meta.reason = Some(passed_over.unwrap_or(match card.routing.preferred {
                Some(_) => RouteReason::CardPreferred,
                None => RouteReason::DefaultPolicy,
            }));
            match attempt.run().await {
                Ok(answered) => return Ok(self.succeed(&card, request, &input, answered, meta)),
                Err(failure) => {
                    let in_time = self.clock.now() < deadline;
                    let go_on = in_time && retry::may_fall_back(card.operation, &failure);
                    last_failure = Some((candidate.route, failure));
                    passed_over = passed_over.or(Some(RouteReason::CardFallback));
                    if !go_on {
                        break;
                    }
                }
            }
        }
        let error = match last_failure {
            Some((_, failure)) => after_sending(&card, failure),
            None => no_route(&card, &candidates),
        };
        Err(match follow_up::mend(&card, &input, error.code) {
            Some(mend) => error.with_detail("mend", mend),
            None => error,
        })
    }

    fn succeed(
        &self,
        card: &Card,
        request: &TaskRequest,
        input: &Value,
        answered: Answered,
        meta: &mut ResultMeta,
    ) -> Value {
        meta.pagination = answered.pagination;
        meta.warnings = answered.warnings;
        let pages = meta.pagination.as_ref();
        meta.note = note::empty_list(card, input, &request.input, &answered.data, pages);
        meta.next = follow_up::next(card, input, &answered.data);
        shape::shape(card, answered.data, &request.options)
    }

    pub(crate) fn script<'a>(
        &'a self,
        card: &'a Card,
        route: Route,
    ) -> Option<(Script<'a>, &'a dyn RouteAdapter)> {
        let adapter = self
            .adapters
            .iter()
            .find(|adapter| adapter.route() == route)?;
        Some((Script::of(card, route)?, &**adapter))
    }

    /// Only the routes that the card has and the caller allows are asked: a preflight is cheap, but
    /// finding `gh` is not free.
    async fn preflight_for(&self, card: &Card, request: &TaskRequest) -> Vec<(Route, Preflight)> {
        let mut results: Vec<(Route, Preflight)> = Vec::new();
        for route in request
            .options
            .route
            .map_or_else(|| card.route_order(), |route| vec![route])
        {
            if let Some(adapter) = self
                .adapters
                .iter()
                .find(|adapter| adapter.route() == route)
            {
                results.push((route, adapter.preflight().await));
            }
        }
        results
    }

    fn redacted(&self, mut envelope: ResultEnvelope) -> ResultEnvelope {
        if let Some(data) = &mut envelope.data {
            self.redactor.value(data);
        }
        if let Some(error) = &mut envelope.error {
            error.message = self.redactor.text(&error.message).into_owned();
            error
                .details
                .values_mut()
                .for_each(|detail| self.redactor.value(detail));
        }
        let meta = &mut envelope.meta;
        meta.capability_id = self.redactor.text(&meta.capability_id).into_owned();
        meta.note = meta
            .note
            .as_ref()
            .map(|note| self.redactor.text(note).into_owned());
        for warning in &mut meta.warnings {
            *warning = self.redactor.text(warning).into_owned();
        }
        for attempt in meta.attempts.iter_mut().flatten() {
            attempt.detail = attempt
                .detail
                .as_ref()
                .map(|text| self.redactor.text(text).into_owned());
        }
        for next in &mut meta.next {
            self.redactor.value(&mut next.input);
        }
        envelope
    }
}

/// A compact summary of a capability. Needs no route, so it needs no engine.
pub fn explain(catalog: &Catalog, capability: &str) -> Result<Explanation, ResultError> {
    card(catalog, capability).map(|card| Explanation::of(&card))
}

fn card(catalog: &Catalog, capability: &str) -> Result<Arc<Card>, ResultError> {
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

/// The error of something that was tried. For a write it says whether it may have happened.
fn after_sending(card: &Card, failure: Failure) -> ResultError {
    let Failure {
        mut error,
        outcome,
        retry_after,
    } = failure;
    if let Some(wait) = retry_after {
        error = error.with_detail("retry_after_s", wait.as_secs());
    }
    if card.operation == Operation::Read {
        return error;
    }
    match outcome {
        Outcome::NotApplied => error.with_detail("outcome", "not_applied"),
        Outcome::Unknown => {
            error
                .message
                .push_str("; it may have happened: look before sending it again");
            error.not_retryable().with_detail("outcome", "unknown")
        }
        Outcome::Applied => {
            error
                .message
                .push_str("; it did happen, but its answer was lost");
            error.not_retryable().with_detail("outcome", "applied")
        }
    }
}

/// The error when no route could even be tried.
fn no_route(card: &Card, candidates: &[Candidate]) -> ResultError {
    let obstacles: Vec<_> = candidates
        .iter()
        .filter_map(|candidate| Some((candidate.route, candidate.skipped.as_ref()?)))
        .collect();
    let not_ready = obstacles
        .iter()
        .any(|(_, (reason, _))| *reason == RouteReason::PreflightFailed);
    let code = if not_ready {
        ErrorCode::Auth
    } else {
        ErrorCode::AdapterUnsupported
    };
    let why: Vec<_> = obstacles
        .iter()
        .map(|(route, (_, why))| format!("{route}: {why}"))
        .collect();
    ResultError::new(
        code,
        format!("no route can run {}: {}", card.id, why.join("; ")),
    )
}

fn skipped(route: Route, why: &str) -> AttemptMeta {
    AttemptMeta {
        route,
        status: AttemptStatus::Skipped,
        error_code: None,
        duration_ms: None,
        detail: Some(why.to_owned()),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
