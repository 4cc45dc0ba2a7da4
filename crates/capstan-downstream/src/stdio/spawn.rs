//! Starts a server: its own program, its own environment, no shell.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;

use capstan_core::Secret;
use tokio::process::{ChildStdin, ChildStdout, Command};

use super::Process;
use super::group::ProcessGroup;
use crate::channel::Liveness;
use crate::config::Environment;

/// The program to start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    pub(crate) command: &'a str,
    pub(crate) args: &'a [String],
    pub(crate) env: &'a [(String, Secret)],
    pub(crate) cwd: Option<&'a PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum SpawnError {
    #[error("`{0}` was not found: install it, or write its full path in `command`")]
    NotFound(String),
    #[error("its folder `{0}` does not exist: correct `cwd`")]
    NoFolder(String),
    #[error("`{0}` cannot be run: {1}")]
    Other(String, io::Error),
}

pub(crate) struct Spawned {
    pub(crate) process: Arc<Process>,
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
}

/// Starts a program. It gets the few variables that every program may have, and those of its entry.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the module that starts downstream servers"
)]
pub(crate) fn spawn(
    program: Program<'_>,
    environment: &Environment,
    liveness: Arc<Liveness>,
) -> Result<Spawned, SpawnError> {
    let name = || program.command.to_owned();
    let mut command = Command::new(program.command);
    command
        .args(program.args)
        .env_clear()
        .envs(environment.essential())
        .envs(
            program
                .env
                .iter()
                .map(|(name, value)| (name, value.expose())),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // What it starts can be killed with it, and signals of our terminal do not reach it.
        .process_group(0)
        .kill_on_drop(true);
    if let Some(cwd) = program.cwd {
        if !cwd.is_dir() {
            return Err(SpawnError::NoFolder(cwd.display().to_string()));
        }
        command.current_dir(cwd);
    }
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SpawnError::NotFound(name()),
        _ => SpawnError::Other(name(), error),
    })?;
    let group = ProcessGroup::from_child(&child);
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(SpawnError::Other(name(), io::ErrorKind::BrokenPipe.into()));
    };
    Ok(Spawned {
        process: Process::supervised(child, group, stderr, liveness),
        stdin,
        stdout,
    })
}
