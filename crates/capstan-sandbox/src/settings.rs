//! The settings of a sandbox.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use capstan_core::code::Limits;
use capstan_core::port::Isolation;

use crate::engine::MAX_STACK_BYTES;

#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// How a worker is started; `None` where no process can be started.
    pub worker: Option<WorkerCommand>,
    /// The default limits of a run. The sandbox only reports them.
    pub limits: Limits,
    /// The most memory that a run can get, whatever it asks for.
    pub most_memory_bytes: u64,
    /// How many runs may compute at the same time.
    pub runners: usize,
    /// How many runs may exist at the same time at each depth, including those that wait for calls
    /// or timers. Those that wait may together hold as much memory as `runners` runs may use.
    pub most_runs: usize,
    /// How long a run waits for its turn before it is refused.
    pub patience: Duration,
    /// The required isolation; `None` selects the best that is available.
    pub isolation: Option<Isolation>,
}

/// The program that calls [`worker_main`](crate::worker_main) when
/// [`WORKER_ARGUMENT`](crate::WORKER_ARGUMENT) follows these arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

/// The default of `most_runs`. Each run has a process and three pipes.
const DEFAULT_MAX_RUNS: usize = 128;

impl SandboxSettings {
    pub fn new(worker: Option<WorkerCommand>) -> Self {
        Self {
            worker,
            limits: Limits::default(),
            most_memory_bytes: 512 << 20,
            runners: (processors() * 4).clamp(8, 64),
            most_runs: DEFAULT_MAX_RUNS,
            patience: Duration::from_secs(10),
            isolation: None,
        }
    }

    /// Returns the limits that a run gets that asks for `asked`.
    pub(crate) fn clamp_limits(&self, asked: &Limits) -> Limits {
        const MAX_CONSOLE_BYTES: u64 = 16 << 20;
        let memory_bytes = asked.memory_bytes.min(self.most_memory_bytes);
        Limits {
            wall: asked.wall.min(Limits::LONGEST_WALL),
            cpu: asked.cpu.min(Limits::LONGEST_WALL),
            memory_bytes,
            stack_bytes: asked.stack_bytes.min(MAX_STACK_BYTES),
            output_bytes: asked.output_bytes.min(memory_bytes),
            console_bytes: asked.console_bytes.min(MAX_CONSOLE_BYTES),
            calls: asked.calls,
        }
    }

    pub(crate) fn isolation(&self) -> Isolation {
        match (self.isolation, &self.worker) {
            (Some(isolation), _) => isolation,
            (None, Some(_)) => Isolation::Process,
            (None, None) => Isolation::Thread,
        }
    }
}

impl WorkerCommand {
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
        }
    }

    /// Returns the command of the running program. On Linux this is the program that was started,
    /// even if its file was replaced since.
    pub fn this_program() -> Option<Self> {
        if cfg!(target_os = "linux") {
            Some(Self::new("/proc/self/exe"))
        } else {
            std::env::current_exe().ok().map(Self::new)
        }
    }
}

pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
