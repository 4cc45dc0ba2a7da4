//! The public interface of the engine: runs capabilities, explains them, and shows what a run would send.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::code::{Mode, Node};
use capstan_core::port::{Clock, Embedder, Preflight, RouteAdapter};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, CodeRequest, Redactor, ResultEnvelope, ResultError, Route,
    TaskRequest,
};
use capstan_exec::{ChainSpec, MOST_OFFERED, Progress};
use capstan_search::Document;

use crate::capability::{Directory, Implementation, Lookup, OnlyKind, check_policy};
use crate::cost;
use crate::discovery::{self, BuiltInSearch, Discovery, Explanation, Hit, SearchRequest};
use crate::envelope;
use crate::lines::{BadLine, LineReader, ReadLine};
use crate::local;
use crate::plans::SkillPlans;
use crate::recorder::Recorder;
use crate::resolver::Resolver;
use crate::run::{ChainPlan, DryRun, Runner, needs_stages};
use crate::services::Services;
use crate::session::Interruption;
use crate::settings::Settings;
use crate::shared::{Shared, card};
use crate::trace_log::TraceLog;
use crate::typescript::{self, Declarations};
use crate::words::Words;

/// The engine. Finds capabilities by name and runs them.
///
/// `examples/library` embeds it in a program, with routes to GitHub. Without any, what needs no request works:
///
/// ```
/// use std::sync::Arc;
/// # use std::time::{Duration, Instant, SystemTime};
/// # use capstan_core::port::{BoxFuture, Clock};
/// use capstan_catalog::Catalog;
/// use capstan_core::Redactor;
/// use capstan_engine::{Capstan, Services, Settings};
/// # struct SystemClock;
/// # impl Clock for SystemClock {
/// #     fn now(&self) -> Instant { Instant::now() }
/// #     fn date(&self) -> SystemTime { SystemTime::UNIX_EPOCH }
/// #     fn sleep(&self, _: Duration) -> BoxFuture<'_, ()> { Box::pin(async {}) }
/// # }
///
/// # futures_executor::block_on(async {
/// let capstan = Capstan::new(
///     Catalog::new(&capstan_cards::CARDS),
///     Vec::new(), // no routes to GitHub
///     Arc::new(SystemClock),
///     Redactor::default(),
///     Settings::default(),
///     Services::default(), // no store, no sandbox, no skills
/// );
/// let explanation = capstan.explain("issue.view").await?;
/// assert_eq!(explanation.capability_id, "issue.view");
/// # Ok::<(), capstan_core::ResultError>(())
/// # }).unwrap();
/// ```
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
    /// Creates an engine from a catalogue, the routes to GitHub, and the available services.
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
            trace_log: TraceLog::new(Arc::clone(&shared)),
        };
        Self {
            shared,
            resolver,
            discovery,
            runner,
        }
    }

    /// Returns the catalogue of cards.
    pub fn catalog(&self) -> &Catalog {
        &self.shared.catalog
    }

    /// Returns what masks secrets, for callers that print something themselves.
    pub fn redactor(&self) -> &Redactor {
        &self.shared.redactor
    }

    /// Returns the services that the engine was created with.
    pub fn services(&self) -> &Services {
        &self.shared.services
    }

    /// Returns the part of the engine that finds, suggests and relates capabilities.
    pub fn discovery(&self) -> &Discovery {
        &self.discovery
    }

    /// Returns the part of the engine that knows how calls are written: lines, their forms and default values.
    pub fn words(&self) -> &Words {
        &self.runner.words
    }

    /// Returns the part of the engine that plans and checks skills.
    pub fn skill_plans(&self) -> &SkillPlans {
        &self.resolver.plans
    }

    /// Runs one capability. Returns an envelope in every case; failures are in it. Dropping the future stops the
    /// work.
    ///
    /// ```
    /// # use capstan_core::TaskRequest;
    /// # use serde_json::{Map, json};
    /// # async fn example(capstan: &capstan_engine::Capstan) {
    /// let request = TaskRequest {
    ///     capability: "issue.view".to_owned(),
    ///     input: Map::from_iter([
    ///         ("owner".to_owned(), json!("acme")),
    ///         ("repo".to_owned(), json!("rocket")),
    ///         ("issue_number".to_owned(), json!(1)),
    ///     ]),
    ///     ..TaskRequest::default()
    /// };
    /// let envelope = capstan.execute_task(&request).await;
    /// match (envelope.data, envelope.error) {
    ///     (Some(data), _) => println!("{}", data["title"]),
    ///     (None, Some(error)) => eprintln!("{}: {}", error.code, error.message),
    ///     (None, None) => unreachable!("an envelope has data or an error"),
    /// }
    /// # }
    /// ```
    pub async fn execute_task(&self, request: &TaskRequest) -> ResultEnvelope {
        self.execute_task_watched(request, &|_| {}).await
    }

    /// Like [`Self::execute_task`], and reports the progress of a skill to `watch`.
    pub async fn execute_task_watched(
        &self,
        request: &TaskRequest,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ResultEnvelope {
        self.execute_only(request, watch, None).await
    }

    /// Runs remembered code, even if something else has the same name.
    pub async fn call_code(&self, request: &TaskRequest) -> ResultEnvelope {
        self.execute_only(request, &|_| {}, Some(OnlyKind::Code))
            .await
    }

    /// Runs code once, in the sandbox. If it succeeds, it becomes a capability, and `meta.capability_name` is its
    /// name.
    ///
    /// ```
    /// # use capstan_core::CodeRequest;
    /// # async fn example(capstan: &capstan_engine::Capstan) {
    /// let request = CodeRequest {
    ///     intent: "count the open issues".to_owned(),
    ///     code: "const page = await capstan.issue.list({owner: 'acme', repo: 'rocket'});
    ///            return page.issues.length;"
    ///         .to_owned(),
    ///     ..CodeRequest::default()
    /// };
    /// let envelope = capstan.execute_code(&request).await;
    /// # }
    /// ```
    pub async fn execute_code(&self, request: &CodeRequest) -> ResultEnvelope {
        self.runner.code().execute_code(request).await
    }

    /// Runs a chain of capabilities in as few requests as possible. The results are in the order of the steps.
    ///
    /// ```
    /// # use capstan_core::{ChainRequest, ChainStep, ChainStatus, TaskRequest};
    /// # async fn example(capstan: &capstan_engine::Capstan, close: TaskRequest, comment: TaskRequest) {
    /// let step = |request| ChainStep { request, ..ChainStep::default() };
    /// let chain = ChainRequest {
    ///     steps: vec![step(comment), step(close)],
    ///     ..ChainRequest::default()
    /// };
    /// let envelope = capstan.execute_tasks(&chain).await;
    /// if envelope.status == ChainStatus::Partial {
    ///     println!("{} of {} steps failed", envelope.meta.failed, envelope.meta.total);
    /// }
    /// # }
    /// ```
    pub async fn execute_tasks(&self, request: &ChainRequest) -> ChainResultEnvelope {
        self.execute_tasks_watched(request, &|_| {}).await
    }

    /// Like [`Self::execute_tasks`], and reports progress to `watch`.
    pub async fn execute_tasks_watched(
        &self,
        request: &ChainRequest,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ChainResultEnvelope {
        self.execute_chain(request, request.into(), watch).await
    }

    /// Runs the steps of an accepted plan. The steps belong together, so the first failure ends the run.
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

    /// Returns the requests that a run would send, and sends nothing. Fails if the capability is unknown or its input
    /// is invalid.
    pub async fn dry_run(&self, request: &TaskRequest) -> Result<DryRun, ResultError> {
        self.runner.dry_run(request).await
    }

    /// Returns the requests that a chain would send, level by level. The error is that of the first invalid step.
    pub async fn dry_run_chain(&self, request: &ChainRequest) -> Result<ChainPlan, ResultError> {
        self.runner.plan_chain(&request.into()).await
    }

    /// Like [`Self::dry_run_chain`], but texts such as `$0.data` are not read as references to other steps.
    pub async fn dry_run_verbatim(&self, request: &ChainRequest) -> Result<ChainPlan, ResultError> {
        let spec = ChainSpec {
            verbatim: true,
            ..request.into()
        };
        self.runner.plan_chain(&spec).await
    }

    /// Reads lines as steps. If any line is invalid, returns all invalid lines and no steps.
    ///
    /// ```
    /// # async fn example(capstan: &capstan_engine::Capstan) {
    /// let lines = ["issue.close 43 -R acme/rocket".to_owned()];
    /// match capstan.read_lines(&lines).await {
    ///     Ok(steps) => println!("{} steps", steps.len()),
    ///     Err(invalid) => println!("{} invalid lines", invalid.len()),
    /// }
    /// # }
    /// ```
    pub async fn read_lines(&self, lines: &[String]) -> Result<Vec<ReadLine>, Vec<BadLine>> {
        let reader = LineReader {
            resolver: &self.resolver,
            discovery: &self.discovery,
            words: &self.runner.words,
        };
        reader.read_lines(lines).await
    }

    /// Returns a compact summary of a capability of any kind.
    pub async fn explain(&self, capability: &str) -> Result<Explanation, ResultError> {
        let deadline = self.shared.usual_deadline();
        let found = self.resolver.find(capability, deadline).await?;
        Ok(Explanation::from_found(&self.shared.catalog, &found))
    }

    /// Returns the card of a capability of any kind. The card holds everything that is known before a run.
    pub async fn card(&self, capability: &str) -> Result<Arc<Card>, ResultError> {
        self.resolver.card(capability).await
    }

    /// Returns the card of remembered code, even if something else has the same name.
    pub async fn code_card(&self, name: &str) -> Result<Arc<Card>, ResultError> {
        let lookup = Lookup {
            only: Some(OnlyKind::Code),
            ..Lookup::default()
        };
        let deadline = self.shared.usual_deadline();
        Ok(self.resolver.find_for(name, deadline, lookup).await?.card)
    }

    /// Returns TypeScript declarations of everything that code can call now, and a message for each source that could
    /// not be read.
    pub async fn declarations(&self) -> (Declarations, Vec<String>) {
        typescript::declare_everything(&self.resolver).await
    }

    /// Returns the TypeScript signature of a capability of any kind.
    pub async fn signature(&self, capability: &str) -> Result<String, ResultError> {
        typescript::signature_of(&self.resolver, capability).await
    }

    /// Checks whether each route is ready, and if not, why.
    pub async fn preflight(&self) -> Vec<(Route, Preflight)> {
        self.shared.executor.preflight().await
    }

    /// Checks whether the policy permits a card or one of Capstan's own actions, by its id. For callers that do the
    /// same without running the action, such as the HTTP server.
    pub fn check_policy(&self, id: &str) -> Result<(), ResultError> {
        let card = match local::card(id) {
            Some(card) => card,
            None => card(self.catalog(), id)?,
        };
        check_policy(&self.shared.settings.policy, &card, &Implementation::Card)
    }

    /// Takes the writes of the last execution whose caller did not wait for its end. Later calls return `None`.
    pub fn take_interruption(&self) -> Option<Interruption> {
        self.shared.session.take_interruption()
    }

    async fn execute_only(
        &self,
        request: &TaskRequest,
        watch: &(dyn Fn(Progress) + Sync),
        only: Option<OnlyKind>,
    ) -> ResultEnvelope {
        let trace_log = &self.runner.trace_log;
        let spec = ChainSpec::from_task(request.clone());
        let (intent, capability) = (request.intent.as_deref(), request.capability.as_str());
        let mut execution = trace_log.begin(Mode::Single, intent, Some(capability));
        let top = execution.recorder().top();
        let outcome = if needs_stages(&spec.steps) && only.is_none() {
            self.runner.run_staged(&spec, watch, top).await
        } else {
            self.runner.run_only(&spec, watch, top, only).await
        };
        let recorder = execution.finish();
        let mut envelope = envelope::from_task(outcome, request, self.redactor());
        self.offer_next(&mut envelope, &recorder);
        trace_log.add_trace_facts(&mut envelope, &recorder, request);
        if request.options.cost {
            let sent = json!({"capability": request.capability, "input": request.input});
            envelope.meta.cost = Some(cost::estimate(&sent, &envelope));
        }
        trace_log.keep_task(recorder, request, &envelope);
        envelope
    }

    async fn execute_chain(
        &self,
        request: &ChainRequest,
        spec: ChainSpec,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> ChainResultEnvelope {
        let trace_log = &self.runner.trace_log;
        let mut execution = trace_log.begin(Mode::Chain, request.intent.as_deref(), None);
        let top = execution.recorder().top();
        let outcome = if needs_stages(&spec.steps) {
            self.runner.run_staged(&spec, watch, top).await
        } else {
            self.runner.run(&spec, watch, top).await
        };
        let recorder = execution.finish();
        let mut envelope = envelope::from_chain(outcome, request, self.redactor());
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
            envelope.meta.cost = Some(cost::estimate(&json!({"steps": sent}), &envelope));
        }
        trace_log.keep_chain(recorder, request, &envelope);
        envelope
    }

    /// Adds what usually follows to the next steps that the card offers.
    fn offer_next(&self, envelope: &mut ResultEnvelope, recorder: &Recorder) {
        // Most processes end before they learn anything, so this saves them the lookups.
        if !self.discovery.has_learned() {
            return;
        }
        let Some(((capability, input), data)) = recorder.first_call().zip(envelope.data.as_ref())
        else {
            return;
        };
        let Ok(card) = self.catalog().get(&capability) else {
            return;
        };
        let node = Node::Named(capability);
        let usual = self.discovery.usual_next_calls(&node, &card, &input, data);
        for next in usual {
            let offered = &mut envelope.meta.next;
            let is_new = offered.iter().all(|it| it.capability != next.capability);
            if is_new && offered.len() < MOST_OFFERED {
                offered.push(next);
            }
        }
    }
}

/// Returns a compact summary of a card or of one of Capstan's own actions. Needs no route, so it needs no engine.
pub fn explain(catalog: &Catalog, capability: &str) -> Result<Explanation, ResultError> {
    if !catalog.contains(capability)
        && let Some(own) = local::card(capability)
    {
        return Ok(Explanation::from_card(&own));
    }
    card(catalog, capability).map(|card| Explanation::from_catalog(catalog, &card))
}

/// Returns the best matches among cards and Capstan's own actions; they need no store and no server. Uses the
/// embedder only if it has its vectors at once.
pub fn search_built_in(
    catalog: &Catalog,
    embedder: &dyn Embedder,
    wanted: &SearchRequest,
) -> Vec<Hit> {
    if wanted.intent.is_none() {
        return discovery::list_requested(catalog, local::cards(), wanted);
    }
    built_in_search(catalog, embedder, wanted.with_generated).search(wanted)
}

/// Indexes cards and Capstan's own actions for several searches. Those without generated cards find what they would
/// find in a catalogue that has none only if `with_generated` is false.
pub fn built_in_search<'a>(
    catalog: &Catalog,
    embedder: &'a dyn Embedder,
    with_generated: bool,
) -> BuiltInSearch<'a> {
    BuiltInSearch::new(catalog, local::cards(), embedder, with_generated)
}

/// Returns all cards and all of Capstan's own actions.
pub fn list_built_in(catalog: &Catalog) -> Vec<Hit> {
    discovery::list_built_in(catalog, local::cards())
}

/// Returns the texts by which cards and Capstan's own actions are found.
pub fn built_in_documents(catalog: &Catalog) -> Vec<Document> {
    discovery::built_in_documents(catalog, local::cards())
}
