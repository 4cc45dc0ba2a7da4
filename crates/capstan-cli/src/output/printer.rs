//! Standard output, for a person or for a program.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use capstan_core::Redactor;
use serde::Serialize;

use super::command::quoted;
use super::harmless::steers;

/// Whether something that was printed did not reach its file.
static OUTPUT_LOST: AtomicBool = AtomicBool::new(false);

/// An error when standard output could not take all that was printed.
pub(crate) fn check_output() -> anyhow::Result<()> {
    if OUTPUT_LOST.load(Ordering::Relaxed) {
        anyhow::bail!("standard output could not be written")
    } else {
        Ok(())
    }
}

/// Standard output, for a person or for a program.
pub(crate) struct Printer {
    pub(crate) redactor: Redactor,
    machine: bool,
    /// How the calls that are offered begin: `capstan`, or `capstan --demo`.
    pub(super) program: String,
}

impl Printer {
    /// For a program when asked for JSON, or when the output is not a terminal.
    pub(crate) fn new(json: bool, redactor: Redactor) -> Self {
        Self {
            redactor,
            machine: json || !std::io::stdout().is_terminal(),
            program: "capstan".to_owned(),
        }
    }

    /// Text for people, wherever it goes.
    pub(crate) fn for_people(redactor: Redactor) -> Self {
        Self {
            redactor,
            machine: false,
            program: "capstan".to_owned(),
        }
    }

    /// Offers calls with the flags that this one had.
    pub(crate) fn with_flags(mut self, flags: &[String]) -> Self {
        for flag in flags {
            self.program.push(' ');
            self.program.push_str(&quoted(flag));
        }
        self
    }

    pub(crate) fn is_machine(&self) -> bool {
        self.machine
    }

    pub(crate) fn line(&self, text: impl Display) {
        let text = text.to_string();
        if let Err(cause) = writeln!(anstream::stdout(), "{}", self.redactor.text(&text)) {
            // A reader that went away is not an error of ours; a full disk is one.
            let lost = cause.kind() != std::io::ErrorKind::BrokenPipe;
            OUTPUT_LOST.fetch_or(lost, Ordering::Relaxed);
        }
    }

    pub(crate) fn json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.line(serde_json::to_string(value)?);
        Ok(())
    }

    /// JSON that people may read too.
    pub(crate) fn pretty_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        if self.machine {
            self.json(value)
        } else {
            self.line(escaped(&serde_json::to_string_pretty(value)?));
            Ok(())
        }
    }
}

/// JSON allows characters that steer a terminal; it can say the same without them.
fn escaped(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) {
            shown.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}
