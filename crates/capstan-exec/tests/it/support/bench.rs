//! A bench to run chains on: a fake GitHub, a clock that jumps, and an executor between them.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use capstan_core::port::{Clock, Failure, Preflight, RouteAdapter};
use capstan_core::{ErrorCode, Redactor, ResultError, Route};
use capstan_exec::{
    CancelFlag, ChainPlan, ChainSpec, ChunkLimits, Executor, ExecutorSettings, Progress,
    RunContext, StepTarget,
};

use super::adapter::{Adapter, Other};
use super::clock::VirtualClock;
use super::fault::Fault;
use super::laws;
use super::observer::{Observer, Rules};
use super::ran::Ran;
use super::steps::Step;
use super::world::World;

/// What a chain may take, unless said otherwise.
const RUN_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Bench {
    pub(crate) clock: Arc<VirtualClock>,
    pub(crate) world: Arc<World>,
    settings: ExecutorSettings,
    preflights: Vec<(Route, Preflight)>,
    timeout: Duration,
    is_independent: bool,
    fails_fast: bool,
    rules: Rules,
    executor: OnceLock<Executor>,
    chains: AtomicUsize,
}

pub(crate) fn bench() -> Bench {
    // The jitter of waits is drawn anew for each test, and the same every time.
    fastrand::seed(7);
    let clock = VirtualClock::new();
    Bench {
        world: World::new(&clock),
        clock,
        settings: ExecutorSettings::default(),
        preflights: Route::GITHUB
            .map(|route| (route, Preflight::Ready))
            .to_vec(),
        timeout: RUN_TIMEOUT,
        is_independent: false,
        fails_fast: false,
        rules: Rules::default(),
        executor: OnceLock::new(),
        chains: AtomicUsize::new(0),
    }
}

impl Bench {
    pub(crate) fn fault(self, fault: Fault) -> Self {
        self.world.add_fault(fault);
        self
    }

    pub(crate) fn value(self, name: &str, value: &str) -> Self {
        self.world.set_value(name, value);
        self
    }

    pub(crate) fn without(self, name: &str) -> Self {
        self.world.remove(name);
        self
    }

    /// Sets how many reads and how many writes a request may hold.
    pub(crate) fn chunks(mut self, reads: usize, writes: usize) -> Self {
        self.settings.chunks.reads = reads;
        self.settings.chunks.writes = writes;
        self
    }

    pub(crate) fn limits(mut self, limits: ChunkLimits) -> Self {
        self.settings.chunks = limits;
        self
    }

    pub(crate) fn timeout(mut self, seconds: u64) -> Self {
        self.timeout = Duration::from_secs(seconds);
        self
    }

    pub(crate) fn routes(mut self, routes: &[Route]) -> Self {
        self.settings.routes = routes.to_vec();
        self
    }

    pub(crate) fn preflight(mut self, route: Route, preflight: Preflight) -> Self {
        self.preflights.retain(|(known, _)| *known != route);
        self.preflights.push((route, preflight));
        self
    }

    pub(crate) fn independent(mut self) -> Self {
        self.is_independent = true;
        self
    }

    pub(crate) fn fail_fast(mut self) -> Self {
        self.fails_fast = true;
        self
    }

    /// Cancels as soon as so many requests have left.
    pub(crate) fn cancel_at(self, requests: usize) -> Self {
        self.world.cancel_at(requests);
        self
    }

    /// Cancels before anything is begun.
    pub(crate) fn cancelled(self) -> Self {
        self.world.cancel.set();
        self
    }

    /// Lets the observer take so long before a write may leave.
    pub(crate) fn slow_observer(mut self, seconds: u64) -> Self {
        self.rules.write_delay = Duration::from_secs(seconds);
        self
    }

    /// Lets the observer keep writes from leaving.
    pub(crate) fn refusing_observer(mut self, failure: Failure) -> Self {
        self.rules.refuses_writes = Some(failure);
        self
    }

    /// Runs a chain to its end and checks what holds for all chains.
    pub(crate) fn run(&self, steps: &[Step]) -> Ran {
        self.clock.drive(self.start(steps))
    }

    /// Runs a chain until so many requests have left, and drops it.
    pub(crate) fn drop_after(&self, requests: usize, steps: &[Step]) -> Ran {
        let ran = self.run_until(requests, steps);
        assert!(ran.end.is_none(), "it ended before it was dropped");
        ran
    }

    /// Runs a chain until so many requests have left, and drops it, unless it ended before.
    pub(crate) fn run_until(&self, requests: usize, steps: &[Step]) -> Ran {
        let observer = self.observer();
        let progress = Mutex::default();
        let end = {
            let mut running = pin!(self.execute(steps, &observer, &progress));
            let is_reached = || self.world.log().len() >= requests;
            self.clock.drive_until(running.as_mut(), is_reached)
        };
        let progress = progress.into_inner().unwrap();
        let ran = self.ran(steps, end, &observer, progress);
        laws::check(&ran);
        ran
    }

    /// Runs a chain, for whoever drives it.
    pub(crate) async fn start(&self, steps: &[Step]) -> Ran {
        let observer = self.observer();
        let progress = Mutex::default();
        let end = self.execute(steps, &observer, &progress).await;
        let progress = progress.into_inner().unwrap();
        let ran = self.ran(steps, Some(end), &observer, progress);
        laws::check(&ran);
        ran
    }

    /// Plans a chain, and checks that nothing is sent.
    pub(crate) fn plan(&self, steps: &[Step]) -> ChainPlan {
        let before = self.world.log().len();
        let spec = self.spec(steps);
        let prepared = self.executor().prepare(&spec, targets(steps));
        let deadline = self.clock.now() + self.timeout;
        let plan = self
            .clock
            .drive(self.executor().plan(&prepared.ready, deadline));
        assert_eq!(self.world.log().len(), before, "a plan sends nothing");
        plan
    }

    pub(crate) fn spec(&self, steps: &[Step]) -> ChainSpec {
        let sent_once = (0..steps.len()).filter(|index| steps[*index].is_sent_once);
        ChainSpec {
            steps: steps.iter().map(|step| step.chain_step.clone()).collect(),
            independent: self.is_independent,
            fail_fast: self.fails_fast,
            sent_once: sent_once.collect(),
            ..ChainSpec::default()
        }
    }

    pub(crate) fn executor(&self) -> &Executor {
        self.executor.get_or_init(|| {
            let adapters = self.preflights.iter().map(|(route, preflight)| {
                Arc::new(Adapter {
                    route: *route,
                    preflight: preflight.clone(),
                    world: Arc::clone(&self.world),
                }) as Arc<dyn RouteAdapter>
            });
            Executor::new(
                adapters.collect(),
                Arc::clone(&self.clock) as Arc<dyn Clock>,
                Redactor::new([]),
                self.settings.clone(),
            )
        })
    }

    async fn execute(
        &self,
        steps: &[Step],
        observer: &Observer,
        progress: &Mutex<Vec<Progress>>,
    ) -> capstan_exec::ChainEnd {
        let spec = self.spec(steps);
        let prepared = self.executor().prepare(&spec, targets(steps));
        let problems = &prepared.problems;
        assert!(problems.is_empty(), "{problems:?}");
        // Whoever cancels the whole cancels its parts.
        let cancel = CancelFlag::with_parent(Some(&self.world.cancel));
        let delegate = Other(Arc::clone(&self.world));
        let context = RunContext {
            deadline: self.clock.now() + self.timeout,
            in_order: !spec.independent,
            fail_fast: spec.fail_fast,
            passes_on: spec.passes_on,
            cancel: Some(&cancel),
            delegate: &delegate,
            observer,
            watch: &|told| progress.lock().unwrap().push(told),
        };
        self.executor().run(&prepared.ready, context).await
    }

    pub(crate) fn observer(&self) -> Observer {
        Observer {
            chain: self.chains.fetch_add(1, Ordering::Relaxed),
            clock: Arc::clone(&self.clock),
            world: Arc::clone(&self.world),
            rules: self.rules.clone(),
            heard: Mutex::default(),
        }
    }

    fn ran(
        &self,
        steps: &[Step],
        end: Option<capstan_exec::ChainEnd>,
        observer: &Observer,
        progress: Vec<Progress>,
    ) -> Ran {
        let log = self.world.log().into_iter();
        Ran {
            steps: steps.to_vec(),
            end,
            log: log.filter(|sent| sent.chain == observer.chain).collect(),
            heard: observer.heard(),
            progress,
            waits: self.clock.waits(),
            things: self.world.things(),
            is_in_order: !self.is_independent,
            all_may_leave: self.rules.write_delay.is_zero() && self.rules.refuses_writes.is_none(),
        }
    }
}

/// Returns what each step is to run.
pub(crate) fn targets(steps: &[Step]) -> Vec<Result<StepTarget, ResultError>> {
    let target = |step: &Step| {
        Ok(StepTarget {
            card: Arc::clone(&step.card),
            permission: Ok(()),
        })
    };
    steps.iter().map(target).collect()
}

/// Returns a target that may not be run.
pub(crate) fn refused() -> Result<StepTarget, ResultError> {
    Err(ResultError::new(ErrorCode::NotFound, "no such capability"))
}
