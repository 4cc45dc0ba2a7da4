//! Runs one process in its own group, with bounded output and a deadline, and leaves no process
//! behind.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::{timeout, timeout_at};

/// The largest standard output, in bytes. A process that writes more is stopped.
pub(super) const MAX_OUTPUT_BYTES: usize = 10 * 1024 * 1024;

/// How much of standard error is kept, in bytes. The rest is read and dropped.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// How long output is read after the process has ended, because a descendant may keep the pipe
/// open.
const LINGER: Duration = Duration::from_millis(500);

/// The output of a process and how it ended.
#[derive(Debug)]
pub(super) struct ProcessOutput {
    pub(super) end: ProcessEnd,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    /// The exit code; `None` if a signal ended the process.
    Exited(Option<i32>),
    TooMuchOutput,
    OutOfTime,
}

/// Runs a command until it ends or the deadline passes. Dropping the future kills the whole process
/// group.
pub(super) async fn run(
    mut command: Command,
    stdin: Option<&str>,
    deadline: Instant,
) -> io::Result<ProcessOutput> {
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
    let mut group = ProcessGroup::from_child(&child);
    let mut stdout = Vec::new();
    let mut stderr = Vec::new();
    let mut overflow = false;
    let end = {
        let input = write_all(child.stdin.take(), stdin.unwrap_or_default());
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let output = async {
            overflow = read_bounded(out, &mut stdout, MAX_OUTPUT_BYTES).await;
            if overflow {
                // Otherwise its next write would block for ever.
                group.kill();
            }
        };
        let errors = read_first(err, &mut stderr, MAX_ERROR_BYTES);
        let streams = async {
            tokio::join!(input, output, errors);
        };
        timeout_at(deadline.into(), finish(&mut child, &group, streams)).await
    };
    let end = match end {
        Ok(status) => {
            group.disarm();
            let status = status?;
            if overflow {
                ProcessEnd::TooMuchOutput
            } else {
                ProcessEnd::Exited(status.code())
            }
        }
        Err(_) => ProcessEnd::OutOfTime,
    };
    Ok(ProcessOutput {
        end,
        stdout,
        stderr,
    })
}

/// Waits for the process and its streams.
async fn finish(
    child: &mut Child,
    group: &ProcessGroup,
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
struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    fn from_child(child: &Child) -> Self {
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        Self(pid.and_then(Pid::from_raw))
    }

    fn kill(&self) {
        if let Some(group) = self.0 {
            // It fails only if no process is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Prevents later kills. The leader has been waited for, so its process id may soon belong to
    /// another process.
    fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes the input. A process that does not read it causes no error: its answer counts.
async fn write_all(pipe: Option<impl tokio::io::AsyncWrite + Unpin>, text: &str) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(text.as_bytes()).await;
        let _ = pipe.shutdown().await;
    }
}

/// Reads to the end, or until there are more than `limit` bytes. Returns whether there were more.
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
async fn read_first(pipe: Option<impl AsyncRead + Unpin>, kept: &mut Vec<u8>, limit: usize) {
    let Some(mut pipe) = pipe else { return };
    let mut chunk = vec![0; 8 * 1024];
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        let room = limit.saturating_sub(kept.len());
        kept.extend_from_slice(&chunk[..read.min(room)]);
    }
}
