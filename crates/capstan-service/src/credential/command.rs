//! Runs the program that prints a secret. It is started when the secret is first needed.

use std::process::Stdio;
use std::time::Instant;

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, ResultError, Secret};
use tokio::time::timeout_at;

/// Returns the first line that a program prints.
pub(super) async fn run(command: &[String], deadline: Instant) -> Result<Secret, Failure> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(failed("is empty"));
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "this module owns the programs that print secrets"
    )]
    let mut process = tokio::process::Command::new(program);
    process
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let output = timeout_at(deadline.into(), process.output()).await;
    let output = match output {
        Ok(Ok(output)) => output,
        Ok(Err(cause)) => return Err(failed(&format!("`{program}` cannot be started: {cause}"))),
        Err(_) => return Err(failed(&format!("`{program}` took too long"))),
    };
    // What it prints may be secret even if it fails.
    if !output.status.success() {
        return Err(failed(&format!(
            "`{program}` failed ({}): run it yourself to see why",
            output.status
        )));
    }
    let text = String::from_utf8(output.stdout).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default().trim();
    if first.is_empty() {
        return Err(failed(&format!("`{program}` printed no text")));
    }
    Ok(Secret::new(first))
}

fn failed(why: &str) -> Failure {
    let message = format!("the command for the secret (`auth.command`): {why}");
    Failure::not_sent(ResultError::new(ErrorCode::Auth, message))
}
