//! Prints to standard output, for people or for programs.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use capstan_core::Redactor;
use serde::Serialize;

use super::command::shell_quoted;
use super::sanitize::is_unsafe_char;

/// Whether writing to standard output has failed.
static OUTPUT_LOST: AtomicBool = AtomicBool::new(false);

/// Fails if some output could not be written, for example because the disk is full.
pub(crate) fn check_output() -> anyhow::Result<()> {
    if OUTPUT_LOST.load(Ordering::Relaxed) {
        anyhow::bail!("cannot write to standard output")
    } else {
        Ok(())
    }
}

/// Prints to standard output, for people or for programs.
pub(crate) struct Printer {
    pub(crate) redactor: Redactor,
    machine: bool,
    /// The beginning of suggested commands: `capstan`, or `capstan --demo`.
    pub(super) program: String,
}

impl Printer {
    /// Returns a printer for programs if `json` is set or standard output is not a terminal, else one for people.
    pub(crate) fn new(json: bool, redactor: Redactor) -> Self {
        Self {
            redactor,
            machine: json || !std::io::stdout().is_terminal(),
            program: "capstan".to_owned(),
        }
    }

    /// Returns a printer for people, even if standard output is not a terminal.
    pub(crate) fn for_people(redactor: Redactor) -> Self {
        Self {
            redactor,
            machine: false,
            program: "capstan".to_owned(),
        }
    }

    /// Adds global flags to suggested commands.
    pub(crate) fn with_flags(mut self, flags: &[String]) -> Self {
        for flag in flags {
            self.program.push(' ');
            self.program.push_str(&shell_quoted(flag));
        }
        self
    }

    /// Whether the output is for programs.
    pub(crate) fn is_for_programs(&self) -> bool {
        self.machine
    }

    pub(crate) fn line(&self, text: impl Display) {
        let text = text.to_string();
        if let Err(cause) = writeln!(anstream::stdout(), "{}", self.redactor.text(&text)) {
            // A reader that closes the pipe is normal; a full disk is an error.
            let lost = cause.kind() != std::io::ErrorKind::BrokenPipe;
            OUTPUT_LOST.fetch_or(lost, Ordering::Relaxed);
        }
    }

    pub(crate) fn json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.line(serde_json::to_string(value)?);
        Ok(())
    }

    /// Prints JSON, indented for people.
    pub(crate) fn pretty_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        if self.machine {
            self.json(value)
        } else {
            self.line(escaped(&serde_json::to_string_pretty(value)?));
            Ok(())
        }
    }
}

/// Escapes characters that a terminal would act on. The JSON stays equivalent.
fn escaped(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unsafe_char(c) {
            shown.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}
