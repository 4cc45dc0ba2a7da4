//! The connection to one worker, whether process or thread: orders go out, reports come in.

use std::io;
use std::process::Child;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};

use super::processes::{WorkerExit, WorkerProcesses};
use super::threads::ThreadLink;
use crate::wire::{HEADER_BYTES, Order, Report, frame_length};

/// Dropping the link ends the worker.
#[derive(Debug)]
pub(crate) struct WorkerLink {
    transport: Transport,
    /// How many orders the worker has carried out.
    pub(crate) orders: u32,
}

/// Why no more reports will come.
#[derive(Debug)]
pub(crate) enum LinkError {
    /// The worker has ended, or has closed its end.
    Closed,
    /// The worker sent a report that is malformed or out of place.
    Malformed,
}

#[derive(Debug)]
enum Transport {
    Process(Box<ProcessLink>),
    Thread(ThreadLink),
}

#[derive(Debug)]
struct ProcessLink {
    /// `None` after it was passed on to be reaped.
    child: Option<Child>,
    processes: Arc<WorkerProcesses>,
    stdin: ChildStdin,
    stdout: ChildStdout,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    sent: usize,
    /// Whether the worker has closed its end of the pipe for orders.
    is_stdin_closed: bool,
}

impl WorkerLink {
    pub(crate) fn process(mut child: Child, processes: Arc<WorkerProcesses>) -> io::Result<Self> {
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = pipes else {
            processes.kill(child);
            return Err(io::Error::other("a worker without pipes"));
        };
        let open = || -> io::Result<_> {
            Ok((ChildStdin::from_std(stdin)?, ChildStdout::from_std(stdout)?))
        };
        let (stdin, stdout) = match open() {
            Ok(pipes) => pipes,
            Err(error) => {
                processes.kill(child);
                return Err(error);
            }
        };
        Ok(Self {
            transport: Transport::Process(Box::new(ProcessLink {
                child: Some(child),
                processes,
                stdin,
                stdout,
                incoming: Vec::new(),
                outgoing: Vec::new(),
                sent: 0,
                is_stdin_closed: false,
            })),
            orders: 0,
        })
    }

    pub(crate) fn thread(link: ThreadLink) -> Self {
        Self {
            transport: Transport::Thread(link),
            orders: 0,
        }
    }

    /// Queues an order. It is sent while `receive` waits for reports.
    pub(crate) fn send(&mut self, order: Order) {
        let frame = order.into_bytes();
        match &mut self.transport {
            Transport::Process(link) if link.is_stdin_closed => {}
            Transport::Process(link) if link.outgoing.is_empty() => link.outgoing = frame,
            Transport::Process(link) => link.outgoing.extend_from_slice(&frame),
            // If the thread has ended, `receive` returns that.
            Transport::Thread(link) => drop(link.to.send(frame)),
        }
    }

    /// Returns the next report of at most `max_bytes` bytes. Cancel-safe: the future can be dropped
    /// and called again.
    pub(crate) async fn receive(&mut self, max_bytes: usize) -> Result<Report, LinkError> {
        match &mut self.transport {
            Transport::Process(link) => link.receive(max_bytes).await,
            Transport::Thread(link) => {
                let frame = link.from.recv().await.ok_or(LinkError::Closed)?;
                let body = frame.get(HEADER_BYTES..).unwrap_or_default();
                if body.len() > max_bytes {
                    return Err(LinkError::Malformed);
                }
                Report::parse(body).ok_or(LinkError::Malformed)
            }
        }
    }

    /// Returns whether the worker can take an order, as far as is known without asking it.
    pub(crate) fn is_usable(&mut self) -> bool {
        match &mut self.transport {
            // A report that nobody asked for makes a worker unusable.
            Transport::Process(link) => {
                let is_quiet =
                    link.incoming.is_empty() && link.outgoing.is_empty() && !link.is_stdin_closed;
                let is_running = |child: &mut Child| matches!(child.try_wait(), Ok(None));
                is_quiet && link.child.as_mut().is_some_and(is_running)
            }
            Transport::Thread(link) => !link.from.is_closed() && link.from.is_empty(),
        }
    }

    /// Returns how the process ended, after it closed its pipes. `None` for a thread, which goes on
    /// by itself.
    pub(crate) async fn wait_for_exit(mut self) -> Option<WorkerExit> {
        match &mut self.transport {
            Transport::Process(link) => link.processes.wait_for_exit(link.child.take()?).await,
            Transport::Thread(_) => None,
        }
    }
}

impl ProcessLink {
    const READ_SIZE: usize = 1 << 14;

    async fn receive(&mut self, max_bytes: usize) -> Result<Report, LinkError> {
        loop {
            if let Some(report) = self.take_report(max_bytes)? {
                return Ok(report);
            }
            self.incoming.reserve(Self::READ_SIZE);
            let unsent = &self.outgoing[self.sent..];
            tokio::select! {
                biased;
                written = self.stdin.write(unsent), if !unsent.is_empty() => match written {
                    Ok(written) if written > 0 => {
                        self.sent += written;
                        if self.sent == self.outgoing.len() {
                            self.outgoing = Vec::new();
                            self.sent = 0;
                        }
                    }
                    // The worker does not listen any more, but may have reported why.
                    _ => {
                        self.is_stdin_closed = true;
                        self.outgoing = Vec::new();
                        self.sent = 0;
                    }
                },
                read = self.stdout.read_buf(&mut self.incoming) => match read {
                    Ok(read) if read > 0 => {}
                    _ => return Err(LinkError::Closed),
                },
            }
        }
    }

    fn take_report(&mut self, max_bytes: usize) -> Result<Option<Report>, LinkError> {
        let Some(header) = self.incoming.first_chunk::<HEADER_BYTES>() else {
            return Ok(None);
        };
        let length = frame_length(*header);
        if length > max_bytes {
            return Err(LinkError::Malformed);
        }
        let Some(body) = self.incoming.get(HEADER_BYTES..HEADER_BYTES + length) else {
            return Ok(None);
        };
        let report = Report::parse(body).ok_or(LinkError::Malformed)?;
        self.incoming.drain(..HEADER_BYTES + length);
        if self.incoming.is_empty() {
            self.incoming.shrink_to(1 << 16);
        }
        Ok(Some(report))
    }
}

impl Drop for ProcessLink {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            self.processes.kill(child);
        }
    }
}
