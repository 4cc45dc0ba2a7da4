//! The engine's face: run a capability, explain it, show what a run would send.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};

use capstan_catalog::{Catalog, UnknownCapability};
use capstan_core::card::Card;
use capstan_core::code::{Limits, Mode, Scope, Timestamp};
use capstan_core::port::{Clock, Preflight, RouteAdapter, Viewer};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, ErrorCode, Redactor, ResultEnvelope, ResultError, Route,
    TaskRequest,
};
use capstan_exec::{
    ChainSpec, ChunkLimits, Executor, ExecutorSettings, Policy, Progress, Schemas, explain_call,
};
use capstan_skill::Plan;

use crate::capability::{Implementation, Lookup, Only, SettledSkills, check_policy};
use crate::default_repository::DefaultRepository;
use crate::explanation::Explanation;
use crate::find::Finder;
use crate::graph::Atlas;
use crate::parts::Parts;
use crate::recorder::timestamp;
use crate::session::Session;
use crate::staged::needs_stages;
use crate::suggest::Givers;
use crate::{cost, local};

/// Capabilities that can be run.
pub struct Capstan {
    catalog: Catalog,
    pub(crate) executor: Executor,
    pub(crate) clock: Arc<dyn Clock>,
    redactor: Redactor,
    pub(crate) settings: Settings,
    pub(crate) parts: Parts,
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
        let for_requests = ExecutorSettings::default();
        Self {
            host: for_requests.host,
            routes: for_requests.routes,
            request_timeout: for_requests.request_timeout,
            run_timeout: Duration::from_secs(40),
            chunks: for_requests.chunks,
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
        let for_requests = ExecutorSettings {
            host: settings.host.clone(),
            routes: settings.routes.clone(),
            request_timeout: settings.request_timeout,
            chunks: settings.chunks,
        };
        let executor = Executor::new(adapters, Arc::clone(&clock), redactor.clone(), for_requests);
        Self {
            catalog,
            executor,
            clock,
            redactor,
            settings,
            parts: Parts::default(),
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
        self.executor.adapters()
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
        let spec = ChainSpec::from_task(request.clone());
        let (intent, capability) = (request.intent.as_deref(), request.capability.as_str());
        let mut watched = self.watch(Mode::Single, intent, Some(capability));
        let top = watched.recorder().top();
        let outcome = if needs_stages(&spec.steps) && only.is_none() {
            self.run_staged(&spec, watch, top).await
        } else {
            self.run_only(&spec, watch, top, only).await
        };
        let recorder = watched.over();
        let mut envelope = outcome.into_single(request, &self.redactor);
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
        self.execute_chain(request, request.into(), watch).await
    }

    /// Runs the steps of a plan that was accepted. Whoever says several things means all of them: the first failure ends
    /// it.
    pub async fn execute_plan(
        &self,
        request: &ChainRequest,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ChainResultEnvelope {
        let spec = ChainSpec {
            fail_fast: true,
            ..request.into()
        };
        self.execute_chain(request, spec, watch).await
    }

    async fn execute_chain(
        &self,
        request: &ChainRequest,
        spec: ChainSpec,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ChainResultEnvelope {
        let mut watched = self.watch(Mode::Chain, request.intent.as_deref(), None);
        let top = watched.recorder().top();
        let outcome = if needs_stages(&spec.steps) {
            self.run_staged(&spec, watch, top).await
        } else {
            self.run(&spec, watch, top).await
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
        self.executor.preflight().await
    }

    pub(crate) fn timestamp(&self) -> Timestamp {
        timestamp(self.clock.date())
    }

    /// Which cards give what others ask for; found out when it is first asked.
    pub(crate) fn givers(&self) -> &Givers {
        self.givers.get_or_init(|| Givers::of(&self.catalog))
    }

    pub(crate) fn schemas(&self) -> &Schemas {
        self.executor.schemas()
    }

    /// Whether the policy lets something be run.
    pub(crate) fn may_run(&self, card: &Card) -> Result<(), ResultError> {
        check_policy(&self.settings.policy, card, &Implementation::Card)
    }

    /// Whether the policy lets something be done that Capstan does itself, by its id, where a caller
    /// reaches it in another way than by running it.
    pub fn permits(&self, id: &str) -> Result<(), ResultError> {
        match local::card(id) {
            Some(card) => self.may_run(&card),
            None => card(&self.catalog, id).and_then(|card| self.may_run(&card)),
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
        Some(near) => explain_call(near),
        None => json!({"tool": "search", "arguments": {"intent": unknown.id}}),
    };
    ResultError::new(ErrorCode::NotFound, unknown.to_string())
        .with_detail("near", unknown.near.clone())
        .with_detail("mend", mend)
}
