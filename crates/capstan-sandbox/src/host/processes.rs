//! Starts and ends worker processes. No other module does.

use std::io;
#[cfg(unix)]
use std::io::Read;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::settings::WorkerCommand;
use crate::worker::{Role, WORKER_ARGUMENT};

/// Starts and reaps workers on two threads, which begin with the first worker. A worker dies with
/// the thread that started it, so that thread has to live as long as the sandbox. Waiting for the
/// end of a process blocks a thread, too.
#[derive(Debug)]
pub(crate) struct WorkerProcesses {
    worker: WorkerCommand,
    memory_bytes: u64,
    threads: Mutex<Option<SupervisorThreads>>,
}

/// How a worker ended.
#[derive(Debug)]
pub(crate) struct WorkerExit {
    pub(crate) status: Option<ExitStatus>,
    /// The beginning of what it wrote to standard error.
    pub(crate) stderr: String,
}

#[derive(Debug)]
struct SupervisorThreads {
    start: Sender<StartRequest>,
    reap: Sender<ReapRequest>,
    handles: [JoinHandle<()>; 2],
}

#[derive(Debug)]
struct StartRequest {
    role: Role,
    reply: oneshot::Sender<io::Result<Child>>,
}

#[derive(Debug)]
struct ReapRequest {
    child: Child,
    reply: Option<oneshot::Sender<WorkerExit>>,
}

impl WorkerProcesses {
    pub(crate) fn new(worker: WorkerCommand, memory_bytes: u64) -> Self {
        Self {
            worker,
            memory_bytes,
            threads: Mutex::new(None),
        }
    }

    pub(crate) async fn start(&self, role: Role) -> io::Result<Child> {
        let (reply, started) = oneshot::channel();
        let sent =
            self.with_threads(|threads| threads.start.send(StartRequest { role, reply }).is_ok())?;
        if !sent {
            return Err(io::Error::other("the thread that starts workers has ended"));
        }
        started.await.map_err(io::Error::other)?
    }

    /// Kills the process at once. The other thread reaps it.
    pub(crate) fn kill(&self, mut child: Child) {
        // It may have ended by itself already.
        let _ = child.kill();
        let reply = None;
        self.reap(ReapRequest { child, reply });
    }

    /// Returns how a process ended that is ending by itself.
    pub(crate) async fn wait_for_exit(&self, child: Child) -> Option<WorkerExit> {
        let (reply, exit) = oneshot::channel();
        let reply = Some(reply);
        self.reap(ReapRequest { child, reply });
        exit.await.ok()
    }

    fn reap(&self, reap: ReapRequest) {
        let sent = self.with_threads(|threads| threads.reap.send(reap).map_err(|unsent| unsent.0));
        if let Ok(Err(reap)) = sent {
            reap.wait();
        }
    }

    fn with_threads<T>(&self, act: impl FnOnce(&SupervisorThreads) -> T) -> io::Result<T> {
        let mut slot = lock(&self.threads);
        let threads = match &mut *slot {
            Some(threads) => threads,
            none => none.insert(self.start_threads()?),
        };
        Ok(act(threads))
    }

    fn start_threads(&self) -> io::Result<SupervisorThreads> {
        let (start, starts) = channel::<StartRequest>();
        let (reap, reaps) = channel::<ReapRequest>();
        let (worker, memory_bytes) = (self.worker.clone(), self.memory_bytes);
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        Ok(SupervisorThreads {
            start,
            reap,
            handles: [
                named("worker-start").spawn(move || start_all(&worker, memory_bytes, &starts))?,
                named("worker-end").spawn(move || reaps.iter().for_each(ReapRequest::wait))?,
            ],
        })
    }
}

impl Drop for WorkerProcesses {
    /// Waits until no worker is left.
    fn drop(&mut self) {
        let threads = lock(&self.threads).take();
        if let Some(SupervisorThreads {
            start,
            reap,
            handles,
        }) = threads
        {
            drop((start, reap));
            for handle in handles {
                // A thread that panicked has ended, too.
                let _ = handle.join();
            }
        }
    }
}

fn start_all(worker: &WorkerCommand, memory_bytes: u64, starts: &Receiver<StartRequest>) {
    for StartRequest { role, reply } in starts {
        if let Err(Ok(mut child)) = reply.send(start(worker, memory_bytes, role)) {
            // The caller has stopped waiting for it.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this module owns the processes of workers"
)]
fn start(worker: &WorkerCommand, memory_bytes: u64, role: Role) -> io::Result<Child> {
    let mut command = Command::new(&worker.program);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.arg0("capstan-worker");
        // Signals of the terminal are for the program, which ends its workers itself.
        command.process_group(0);
    }
    command
        .args(&worker.arguments)
        .args([WORKER_ARGUMENT, role.as_str(), &memory_bytes.to_string()])
        .env_clear()
        // Dates are in UTC; without this, libraries would look for the time zone in files.
        .env("TZ", "UTC0")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

impl WorkerExit {
    /// Returns whether the process crashed, for example because it ran out of stack.
    pub(crate) fn is_crash(&self) -> bool {
        #[cfg(unix)]
        return [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL]
            .into_iter()
            .any(|signal| self.signal() == Some(signal));
        #[cfg(not(unix))]
        return self.signal().is_some();
    }

    /// Returns whether the CPU alarm ended the process.
    pub(crate) fn is_cpu_alarm(&self) -> bool {
        #[cfg(unix)]
        return self.signal() == Some(libc::SIGPROF);
        #[cfg(not(unix))]
        return false;
    }

    pub(crate) fn describe(&self) -> String {
        match (self.signal(), self.status) {
            (Some(signal), _) => format!("signal {signal}"),
            (None, Some(status)) => status.to_string(),
            (None, None) => "unknown cause".to_owned(),
        }
    }

    #[cfg(unix)]
    fn signal(&self) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(&self.status?)
    }

    /// Other systems report a negative status instead, which no program chooses.
    #[cfg(not(unix))]
    fn signal(&self) -> Option<i32> {
        self.status?.code().filter(|code| *code < 0)
    }
}

impl ReapRequest {
    /// Waits a moment for the process to end, and kills it otherwise. A process closes its pipes a
    /// moment before it is gone. Killing it in between would hide how it ended; but it may not be
    /// ending at all.
    fn wait_or_kill(&mut self) {
        const POLL_INTERVAL: Duration = Duration::from_millis(1);
        const MAX_POLLS: usize = 100;
        for _ in 0..MAX_POLLS {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(POLL_INTERVAL);
        }
        let _ = self.child.kill();
    }

    fn wait(mut self) {
        if self.reply.is_some() {
            self.wait_or_kill();
        }
        let status = self.child.wait().ok();
        let stderr = self
            .child
            .stderr
            .take()
            .map(read_stderr)
            .unwrap_or_default();
        let exit = WorkerExit {
            status,
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        };
        if let Some(reply) = self.reply {
            // The caller may have stopped waiting.
            let _ = reply.send(exit);
        }
    }
}

/// Reads the beginning of what the process wrote, without waiting. A worker that could start other
/// processes may have left them the other end of the pipe.
#[cfg(unix)]
fn read_stderr(stderr: ChildStderr) -> Vec<u8> {
    const MAX_BYTES: u64 = 4096;
    let mut bytes = Vec::new();
    if rustix::io::ioctl_fionbio(&stderr, true).is_ok() {
        // What was read before an error is kept.
        let _ = stderr.take(MAX_BYTES).read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(not(unix))]
fn read_stderr(_stderr: ChildStderr) -> Vec<u8> {
    Vec::new()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
