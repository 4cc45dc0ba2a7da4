//! The sandbox as everybody else sees it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::code::{Script, ScriptEnd, ScriptError, ScriptUsage};
use capstan_core::port::{BoxFuture, Isolation, Sandbox, SandboxState, ScriptRun};
use tokio::sync::Semaphore;

use super::cache::Cache;
use super::pool::{Pool, Source};
use super::processes::Processes;
use super::threads::Threads;
use super::turns::Turns;
use super::{errors, reading, running, state};
use crate::lockdown::{self, Layers};
use crate::settings::{SandboxSettings, WorkerCommand, processors};
use crate::worker::Role;

/// A sandbox. It starts nothing before it is used.
///
/// It has to be used within one Tokio runtime: its pipes belong to that.
pub fn sandbox(settings: SandboxSettings) -> Arc<dyn Sandbox> {
    Arc::new(Workers::new(settings))
}

struct Workers {
    settings: SandboxSettings,
    readers: Arc<Pool>,
    runners: Arc<Pool>,
    turns: Turns,
    reads: Semaphore,
    cache: Cache,
}

/// How deep runs within runs are expected to go, and some room for those that were given up.
const DEPTHS: usize = 12;

impl Workers {
    const READERS: usize = 2;

    fn new(settings: SandboxSettings) -> Self {
        let keep = processors().max(2).min(settings.runners.max(1));
        let source = match settings.isolation() {
            Isolation::Process => {
                let worker = settings.worker.clone();
                // Without a program nothing can be started, which is said when it is tried.
                let worker = worker.unwrap_or_else(|| WorkerCommand::new(""));
                let memory = settings.most_memory_bytes;
                Source::Processes(Arc::new(Processes::new(worker, memory)))
            }
            Isolation::Thread => {
                // Runs wait for runs within them, so there are as many again at each depth.
                let runs = settings.most_runs.max(settings.runners);
                let most = runs.saturating_mul(DEPTHS) + Self::READERS;
                Source::Threads(Arc::new(Threads::default()), most)
            }
        };
        let runners = u64::try_from(settings.runners).unwrap_or(u64::MAX);
        let most_held = settings.limits.memory_bytes.saturating_mul(runners);
        Self {
            readers: Arc::new(Pool::new(Role::Reader, source.clone(), 1)),
            runners: Arc::new(Pool::new(Role::Runner, source, keep)),
            turns: Turns::new(settings.runners, settings.most_runs, most_held),
            reads: Semaphore::new(Self::READERS),
            cache: Cache::default(),
            settings,
        }
    }

    async fn read(&self, source: &str) -> Result<Arc<Script>, ScriptError> {
        if let Some(script) = self.cache.get(source) {
            return Ok(script);
        }
        // What is read is run as a rule.
        self.runners.warm();
        let _turn = self.reads.acquire().await;
        let script = Arc::new(reading::read(&self.readers, source).await?);
        self.cache.put(source, &script);
        Ok(script)
    }

    async fn run(&self, mut run: ScriptRun<'_>) -> Result<ScriptEnd, ScriptError> {
        run.limits = self.settings.within(&run.limits);
        // Waiting for a turn is a part of the time that a run has.
        let asked = Instant::now();
        let patience = match run.depth {
            0 => self.settings.patience.min(run.limits.wall),
            // Whoever waits for this one has a limit of its own.
            _ => run.limits.wall,
        };
        let entered = tokio::time::timeout(patience, self.turns.enter(run.depth)).await;
        let (seat, turn) = entered.map_err(|_| errors::busy(self.settings.runners, patience))?;
        let waited = Duration::from_millis(u64::try_from(asked.elapsed().as_millis()).unwrap_or(0));
        run.limits.wall = run.limits.wall.saturating_sub(waited);
        let link = self
            .runners
            .take()
            .await
            .map_err(|error| errors::not_started(&error))?;
        let hello = |layers| self.runners.reported(layers);
        let place = running::Place {
            turns: &self.turns,
            seat,
            turn: Some(turn),
        };
        let ran = running::run(link, &run, place, hello).await;
        match ran.link {
            Some(link) => self.runners.give_back(link),
            None => self.runners.warm(),
        }
        Ok(ran.end)
    }
}

impl Sandbox for Workers {
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
                state::of_processes(layers.unwrap_or_else(lockdown::expected))
            }
            Isolation::Thread => state::of_threads(),
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
