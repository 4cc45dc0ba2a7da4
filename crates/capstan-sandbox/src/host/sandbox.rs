//! The public interface of the sandbox.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::code::{Script, ScriptEnd, ScriptError, ScriptUsage};
use capstan_core::port::{BoxFuture, Isolation, Sandbox, SandboxState, ScriptRun};
use tokio::sync::Semaphore;

use super::cache::ScriptCache;
use super::pool::{WorkerPool, WorkerSource};
use super::processes::WorkerProcesses;
use super::threads::WorkerThreads;
use super::turns::Turns;
use super::{errors, reading, running, state};
use crate::lockdown::{self, Layers};
use crate::settings::{SandboxSettings, WorkerCommand, processors};
use crate::worker::Role;

/// Creates a sandbox. Nothing is started before it is used.
///
/// It must be used within one Tokio runtime, which owns its pipes.
pub fn sandbox(settings: SandboxSettings) -> Arc<dyn Sandbox> {
    Arc::new(WorkerSandbox::new(settings))
}

struct WorkerSandbox {
    settings: SandboxSettings,
    readers: Arc<WorkerPool>,
    runners: Arc<WorkerPool>,
    turns: Turns,
    reads: Semaphore,
    cache: ScriptCache,
}

/// How deep nested runs are expected to go, with some room for runs that were given up.
const EXPECTED_DEPTHS: usize = 12;

impl WorkerSandbox {
    const READERS: usize = 2;

    fn new(settings: SandboxSettings) -> Self {
        let max_idle = processors().max(2).min(settings.runners.max(1));
        let source = match settings.isolation() {
            Isolation::Process => {
                let worker = settings.worker.clone();
                // Without a program every start fails, and its error says so.
                let worker = worker.unwrap_or_else(|| WorkerCommand::new(""));
                let memory = settings.most_memory_bytes;
                WorkerSource::Processes(Arc::new(WorkerProcesses::new(worker, memory)))
            }
            Isolation::Thread => {
                // Runs wait for the runs that they start, so each depth has the same number.
                let runs = settings.most_runs.max(settings.runners);
                let max_alive = runs.saturating_mul(EXPECTED_DEPTHS) + Self::READERS;
                WorkerSource::Threads(Arc::new(WorkerThreads::default()), max_alive)
            }
        };
        let runners = u64::try_from(settings.runners).unwrap_or(u64::MAX);
        let max_held_bytes = settings.limits.memory_bytes.saturating_mul(runners);
        Self {
            readers: Arc::new(WorkerPool::new(Role::Reader, source.clone(), 1)),
            runners: Arc::new(WorkerPool::new(Role::Runner, source, max_idle)),
            turns: Turns::new(settings.runners, settings.most_runs, max_held_bytes),
            reads: Semaphore::new(Self::READERS),
            cache: ScriptCache::default(),
            settings,
        }
    }

    async fn read(&self, source: &str) -> Result<Arc<Script>, ScriptError> {
        if let Some(script) = self.cache.get(source) {
            return Ok(script);
        }
        // Code that is read is usually run.
        self.runners.warm_up();
        let _turn = self.reads.acquire().await;
        let script = Arc::new(reading::read(&self.readers, source).await?);
        self.cache.insert(source, &script);
        Ok(script)
    }

    async fn run(&self, mut run: ScriptRun<'_>) -> Result<ScriptEnd, ScriptError> {
        run.limits = self.settings.clamp_limits(&run.limits);
        // The time that a run may take includes waiting for its turn.
        let requested_at = Instant::now();
        let patience = match run.depth {
            0 => self.settings.patience.min(run.limits.wall),
            // The run that waits for this one has its own limit.
            _ => run.limits.wall,
        };
        let entered = tokio::time::timeout(patience, self.turns.enter(run.depth)).await;
        let (seat, turn) = entered.map_err(|_| errors::busy(self.settings.runners, patience))?;
        let waited =
            Duration::from_millis(u64::try_from(requested_at.elapsed().as_millis()).unwrap_or(0));
        run.limits.wall = run.limits.wall.saturating_sub(waited);
        let link = self
            .runners
            .take()
            .await
            .map_err(|error| errors::not_started(&error))?;
        let on_hello = |layers| self.runners.record_layers(layers);
        let slot = running::RunSlot {
            turns: &self.turns,
            seat,
            turn: Some(turn),
        };
        let finished = running::run(link, &run, slot, on_hello).await;
        match finished.link {
            Some(link) => self.runners.give_back(link),
            None => self.runners.warm_up(),
        }
        Ok(finished.end)
    }
}

impl Sandbox for WorkerSandbox {
    fn read<'a>(&'a self, source: &'a str) -> BoxFuture<'a, Result<Arc<Script>, ScriptError>> {
        Box::pin(self.read(source))
    }

    fn run<'a>(&'a self, run: ScriptRun<'a>) -> BoxFuture<'a, ScriptEnd> {
        Box::pin(async {
            self.run(run).await.unwrap_or_else(|error| ScriptEnd {
                result: Err(error),
                console: Vec::new(),
                console_cut: false,
                warnings: Vec::new(),
                usage: ScriptUsage::default(),
                dropped: Vec::new(),
            })
        })
    }

    fn state(&self) -> SandboxState {
        let isolation = self.settings.isolation();
        let (layers, missing) = match isolation {
            Isolation::Process => {
                let layers = self.runners.layers().map(Layers::from_bits);
                state::process_layers(layers.unwrap_or_else(lockdown::expected))
            }
            Isolation::Thread => state::thread_layers(),
        };
        SandboxState {
            isolation,
            layers,
            missing,
            limits: self.settings.limits.clone(),
            concurrency: self.settings.runners,
            most_runs: self.settings.most_runs,
            patience: self.settings.patience,
        }
    }
}
