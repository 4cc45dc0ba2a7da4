//! The engine's face: run a capability, explain it, show what a run would send.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use capstan_catalog::{Catalog, UnknownCapability};
use capstan_core::card::{Card, Operation};
use capstan_core::code::{Limits, Mode, Scope, Timestamp};
use capstan_core::port::{Clock, Preflight, RouteAdapter, Viewer};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, ErrorCode, Redactor, ResultEnvelope, ResultError, Route,
    TaskRequest, Timings,
};
use capstan_graphql::Documents;
use capstan_skill::Plan;

use crate::capability::{Behind, Lookup, Only, SettledSkills};
use crate::chain::{
    Chain, ChunkLimits, HostPause, Post, Preparation, Prepared, Progress, Surroundings, Watch,
    prepare,
};
use crate::combined::{Expanded, Rules, expand};
use crate::default_repository::DefaultRepository;
use crate::delegate::Delegate;
use crate::explanation::Explanation;
use crate::find::Finder;
use crate::graph::Atlas;
use crate::outcome::{self, ChainOutcome, millis};
use crate::parts::Parts;
use crate::policy::Policy;
use crate::recorder::{Opened, Within, timestamp};
use crate::router::Environment;
use crate::run::LookupCache;
use crate::schemas::Schemas;
use crate::session::Session;
use crate::staged::needs_stages;
use crate::suggest::Givers;
use crate::{cost, follow_up, local, retry};

/// Capabilities that can be run.
pub struct Capstan {
    catalog: Catalog,
    adapters: Vec<Arc<dyn RouteAdapter>>,
    pub(crate) clock: Arc<dyn Clock>,
    redactor: Redactor,
    pub(crate) settings: Settings,
    pub(crate) parts: Parts,
    schemas: Schemas,
    lookups: LookupCache,
    /// Of batches; most come again.
    documents: Mutex<Documents>,
    host_pause: HostPause,
    /// Of skills that were run, by name and version.
    pub(crate) plans: Mutex<HashMap<String, Arc<Plan>>>,
    /// Found out when a skill is first asked for.
    pub(crate) settled: OnceLock<SettledSkills>,
    pub(crate) session: Session,
    pub(crate) atlas: Atlas,
    pub(crate) finder: Finder,
    givers: OnceLock<Givers>,
    /// Whose token is used, once GitHub said so.
    pub(crate) known_login: OnceLock<String>,
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
    /// What code may use. How long it may take is that of the run.
    pub limits: Limits,
    pub policy: Policy,
    /// Whose names are meant, and who asks.
    pub viewer: Viewer,
    /// The viewer without what the configuration of the current folder says, where that is another one.
    pub own_viewer: Option<Viewer>,
    /// The repository that is meant where a call names none.
    pub repository: DefaultRepository,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: "github.com".to_owned(),
            routes: Route::GITHUB.to_vec(),
            request_timeout: retry::REQUEST_TIMEOUT,
            run_timeout: Duration::from_secs(40),
            chunks: ChunkLimits::default(),
            limits: Limits::default(),
            policy: Policy::default(),
            viewer: Viewer {
                scope: Scope::default(),
                user: "local".to_owned(),
            },
            own_viewer: None,
            repository: DefaultRepository::default(),
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
            parts: Parts::default(),
            schemas: Schemas::default(),
            lookups,
            documents: Mutex::default(),
            host_pause: HostPause::default(),
            plans: Mutex::default(),
            settled: OnceLock::new(),
            session: Session::default(),
            atlas: Atlas::default(),
            finder: Finder::default(),
            givers: OnceLock::new(),
            known_login: OnceLock::new(),
        }
    }

    #[must_use]
    pub fn with(mut self, parts: Parts) -> Self {
        self.parts = parts;
        self
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub(crate) fn adapters(&self) -> &[Arc<dyn RouteAdapter>] {
        &self.adapters
    }

    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// The GitHub that is worked with.
    pub(crate) fn github_host(&self) -> &str {
        &self.settings.host
    }

    /// Runs one capability. Whatever happens, the answer is an envelope. Dropping the future stops
    /// the work.
    pub async fn execute_task(&self, request: &TaskRequest) -> ResultEnvelope {
        self.execute_task_watched(request, &|_| {}).await
    }

    /// Like `execute_task`, telling along the way how far a skill is.
    pub async fn execute_task_watched(
        &self,
        request: &TaskRequest,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ResultEnvelope {
        self.execute_only(request, watch, None).await
    }

    /// Runs remembered code, whatever else has its name.
    pub async fn call_code(&self, request: &TaskRequest) -> ResultEnvelope {
        self.execute_only(request, &|_| {}, Some(Only::Code)).await
    }

    async fn execute_only(
        &self,
        request: &TaskRequest,
        watch: &(dyn Fn(Progress) + Sync),
        only: Option<Only>,
    ) -> ResultEnvelope {
        let chain = ChainRequest::of_one(request.clone());
        let (intent, capability) = (request.intent.as_deref(), request.capability.as_str());
        let mut watched = self.watch(Mode::Single, intent, Some(capability));
        let top = watched.recorder().top();
        let outcome = if needs_stages(&chain) && only.is_none() {
            self.run_staged(&chain, watch, top).await
        } else {
            self.run_only(&chain, watch, top, only).await
        };
        let recorder = watched.over();
        let mut envelope = outcome.into_single(request);
        self.complete(&mut envelope, &recorder, request);
        if request.options.cost {
            let sent = json!({"capability": request.capability, "input": request.input});
            envelope.meta.cost = Some(cost::of(&sent, &envelope));
        }
        self.keep_task(recorder, request, &envelope);
        envelope
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
        let mut watched = self.watch(Mode::Chain, request.intent.as_deref(), None);
        let top = watched.recorder().top();
        let outcome = if needs_stages(request) {
            self.run_staged(request, watch, top).await
        } else {
            self.run(request, watch, top).await
        };
        let recorder = watched.over();
        let mut envelope = outcome.into_chain(request, &self.redactor);
        envelope.meta.warnings = recorder.warnings();
        envelope.meta.warnings.extend(self.session.untold());
        if request.trace && self.store().is_some() {
            envelope.meta.trace_id = Some(recorder.id().clone());
        }
        if request.steps.iter().any(|step| step.request.options.cost) {
            let steps = request.steps.iter().map(|step| {
                let TaskRequest {
                    capability, input, ..
                } = &step.request;
                json!({"task": capability, "input": input, "as": step.name})
            });
            let sent: Vec<Value> = steps.collect();
            envelope.meta.cost = Some(cost::of(&json!({"steps": sent}), &envelope));
        }
        self.keep_chain(recorder, request, &envelope);
        envelope
    }

    /// A compact summary of a capability, whatever it is.
    pub async fn explain(&self, capability: &str) -> Result<Explanation, ResultError> {
        let deadline = self.clock.now() + self.settings.run_timeout;
        let found = self.find(capability, deadline).await?;
        Ok(Explanation::of_found(&found))
    }

    /// What is known of a capability before it is run.
    pub async fn card(&self, capability: &str) -> Result<Arc<Card>, ResultError> {
        let deadline = self.clock.now() + self.settings.run_timeout;
        Ok(self.find(capability, deadline).await?.card)
    }

    /// What is known of remembered code before it is run, whatever else has its name.
    pub async fn code_card(&self, name: &str) -> Result<Arc<Card>, ResultError> {
        let deadline = self.clock.now() + self.settings.run_timeout;
        let lookup = Lookup {
            only: Some(Only::Code),
            ..Lookup::default()
        };
        Ok(self.find_for(name, deadline, lookup).await?.card)
    }

    /// Which routes are ready, and if not, why.
    pub async fn preflight(&self) -> Vec<(Route, Preflight)> {
        let mut results = Vec::with_capacity(self.adapters.len());
        for adapter in &self.adapters {
            results.push((adapter.route(), adapter.preflight().await));
        }
        results
    }

    /// The steps of a chain as far as they may run, and what is wrong with the others.
    pub(crate) async fn prepare<'a>(
        &self,
        request: &'a ChainRequest,
        deadline: Instant,
        reads_only: bool,
        lookup: Lookup,
    ) -> Preparation<'a> {
        let found = self.find_all(request, deadline, lookup).await;
        let policy = &self.settings.policy;
        let policy = match reads_only {
            true => Cow::Owned(policy.reading()),
            false => Cow::Borrowed(policy),
        };
        prepare(request, found, &self.schemas, &policy, &self.redactor)
    }

    pub(crate) fn timestamp(&self) -> Timestamp {
        timestamp(self.clock.date())
    }

    /// Which cards give what others ask for; found out when it is first asked.
    pub(crate) fn givers(&self) -> &Givers {
        self.givers.get_or_init(|| Givers::of(&self.catalog))
    }

    pub(crate) fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    /// Whether the policy lets something be run.
    pub(crate) fn may_run(&self, card: &Card) -> Result<(), ResultError> {
        self.settings.policy.check(card, &Behind::Nothing)
    }

    /// Whether the policy lets something be done that Capstan does itself, by its id, where a caller
    /// reaches it in another way than by running it.
    pub fn permits(&self, id: &str) -> Result<(), ResultError> {
        match local::card(id) {
            Some(card) => self.may_run(&card),
            None => card(&self.catalog, id).and_then(|card| self.may_run(&card)),
        }
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
        environment: &'a Environment,
        deadline: Instant,
        dry: bool,
    ) -> Surroundings<'a> {
        Surroundings {
            environment,
            lookups: &self.lookups,
            documents: &self.documents,
            host_pause: &self.host_pause,
            limits: self.settings.chunks,
            deadline,
            dry,
            in_order: true,
            fail_fast: false,
            halt: None,
        }
    }

    /// How long a chain may take. It may need many requests, one after the other, and has to wait
    /// when GitHub says so.
    pub(crate) fn timeout(&self, request: &ChainRequest) -> Duration {
        let more = u32::try_from(request.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let unsaid = self.settings.run_timeout + TIME_PER_STEP.saturating_mul(more);
        let timeout = request.timeout_ms.map_or(unsaid, Duration::from_millis);
        timeout.min(LONGEST_RUN)
    }

    pub(crate) async fn run(
        &self,
        request: &ChainRequest,
        watch: Watch<'_>,
        within: Within<'_>,
    ) -> ChainOutcome {
        self.run_only(request, watch, within, None).await
    }

    /// Like `run`, where every step names something of one kind.
    pub(crate) async fn run_only(
        &self,
        request: &ChainRequest,
        watch: Watch<'_>,
        within: Within<'_>,
        only: Option<Only>,
    ) -> ChainOutcome {
        // What names its kind, such as a step of a skill, has the right words already.
        if only.is_some() {
            return self.run_settled(request, watch, within, only).await;
        }
        let settled = self.settled(request, within.asker).await;
        let mut outcome = self
            .run_settled(&settled.request, watch, within, only)
            .await;
        settled.correct(&mut outcome.envelopes);
        outcome
    }

    async fn run_settled(
        &self,
        request: &ChainRequest,
        watch: Watch<'_>,
        within: Within<'_>,
        only: Option<Only>,
    ) -> ChainOutcome {
        match self.expanded(request) {
            Some(expanded) => {
                let run = self.run_plain(&expanded.request, watch, within, only);
                let outcome = run.await;
                ChainOutcome {
                    envelopes: expanded.merge(outcome.envelopes),
                    ..outcome
                }
            }
            None => self.run_plain(request, watch, within, only).await,
        }
    }

    /// The chain with its combined steps written out; nothing if it has none.
    pub(crate) fn expanded(&self, request: &ChainRequest) -> Option<Expanded> {
        let rules = Rules {
            catalog: &self.catalog,
            schemas: &self.schemas,
            policy: &self.settings.policy,
        };
        expand(request, &rules)
    }

    /// Runs a chain without combined steps.
    async fn run_plain(
        &self,
        request: &ChainRequest,
        watch: Watch<'_>,
        within: Within<'_>,
        only: Option<Only>,
    ) -> ChainOutcome {
        let started = self.clock.now();
        let deadline = started + self.timeout(request);
        let lookup = Lookup {
            asker: within.asker,
            only,
        };
        let prepared = self.prepare(request, deadline, within.reads_only, lookup);
        let Preparation { ready, problems } = prepared.await;
        let recorder = within.recorder;
        if let ([step], None) = (ready.as_slice(), within.call) {
            recorder.is_of(step);
        }
        let batch = recorder.batch();
        let calls: Vec<u32> = ready
            .iter()
            .map(|step| {
                let writes = step.card.operation == Operation::Write;
                recorder.open(&Opened {
                    capability: step.card.id.as_str(),
                    code: step.behind.code().map(|it| &it.record.fqdn),
                    step: request.steps[step.index].name.as_deref(),
                    input: &step.input,
                    batch,
                    within: within.call,
                    writes: writes && !step.behind.is_made_of_others(),
                })
            })
            .collect();
        if let ([call], Some(number)) = (calls.as_slice(), within.number) {
            // It is made once.
            let _ = number.set(*call);
        }
        // A lone step says how far it is, or nothing is said.
        let is_alone = request.steps.len() == 1;
        let mut requests = 0;
        let mut chunks = 0;
        let mut adapter_time = Duration::ZERO;
        let envelopes = if problems.is_empty() || request.apart {
            let environment = self.environment(&ready).await;
            let surroundings = Surroundings {
                in_order: !request.apart,
                fail_fast: request.fail_fast,
                halt: within.halt,
                ..self.surroundings(&environment, deadline, false)
            };
            let post = Post {
                adapters: &self.adapters,
                delegate: Delegate {
                    capstan: self,
                    steps: &ready,
                    calls: &calls,
                    within,
                    resume: request.resume.as_ref(),
                    watch: is_alone.then_some(watch),
                },
                clock: &*self.clock,
                deadline: surroundings.deadline,
                request_timeout: self.settings.request_timeout,
                redactor: &self.redactor,
            };
            let mut chain = Chain::new(&ready, surroundings);
            let of_steps: Watch<'_> = match is_alone {
                true => &|_| {},
                false => watch,
            };
            adapter_time = post.deliver_all(&mut chain, of_steps).await;
            let end = chain.finish();
            (requests, chunks) = (end.requests, end.chunks);
            let steps = ready.iter().zip(end.steps);
            let ended = steps.map(|(step, ended)| (step.index, outcome::envelope(step, ended)));
            outcome::in_order(request, ended, problems)
        } else {
            outcome::refused(request, problems)
        };
        let redact = |envelope| match request.raw {
            true => envelope,
            false => outcome::redacted(&self.redactor, envelope),
        };
        let envelopes: Vec<_> = envelopes.into_iter().map(redact).collect();
        for (step, call) in ready.iter().zip(&calls) {
            recorder.close(*call, &envelopes[step.index]);
        }
        // What could not even be tried is told too, where it was asked for by code.
        let tried = |index: usize| ready.iter().any(|step| step.index == index);
        for (index, step) in request.steps.iter().enumerate() {
            if request.apart && !tried(index) {
                let call = recorder.open(&Opened {
                    capability: step.request.capability.as_str(),
                    code: None,
                    step: step.name.as_deref(),
                    input: &Value::Null,
                    batch,
                    within: within.call,
                    writes: false,
                });
                recorder.close(call, &envelopes[index]);
            }
        }
        ChainOutcome {
            envelopes,
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
    let own = local::card(capability).filter(|_| !catalog.contains(capability));
    match own {
        Some(own) => Ok(Explanation::of(&own)),
        None => card(catalog, capability).map(|card| Explanation::of(&card)),
    }
}

pub(crate) fn card(catalog: &Catalog, capability: &str) -> Result<Arc<Card>, ResultError> {
    catalog
        .get(capability)
        .map_err(|unknown| unknown_capability(&unknown))
}

pub(crate) fn unknown_capability(unknown: &UnknownCapability) -> ResultError {
    let mend = match unknown.near.first() {
        Some(near) => follow_up::explain(near),
        None => json!({"tool": "search", "arguments": {"intent": unknown.id}}),
    };
    ResultError::new(ErrorCode::NotFound, unknown.to_string())
        .with_detail("near", unknown.near.clone())
        .with_detail("mend", mend)
}
