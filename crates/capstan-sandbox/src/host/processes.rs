//! Starts and ends the processes of workers: the only place that does.

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

/// Two threads, which begin with the first worker. A worker dies with the thread that started it,
/// so that has to live as long as the sandbox; and to wait for the end of a process takes a thread.
#[derive(Debug)]
pub(crate) struct Processes {
    worker: WorkerCommand,
    memory_bytes: u64,
    threads: Mutex<Option<Threads>>,
}

/// How a worker ended.
#[derive(Debug)]
pub(crate) struct Death {
    pub(crate) status: Option<ExitStatus>,
    /// What it had to say, or the beginning of it.
    pub(crate) said: String,
}

#[derive(Debug)]
struct Threads {
    start: Sender<Start>,
    reap: Sender<Reap>,
    handles: [JoinHandle<()>; 2],
}

#[derive(Debug)]
struct Start {
    role: Role,
    answer: oneshot::Sender<io::Result<Child>>,
}

#[derive(Debug)]
struct Reap {
    child: Child,
    answer: Option<oneshot::Sender<Death>>,
}

impl Processes {
    pub(crate) fn new(worker: WorkerCommand, memory_bytes: u64) -> Self {
        Self {
            worker,
            memory_bytes,
            threads: Mutex::new(None),
        }
    }

    pub(crate) async fn start(&self, role: Role) -> io::Result<Child> {
        let (answer, started) = oneshot::channel();
        let sent =
            self.with_threads(|threads| threads.start.send(Start { role, answer }).is_ok())?;
        if !sent {
            return Err(io::Error::other("the thread that starts workers has ended"));
        }
        started.await.map_err(io::Error::other)?
    }

    /// Ends the process at once; what is left of it is cleaned up elsewhere.
    pub(crate) fn end(&self, mut child: Child) {
        // It may have ended by itself, which is as good.
        let _ = child.kill();
        let answer = None;
        self.reap(Reap { child, answer });
    }

    /// Tells how a process ended that is ending by itself.
    pub(crate) async fn death(&self, child: Child) -> Option<Death> {
        let (answer, death) = oneshot::channel();
        let answer = Some(answer);
        self.reap(Reap { child, answer });
        death.await.ok()
    }

    fn reap(&self, reap: Reap) {
        let sent = self.with_threads(|threads| threads.reap.send(reap).map_err(|unsent| unsent.0));
        if let Ok(Err(reap)) = sent {
            reap.wait();
        }
    }

    fn with_threads<T>(&self, act: impl FnOnce(&Threads) -> T) -> io::Result<T> {
        let mut threads = lock(&self.threads);
        let threads = match &mut *threads {
            Some(threads) => threads,
            none => none.insert(self.threads()?),
        };
        Ok(act(threads))
    }

    fn threads(&self) -> io::Result<Threads> {
        let (start, starts) = channel::<Start>();
        let (reap, reaps) = channel::<Reap>();
        let (worker, memory_bytes) = (self.worker.clone(), self.memory_bytes);
        let name = |name: &str| thread::Builder::new().name(name.to_owned());
        Ok(Threads {
            start,
            reap,
            handles: [
                name("worker-start").spawn(move || start_all(&worker, memory_bytes, &starts))?,
                name("worker-end").spawn(move || reaps.iter().for_each(Reap::wait))?,
            ],
        })
    }
}

impl Drop for Processes {
    /// Waits until no worker is left.
    fn drop(&mut self) {
        let threads = lock(&self.threads).take();
        if let Some(Threads {
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

fn start_all(worker: &WorkerCommand, memory_bytes: u64, starts: &Receiver<Start>) {
    for Start { role, answer } in starts {
        if let Err(Ok(mut child)) = answer.send(start(worker, memory_bytes, role)) {
            // Whoever wanted it has gone.
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
        // What is typed at the terminal is for the program, which ends its workers in its own time.
        command.process_group(0);
    }
    command
        .args(&worker.arguments)
        .args([WORKER_ARGUMENT, role.as_str(), &memory_bytes.to_string()])
        .env_clear()
        // Dates are in UTC; without this, libraries would look for the zone in files.
        .env("TZ", "UTC0")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

impl Death {
    /// It went wrong in a way that no program chooses, such as running out of stack.
    pub(crate) fn by_crash(&self) -> bool {
        #[cfg(unix)]
        return [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL]
            .into_iter()
            .any(|signal| self.signal() == Some(signal));
        #[cfg(not(unix))]
        return self.signal().is_some();
    }

    /// It had used too much of the processor.
    pub(crate) fn by_alarm(&self) -> bool {
        #[cfg(unix)]
        return self.signal() == Some(libc::SIGPROF);
        #[cfg(not(unix))]
        return false;
    }

    pub(crate) fn words(&self) -> String {
        match (self.signal(), self.status) {
            (Some(signal), _) => format!("signal {signal}"),
            (None, Some(status)) => status.to_string(),
            (None, None) => "nobody knows how".to_owned(),
        }
    }

    #[cfg(unix)]
    fn signal(&self) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(&self.status?)
    }

    /// What other systems report instead: a status that no program chooses.
    #[cfg(not(unix))]
    fn signal(&self) -> Option<i32> {
        self.status?.code().filter(|code| *code < 0)
    }
}

impl Reap {
    /// A process closes its pipes a moment before it is gone. To kill it in between would hide how it
    /// ended; but it need not be ending at all.
    fn let_it_end(&mut self) {
        const MOMENT: Duration = Duration::from_millis(1);
        const MOMENTS: usize = 100;
        for _ in 0..MOMENTS {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(MOMENT);
        }
        let _ = self.child.kill();
    }

    fn wait(mut self) {
        if self.answer.is_some() {
            self.let_it_end();
        }
        let status = self.child.wait().ok();
        let said = self.child.stderr.take().map(said).unwrap_or_default();
        let death = Death {
            status,
            said: String::from_utf8_lossy(&said).into_owned(),
        };
        if let Some(answer) = self.answer {
            // Nobody has to be interested.
            let _ = answer.send(death);
        }
    }
}

/// The beginning of what it wrote. A worker that could start others may have left the other end of the
/// pipe to them: what is there is taken, and nothing is waited for.
#[cfg(unix)]
fn said(stderr: ChildStderr) -> Vec<u8> {
    const LONGEST: u64 = 4096;
    let mut said = Vec::new();
    if rustix::io::ioctl_fionbio(&stderr, true).is_ok() {
        // What came before an error is kept.
        let _ = stderr.take(LONGEST).read_to_end(&mut said);
    }
    said
}

#[cfg(not(unix))]
fn said(_stderr: ChildStderr) -> Vec<u8> {
    Vec::new()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
