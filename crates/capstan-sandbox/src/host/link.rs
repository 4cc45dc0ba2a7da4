//! The way to one worker, whatever it is: orders go out, reports come in.

use std::io;
use std::process::Child;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};

use super::processes::{Death, Processes};
use super::threads::ThreadLink;
use crate::wire::{HEADER, Order, Report, frame_length};

/// Dropping it ends the worker.
#[derive(Debug)]
pub(crate) struct Link {
    way: Way,
    /// How many orders it has carried out.
    pub(crate) runs: u32,
}

/// Why there will be no report any more.
#[derive(Debug)]
pub(crate) enum Lost {
    /// The worker has ended, or closed its end.
    Closed,
    /// It said something that no worker says.
    Nonsense,
}

#[derive(Debug)]
enum Way {
    Process(Box<ProcessLink>),
    Thread(ThreadLink),
}

#[derive(Debug)]
struct ProcessLink {
    /// `None` when it was handed over to be ended.
    child: Option<Child>,
    processes: Arc<Processes>,
    stdin: ChildStdin,
    stdout: ChildStdout,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    sent: usize,
    /// Its end of the pipe for orders is closed.
    deaf: bool,
}

impl Link {
    pub(crate) fn process(mut child: Child, processes: Arc<Processes>) -> io::Result<Self> {
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = pipes else {
            processes.end(child);
            return Err(io::Error::other("a worker without pipes"));
        };
        let link = || -> io::Result<_> {
            Ok((ChildStdin::from_std(stdin)?, ChildStdout::from_std(stdout)?))
        };
        let (stdin, stdout) = match link() {
            Ok(pipes) => pipes,
            Err(error) => {
                processes.end(child);
                return Err(error);
            }
        };
        Ok(Self {
            way: Way::Process(Box::new(ProcessLink {
                child: Some(child),
                processes,
                stdin,
                stdout,
                incoming: Vec::new(),
                outgoing: Vec::new(),
                sent: 0,
                deaf: false,
            })),
            runs: 0,
        })
    }

    pub(crate) fn thread(link: ThreadLink) -> Self {
        Self {
            way: Way::Thread(link),
            runs: 0,
        }
    }

    /// Takes an order. It is sent while reports are waited for.
    pub(crate) fn send(&mut self, order: Order) {
        let frame = order.into_bytes();
        match &mut self.way {
            Way::Process(link) if link.deaf => {}
            Way::Process(link) if link.outgoing.is_empty() => link.outgoing = frame,
            Way::Process(link) => link.outgoing.extend_from_slice(&frame),
            // If the thread has ended, the next report says so.
            Way::Thread(link) => drop(link.to.send(frame)),
        }
    }

    /// The next report, which has `largest` bytes at most. Can be dropped and called again.
    pub(crate) async fn receive(&mut self, largest: usize) -> Result<Report, Lost> {
        match &mut self.way {
            Way::Process(link) => link.receive(largest).await,
            Way::Thread(link) => {
                let frame = link.from.recv().await.ok_or(Lost::Closed)?;
                let body = frame.get(HEADER..).unwrap_or_default();
                if body.len() > largest {
                    return Err(Lost::Nonsense);
                }
                Report::parse(body).ok_or(Lost::Nonsense)
            }
        }
    }

    /// Whether it can take an order, as far as can be told without asking it.
    pub(crate) fn is_fit(&mut self) -> bool {
        match &mut self.way {
            // Whatever it has to say, nobody asked for it.
            Way::Process(link) => {
                let said_nothing =
                    link.incoming.is_empty() && link.outgoing.is_empty() && !link.deaf;
                let running = |child: &mut Child| matches!(child.try_wait(), Ok(None));
                said_nothing && link.child.as_mut().is_some_and(running)
            }
            Way::Thread(link) => !link.from.is_closed() && link.from.is_empty(),
        }
    }

    /// How it ended, if it has closed its pipes; nothing of a thread, which goes on by itself.
    pub(crate) async fn death(mut self) -> Option<Death> {
        match &mut self.way {
            Way::Process(link) => link.processes.death(link.child.take()?).await,
            Way::Thread(_) => None,
        }
    }
}

impl ProcessLink {
    const READ_AT_ONCE: usize = 1 << 14;

    async fn receive(&mut self, largest: usize) -> Result<Report, Lost> {
        loop {
            if let Some(report) = self.take_report(largest)? {
                return Ok(report);
            }
            self.incoming.reserve(Self::READ_AT_ONCE);
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
                    // It listens no more, but may have said why.
                    _ => {
                        self.deaf = true;
                        self.outgoing = Vec::new();
                        self.sent = 0;
                    }
                },
                read = self.stdout.read_buf(&mut self.incoming) => match read {
                    Ok(read) if read > 0 => {}
                    _ => return Err(Lost::Closed),
                },
            }
        }
    }

    fn take_report(&mut self, largest: usize) -> Result<Option<Report>, Lost> {
        let Some(header) = self.incoming.first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = frame_length(*header);
        if length > largest {
            return Err(Lost::Nonsense);
        }
        let Some(body) = self.incoming.get(HEADER..HEADER + length) else {
            return Ok(None);
        };
        let report = Report::parse(body).ok_or(Lost::Nonsense)?;
        self.incoming.drain(..HEADER + length);
        if self.incoming.is_empty() {
            self.incoming.shrink_to(1 << 16);
        }
        Ok(Some(report))
    }
}

impl Drop for ProcessLink {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            self.processes.end(child);
        }
    }
}
