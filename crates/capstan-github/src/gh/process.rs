//! Runs one process in its own group: bounded output, a deadline, and nothing left behind.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::{timeout, timeout_at};

/// What is kept of standard output; a process that writes more is stopped.
pub(super) const LARGEST_OUTPUT: usize = 10 * 1024 * 1024;

/// What is kept of standard error; the rest is read and dropped.
const LARGEST_ERRORS: usize = 64 * 1024;

/// How long output may still come after the process has ended: a descendant can hold the pipe.
const LINGER: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Run {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// `None`: ended by a signal.
    Exited(Option<i32>),
    TooMuchOutput,
    OutOfTime,
}

/// Runs a command. Dropping the future kills the whole process group.
pub(super) async fn run(
    mut command: Command,
    stdin: Option<&str>,
    deadline: Instant,
) -> io::Result<Run> {
    command
        .stdin(if stdin.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command.spawn()?;
    let mut group = Group::of(&child);
    let mut stdout = Vec::new();
    let mut stderr = Vec::new();
    let mut overflow = false;
    let end = {
        let input = write_all(child.stdin.take(), stdin.unwrap_or_default());
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let output = async {
            overflow = read_bounded(out, &mut stdout, LARGEST_OUTPUT).await;
            if overflow {
                // Its next write would block for ever.
                group.kill();
            }
        };
        let errors = read_kept(err, &mut stderr, LARGEST_ERRORS);
        let streams = async {
            tokio::join!(input, output, errors);
        };
        timeout_at(deadline.into(), finish(&mut child, &group, streams)).await
    };
    let end = match end {
        Ok(status) => {
            group.forget();
            let status = status?;
            if overflow {
                End::TooMuchOutput
            } else {
                End::Exited(status.code())
            }
        }
        Err(_) => End::OutOfTime,
    };
    Ok(Run {
        end,
        stdout,
        stderr,
    })
}

/// Waits for the process and its streams.
async fn finish(
    child: &mut Child,
    group: &Group,
    streams: impl Future<Output = ()>,
) -> io::Result<ExitStatus> {
    let mut streams = pin!(streams);
    tokio::select! {
        () = &mut streams => child.wait().await,
        status = child.wait() => {
            if timeout(LINGER, &mut streams).await.is_err() {
                group.kill();
            }
            status
        }
    }
}

/// The process group of a child, killed when dropped.
#[derive(Debug)]
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        Self(pid.and_then(Pid::from_raw))
    }

    fn kill(&self) {
        if let Some(group) = self.0 {
            // It fails only when nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// The leader has been waited for: its number may soon be somebody else's.
    fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A process that does not read its input is no error of ours: what it answers counts.
async fn write_all(pipe: Option<impl tokio::io::AsyncWrite + Unpin>, text: &str) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(text.as_bytes()).await;
        let _ = pipe.shutdown().await;
    }
}

/// Reads to the end, or until there is more than `limit`; says whether there was.
async fn read_bounded(
    pipe: Option<impl AsyncRead + Unpin>,
    kept: &mut Vec<u8>,
    limit: usize,
) -> bool {
    let Some(pipe) = pipe else { return false };
    let mut pipe = pipe.take(limit as u64 + 1);
    let _ = pipe.read_to_end(kept).await;
    let overflow = kept.len() > limit;
    kept.truncate(limit);
    overflow
}

/// Reads to the end and keeps the first `limit` bytes.
async fn read_kept(pipe: Option<impl AsyncRead + Unpin>, kept: &mut Vec<u8>, limit: usize) {
    let Some(mut pipe) = pipe else { return };
    let mut chunk = vec![0; 8 * 1024];
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        let room = limit.saturating_sub(kept.len());
        kept.extend_from_slice(&chunk[..read.min(room)]);
    }
}
