//! The executor: the routes to GitHub and to services, and what is remembered between chains.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use capstan_core::card::Card;
use capstan_core::port::{Clock, Preflight, RouteAdapter};
use capstan_core::{Redactor, ResultError, Route, TaskRequest};
use capstan_graphql::Documents;

use crate::attempt::LookupCache;
use crate::cancel::CancelFlag;
use crate::chain::{
    Chain, ChainContext, ChainObserver, ChunkLimits, Delegate, Driver, HostPauses, PlannedLevel,
    Watch, levels,
};
use crate::outcome::{ChainEnd, StepEnd};
use crate::prepare::{self, Preparation, PreparedStep, StepTarget};
use crate::retry;
use crate::router::{self, CheckedRoute, Environment};
use crate::schemas::Schemas;
use crate::spec::ChainSpec;

/// Runs chains. One executor serves any number of them at the same time.
pub struct Executor {
    adapters: Vec<Arc<dyn RouteAdapter>>,
    clock: Arc<dyn Clock>,
    redactor: Redactor,
    settings: ExecutorSettings,
    schemas: Schemas,
    lookups: LookupCache,
    /// Parsed documents of batches: most come again.
    documents: Mutex<Documents>,
    host_pauses: HostPauses,
}

/// What the configuration decides about requests.
#[derive(Clone, Debug)]
pub struct ExecutorSettings {
    /// The GitHub that is worked with.
    pub host: String,
    /// Routes that may be used at all.
    pub routes: Vec<Route>,
    /// How long one request may take.
    pub request_timeout: Duration,
    /// What one request of a chain may hold.
    pub chunks: ChunkLimits,
}

impl Default for ExecutorSettings {
    fn default() -> Self {
        Self {
            host: "github.com".to_owned(),
            routes: Route::GITHUB.to_vec(),
            request_timeout: retry::REQUEST_TIMEOUT,
            chunks: ChunkLimits::default(),
        }
    }
}

/// How one chain is run, and who takes part.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// Nothing is sent after this, and all answers must have arrived by then.
    pub deadline: Instant,
    /// Reads and writes keep the order in which they are listed.
    pub in_order: bool,
    /// The first failure ends the chain.
    pub fail_fast: bool,
    /// Other capabilities use the results: see [`ChainSpec::passes_on`].
    pub passes_on: bool,
    /// When this is set, nothing more is started.
    pub cancel: Option<&'a CancelFlag<'a>>,
    /// Runs steps that are not requests to GitHub.
    pub delegate: &'a dyn Delegate,
    /// Observes the steps while they run.
    pub observer: &'a dyn ChainObserver,
    /// Receives the progress of the chain.
    pub watch: Watch<'a>,
}

/// What a chain would send.
#[derive(Debug)]
pub struct ChainPlan {
    pub levels: Vec<PlannedLevel>,
    /// By step: how it would end with made-up answers.
    pub steps: Vec<StepEnd>,
    /// By step: the routes that are not used, each with the reason.
    pub skipped: Vec<Vec<String>>,
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executor")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RunContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext")
            .field("deadline", &self.deadline)
            .field("in_order", &self.in_order)
            .field("fail_fast", &self.fail_fast)
            .field("passes_on", &self.passes_on)
            .finish_non_exhaustive()
    }
}

impl Executor {
    pub fn new(
        adapters: Vec<Arc<dyn RouteAdapter>>,
        clock: Arc<dyn Clock>,
        redactor: Redactor,
        settings: ExecutorSettings,
    ) -> Self {
        let lookups = LookupCache::new(Arc::clone(&clock));
        Self {
            adapters,
            clock,
            redactor,
            settings,
            schemas: Schemas::default(),
            lookups,
            documents: Mutex::default(),
            host_pauses: HostPauses::default(),
        }
    }

    pub fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    pub fn adapters(&self) -> &[Arc<dyn RouteAdapter>] {
        &self.adapters
    }

    /// Asks every route to GitHub whether it is ready, and if not, why.
    pub async fn preflight(&self) -> Vec<(Route, Preflight)> {
        let mut results = Vec::with_capacity(self.adapters.len());
        let adapters = self.adapters.iter().filter(|it| it.service().is_none());
        for adapter in adapters {
            results.push((adapter.route(), adapter.preflight().await));
        }
        results
    }

    /// Checks all steps of a chain before anything is sent. `targets` says what each of them is to run.
    pub fn prepare<'a>(
        &self,
        spec: &'a ChainSpec,
        targets: Vec<Result<StepTarget, ResultError>>,
    ) -> Preparation<'a> {
        prepare::prepare(spec, targets, &self.schemas, &self.redactor)
    }

    /// Checks a step as far as that is possible without the other steps.
    pub fn check_alone(&self, card: &Arc<Card>, request: &TaskRequest) -> Result<(), ResultError> {
        prepare::check_alone(card, request, &self.schemas)
    }

    /// Runs a chain to its end. However it ends, the observer then knows of every step whether it was answered, may
    /// be under way, or never left. Dropping the future stops the work.
    pub async fn run(&self, steps: &[PreparedStep<'_>], context: RunContext<'_>) -> ChainEnd {
        let environment = self.environment(steps).await;
        let driver = Driver {
            adapters: &self.adapters,
            delegate: context.delegate,
            observer: context.observer,
            clock: &*self.clock,
            deadline: context.deadline,
            request_timeout: self.settings.request_timeout,
        };
        let chain_context = ChainContext {
            in_order: context.in_order,
            fail_fast: context.fail_fast,
            passes_on: context.passes_on,
            cancel: context.cancel,
            ..self.chain_context(&environment, context.deadline)
        };
        let mut chain = Chain::new(steps, chain_context);
        let busy = driver.run(&mut chain, context.watch).await;
        let mut end = ChainEnd {
            busy,
            ..chain.finish()
        };
        for (step, end) in steps.iter().zip(&mut end.steps) {
            end.finish(step);
        }
        end
    }

    /// Plans everything up to the first byte that would leave.
    pub async fn plan(&self, steps: &[PreparedStep<'_>], deadline: Instant) -> ChainPlan {
        let environment = self.environment(steps).await;
        let chain_context = ChainContext {
            dry: true,
            ..self.chain_context(&environment, deadline)
        };
        let mut chain = Chain::new(steps, chain_context);
        let levels = levels(&mut chain, self.clock.now());
        let skipped = steps.iter().map(|step| {
            let input = step.with_stand_ins();
            let candidates =
                router::plan(&step.card, &input, &step.request.options, &environment).into_iter();
            candidates
                .filter_map(|candidate| Some((candidate.route, candidate.skipped?)))
                .map(|(route, (_, why))| format!("{route}: {why}"))
                .collect()
        });
        ChainPlan {
            levels,
            skipped: skipped.collect(),
            steps: chain.finish().steps,
        }
    }

    /// Finds out what is known before anything is sent. Only the routes that the cards have and the caller allows are
    /// asked: a preflight is cheap, but finding `gh` is not free.
    async fn environment(&self, steps: &[PreparedStep<'_>]) -> Environment {
        let mut preflight = Vec::new();
        for adapter in &self.adapters {
            let (service, route) = (adapter.service(), adapter.route());
            let asks_for = |step: &PreparedStep<'_>| {
                step.card.service.as_ref() == service
                    && match step.request.options.route {
                        Some(forced) => forced == route,
                        None => step.card.route_order().contains(&route),
                    }
            };
            if steps.iter().any(asks_for) {
                preflight.push(CheckedRoute {
                    service: service.cloned(),
                    route,
                    preflight: adapter.preflight().await,
                });
            }
        }
        Environment {
            host: self.settings.host.clone(),
            allowed: self.settings.routes.clone(),
            preflight,
        }
    }

    fn chain_context<'a>(
        &'a self,
        environment: &'a Environment,
        deadline: Instant,
    ) -> ChainContext<'a> {
        ChainContext {
            environment,
            redactor: &self.redactor,
            lookups: &self.lookups,
            documents: &self.documents,
            host_pauses: &self.host_pauses,
            limits: self.settings.chunks,
            deadline,
            dry: false,
            in_order: true,
            fail_fast: false,
            passes_on: false,
            cancel: None,
        }
    }
}
