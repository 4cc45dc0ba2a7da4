//! What a sandbox is made of.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use capstan_core::code::Limits;
use capstan_core::port::Isolation;

use crate::engine::LARGEST_STACK;

#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// How a worker is started; `None` where no process can be had.
    pub worker: Option<WorkerCommand>,
    /// What a run gets that asks for nothing else; the sandbox only tells it.
    pub limits: Limits,
    /// The most memory that a run can be given, whatever it asks for.
    pub most_memory_bytes: u64,
    /// How many runs may compute at once.
    pub runners: usize,
    /// How many runs there may be at once, those included that wait for calls or timers; as many again
    /// at each depth below. Those that wait may hold as much memory together as `runners` runs may use.
    pub most_runs: usize,
    /// How long a run waits for its turn.
    pub patience: Duration,
    /// `None` is the best that can be had.
    pub isolation: Option<Isolation>,
}

/// The program that calls [`worker_main`](crate::worker_main) when it finds
/// [`WORKER_ARGUMENT`](crate::WORKER_ARGUMENT) behind these arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

/// Each has a process and three pipes.
const MOST_RUNS: usize = 128;

impl SandboxSettings {
    pub fn new(worker: Option<WorkerCommand>) -> Self {
        Self {
            worker,
            limits: Limits::default(),
            most_memory_bytes: 512 << 20,
            runners: (processors() * 4).clamp(8, 64),
            most_runs: MOST_RUNS,
            patience: Duration::from_secs(10),
            isolation: None,
        }
    }

    /// What a run gets that asks for so much.
    pub(crate) fn within(&self, asked: &Limits) -> Limits {
        const LARGEST_CONSOLE: u64 = 16 << 20;
        let memory_bytes = asked.memory_bytes.min(self.most_memory_bytes);
        Limits {
            wall: asked.wall.min(Limits::LONGEST_WALL),
            cpu: asked.cpu.min(Limits::LONGEST_WALL),
            memory_bytes,
            stack_bytes: asked.stack_bytes.min(LARGEST_STACK),
            output_bytes: asked.output_bytes.min(memory_bytes),
            console_bytes: asked.console_bytes.min(LARGEST_CONSOLE),
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

    /// The program that is running. On Linux the one that was started, even if another has taken its
    /// place on the disk since.
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
