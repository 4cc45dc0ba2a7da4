//! The engine's face: run capabilities, explain them, and show what a run would send.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::code::{Mode, Node};
use capstan_core::port::{Clock, Embedder, Preflight, RouteAdapter};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, CodeRequest, Redactor, ResultEnvelope, ResultError, Route,
    TaskRequest,
};
use capstan_exec::{ChainSpec, MOST_OFFERED, Progress};
use capstan_lines::Defaults;
use capstan_search::Document;

use crate::capability::{Directory, Implementation, Lookup, OnlyKind, check_policy};
use crate::cost;
use crate::default_repository::DefaultRepository;
use crate::discovery::{self, Discovery, Explanation, Hit, SearchRequest};
use crate::envelope;
use crate::lines::{BadLine, LineReader, ReadLine};
use crate::local;
use crate::plans::SkillPlans;
use crate::recorder::Recorder;
use crate::recording::Recording;
use crate::resolver::Resolver;
use crate::run::{ChainPlan, DryRun, Runner, needs_stages};
use crate::services::Services;
use crate::session::Interruption;
use crate::settings::Settings;
use crate::shared::{Shared, card};
use crate::typescript::{self, Declarations};
use crate::words::Words;

/// Capabilities that can be run.
pub struct Capstan {
    shared: Arc<Shared>,
    resolver: Arc<Resolver>,
    discovery: Arc<Discovery>,
    runner: Runner,
}

impl fmt::Debug for Capstan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capstan")
            .field("settings", &self.shared.settings)
            .finish_non_exhaustive()
    }
}

impl Capstan {
    /// Makes an engine of a catalogue, the routes to GitHub, and the services that there are.
    pub fn new(
        catalog: Catalog,
        adapters: Vec<Arc<dyn RouteAdapter>>,
        clock: Arc<dyn Clock>,
        redactor: Redactor,
        settings: Settings,
        services: Services,
    ) -> Self {
        let shared = Arc::new(Shared::new(
            catalog,
            adapters,
            clock,
            redactor,
            settings,
            services,
            local::OWN_CARDS,
        ));
        let directory = Arc::new(Directory::new(Arc::clone(&shared)));
        let plans = SkillPlans::new(Arc::clone(&shared), Arc::clone(&directory));
        let resolver = Arc::new(Resolver {
            shared: Arc::clone(&shared),
            directory: Arc::clone(&directory),
            plans: Arc::new(plans),
        });
        let discovery = Arc::new(Discovery::new(Arc::clone(&resolver)));
        let runner = Runner {
            shared: Arc::clone(&shared),
            resolver: Arc::clone(&resolver),
            discovery: Arc::clone(&discovery),
            words: Words::new(Arc::clone(&shared), directory),
            recording: Recording::new(Arc::clone(&shared)),
        };
        Self {
            shared,
            resolver,
            discovery,
            runner,
        }
    }

    pub fn catalog(&self) -> &Catalog {
        &self.shared.catalog
    }

    pub fn redactor(&self) -> &Redactor {
        &self.shared.redactor
    }

    pub fn services(&self) -> &Services {
        &self.shared.services
    }

    /// Returns what finds, suggests and relates capabilities.
    pub fn discovery(&self) -> &Discovery {
        &self.discovery
    }

    /// Returns what plans and checks skills.
    pub fn skill_plans(&self) -> &SkillPlans {
        &self.resolver.plans
    }

    /// Runs one capability. Whatever happens, the answer is an envelope. Dropping the future stops the work.
    pub async fn execute_task(&self, request: &TaskRequest) -> ResultEnvelope {
        self.execute_task_watched(request, &|_| {}).await
    }

    /// Like [`Self::execute_task`], telling along the way how far a skill is.
    pub async fn execute_task_watched(
        &self,
        request: &TaskRequest,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ResultEnvelope {
        self.execute_only(request, watch, None).await
    }

    /// Runs remembered code, whatever else has its name.
    pub async fn call_code(&self, request: &TaskRequest) -> ResultEnvelope {
        self.execute_only(request, &|_| {}, Some(OnlyKind::Code))
            .await
    }

    /// Runs code once. If it succeeds, it is a capability from then on.
    pub async fn execute_code(&self, request: &CodeRequest) -> ResultEnvelope {
        self.runner.code().execute_code(request).await
    }

    /// Runs many capabilities in as few requests as can be. Their results come in their order.
    pub async fn execute_tasks(&self, request: &ChainRequest) -> ChainResultEnvelope {
        self.execute_tasks_watched(request, &|_| {}).await
    }

    /// Like [`Self::execute_tasks`], telling along the way how far it is.
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

    /// Shows everything of a run up to the first byte that would leave.
    pub async fn dry_run(&self, request: &TaskRequest) -> Result<DryRun, ResultError> {
        self.runner.dry_run(request).await
    }

    /// Shows the requests of a chain, level by level. The error is that of the first bad step.
    pub async fn dry_run_chain(&self, request: &ChainRequest) -> Result<ChainPlan, ResultError> {
        self.runner.plan_chain(&request.into()).await
    }

    /// Like [`Self::dry_run_chain`], for a chain in which nothing refers to another step: texts are taken as they are.
    pub async fn dry_run_verbatim(&self, request: &ChainRequest) -> Result<ChainPlan, ResultError> {
        let spec = ChainSpec {
            verbatim: true,
            ..request.into()
        };
        self.runner.plan_chain(&spec).await
    }

    /// Reads lines as steps. If any line is bad, all bad ones are returned and nothing else.
    pub async fn read_lines(&self, lines: &[String]) -> Result<Vec<ReadLine>, Vec<BadLine>> {
        let reader = LineReader {
            resolver: &self.resolver,
            discovery: &self.discovery,
            words: &self.runner.words,
        };
        reader.read_lines(lines).await
    }

    /// Returns a compact summary of a capability, whatever it is.
    pub async fn explain(&self, capability: &str) -> Result<Explanation, ResultError> {
        let deadline = self.shared.usual_deadline();
        let found = self.resolver.find(capability, deadline).await?;
        Ok(Explanation::from_found(&found))
    }

    /// Returns what is known of a capability before it is run.
    pub async fn card(&self, capability: &str) -> Result<Arc<Card>, ResultError> {
        self.resolver.card(capability).await
    }

    /// Returns what is known of remembered code before it is run, whatever else has its name.
    pub async fn code_card(&self, name: &str) -> Result<Arc<Card>, ResultError> {
        let lookup = Lookup {
            only: Some(OnlyKind::Code),
            ..Lookup::default()
        };
        let deadline = self.shared.usual_deadline();
        Ok(self.resolver.find_for(name, deadline, lookup).await?.card)
    }

    /// Returns declarations of everything that code can call now, and what could not be looked at.
    pub async fn declarations(&self) -> (Declarations, Vec<String>) {
        typescript::declare_everything(&self.resolver).await
    }

    /// Returns the TypeScript signature of a capability, whatever it is.
    pub async fn signature(&self, capability: &str) -> Result<String, ResultError> {
        typescript::signature_of(&self.resolver, capability).await
    }

    /// Returns a task in the words of its card, as it is run; nothing if it runs no card, or cannot be understood.
    pub async fn understood(&self, request: &TaskRequest) -> Option<TaskRequest> {
        self.runner.words.understood(request).await
    }

    /// Returns what is meant where a call does not say it.
    pub fn defaults(&self) -> Defaults {
        self.runner.words.defaults()
    }

    /// Returns where the repository of a call that names none comes from.
    pub fn default_repository(&self) -> &DefaultRepository {
        &self.shared.settings.repository
    }

    /// Returns a call of a card as a line.
    pub fn line(&self, id: &str, input: &Map<String, Value>) -> Option<String> {
        self.runner.words.line(id, input)
    }

    /// Returns how a card is written as a line.
    pub fn form(&self, id: &str) -> Option<String> {
        self.runner.words.form(id)
    }

    /// Asks every route whether it is ready, and if not, why.
    pub async fn preflight(&self) -> Vec<(Route, Preflight)> {
        self.shared.executor.preflight().await
    }

    /// Checks whether the policy lets something be done that Capstan does itself, by its id, where a caller reaches it in
    /// another way than by running it.
    pub fn permits(&self, id: &str) -> Result<(), ResultError> {
        let card = match local::card(id) {
            Some(card) => card,
            None => card(self.catalog(), id)?,
        };
        check_policy(&self.shared.settings.policy, &card, &Implementation::Card)
    }

    /// Takes what the last execution had written that its caller did not wait for. It is told once.
    pub fn take_interruption(&self) -> Option<Interruption> {
        self.shared.session.take_interruption()
    }

    async fn execute_only(
        &self,
        request: &TaskRequest,
        watch: &(dyn Fn(Progress) + Sync),
        only: Option<OnlyKind>,
    ) -> ResultEnvelope {
        let recording = &self.runner.recording;
        let spec = ChainSpec::from_task(request.clone());
        let (intent, capability) = (request.intent.as_deref(), request.capability.as_str());
        let mut execution = recording.begin(Mode::Single, intent, Some(capability));
        let top = execution.recorder().top();
        let outcome = if needs_stages(&spec.steps) && only.is_none() {
            self.runner.run_staged(&spec, watch, top).await
        } else {
            self.runner.run_only(&spec, watch, top, only).await
        };
        let recorder = execution.finish();
        let mut envelope = envelope::of_task(outcome, request, self.redactor());
        self.offer_next(&mut envelope, &recorder);
        recording.complete(&mut envelope, &recorder, request);
        if request.options.cost {
            let sent = json!({"capability": request.capability, "input": request.input});
            envelope.meta.cost = Some(cost::of(&sent, &envelope));
        }
        recording.keep_task(recorder, request, &envelope);
        envelope
    }

    async fn execute_chain(
        &self,
        request: &ChainRequest,
        spec: ChainSpec,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ChainResultEnvelope {
        let recording = &self.runner.recording;
        let mut execution = recording.begin(Mode::Chain, request.intent.as_deref(), None);
        let top = execution.recorder().top();
        let outcome = if needs_stages(&spec.steps) {
            self.runner.run_staged(&spec, watch, top).await
        } else {
            self.runner.run(&spec, watch, top).await
        };
        let recorder = execution.finish();
        let mut envelope = envelope::of_chain(outcome, request, self.redactor());
        envelope.meta.warnings = recorder.warnings();
        let warnings = self.shared.session.take_warnings();
        envelope.meta.warnings.extend(warnings);
        if request.trace && self.shared.store().is_some() {
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
        recording.keep_chain(recorder, request, &envelope);
        envelope
    }

    /// Offers, beside what a card offers, what usually follows.
    fn offer_next(&self, envelope: &mut ResultEnvelope, recorder: &Recorder) {
        // Most processes end before anything was learned.
        if !self.discovery.has_learned() {
            return;
        }
        let Some((call, data)) = recorder.first_call().zip(envelope.data.as_ref()) else {
            return;
        };
        let Ok(card) = self.catalog().get(&call.capability) else {
            return;
        };
        let node = Node::Named(call.capability.clone());
        let usual = self
            .discovery
            .usual_next_calls(&node, &card, &call.input, data);
        for next in usual {
            let offered = &mut envelope.meta.next;
            let is_new = offered.iter().all(|it| it.capability != next.capability);
            if is_new && offered.len() < MOST_OFFERED {
                offered.push(next);
            }
        }
    }
}

/// Returns a compact summary of a capability. Needs no route, so it needs no engine.
pub fn explain(catalog: &Catalog, capability: &str) -> Result<Explanation, ResultError> {
    let own = local::card(capability).filter(|_| !catalog.contains(capability));
    match own {
        Some(own) => Ok(Explanation::from_card(&own)),
        None => card(catalog, capability).map(|card| Explanation::from_card(&card)),
    }
}

/// Returns the best matches among what needs no store and no server: cards, and what Capstan does itself. The embedder has
/// its vectors at once, or is done without.
pub fn search_built_in(
    catalog: &Catalog,
    embedder: &dyn Embedder,
    wanted: &SearchRequest,
) -> Vec<Hit> {
    discovery::search_built_in(catalog, local::cards(), embedder, wanted)
}

/// Returns everything that needs no store and no server.
pub fn list_built_in(catalog: &Catalog) -> Vec<Hit> {
    discovery::list_built_in(catalog, local::cards())
}

/// Returns the texts by which that is found.
pub fn built_in_documents(catalog: &Catalog) -> Vec<Document> {
    discovery::built_in_documents(catalog, local::cards())
}
