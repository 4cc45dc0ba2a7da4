//! Everything that people and pipes see. Whatever is printed passes the redactor first.

mod diagnostics;
mod envelope;
mod harmless;
mod style;
mod table;

pub(crate) use diagnostics::print_diagnostics;
pub(crate) use style::{BOLD, DIM, ERROR, GOOD, NAME};
pub(crate) use table::Table;

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use capstan_core::Redactor;
use serde::Serialize;

use crate::environment::Environment;

/// Whether something that was printed did not reach its file.
static OUTPUT_LOST: AtomicBool = AtomicBool::new(false);

/// An error when standard output could not take all that was printed.
pub(crate) fn check_output() -> anyhow::Result<()> {
    match OUTPUT_LOST.load(Ordering::Relaxed) {
        true => anyhow::bail!("standard output could not be written"),
        false => Ok(()),
    }
}

/// Standard output, for a person or for a program.
pub(crate) struct Printer {
    redactor: Redactor,
    machine: bool,
    /// How the calls that are offered begin: `capstan`, or `capstan --demo`.
    program: String,
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
            self.program.push_str(&envelope::quoted(flag));
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
        match self.machine {
            true => self.json(value),
            false => {
                self.line(serde_json::to_string_pretty(value)?);
                Ok(())
            }
        }
    }
}

/// Tells a person at a terminal what is going on.
pub(crate) fn announce(text: &str) {
    if std::io::stderr().is_terminal() {
        let _ = writeln!(anstream::stderr(), "{DIM}{text}{DIM:#}");
    }
}

/// An error of the command itself, with its causes.
pub(crate) fn print_error(error: &anyhow::Error) {
    let redactor = Redactor::new(Environment::read().secrets());
    let text = format!("{error:#}");
    let _ = writeln!(
        anstream::stderr(),
        "{ERROR}error{ERROR:#}: {}",
        redactor.text(&text)
    );
}

/// Help, or what is wrong with the command line, which may have a secret in it.
pub(crate) fn print_usage(usage: &clap::Error, environment: &Environment) -> ExitCode {
    let redactor = Redactor::new(environment.secrets());
    let text = usage.render().ansi().to_string();
    let text = redactor.text(&text);
    // Nobody is left to hear of a failure to say this.
    let _ = match usage.use_stderr() {
        true => write!(anstream::stderr(), "{text}"),
        false => write!(anstream::stdout(), "{text}"),
    };
    ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
}

/// Keeps secrets out of panic messages.
pub(crate) fn guard_panics(environment: &Environment) {
    let redactor = Redactor::new(environment.secrets());
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.to_string();
        let _ = writeln!(
            anstream::stderr(),
            "capstan stopped because of a mistake of its own: {}\nplease report it",
            redactor.text(&text)
        );
    }));
}

/// Standard error for logs, a line at a time, without secrets.
pub(crate) struct RedactedStderr {
    redactor: Redactor,
    line: Vec<u8>,
}

impl RedactedStderr {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            line: Vec::new(),
        }
    }
}

impl std::io::Write for RedactedStderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        std::io::stderr().write_all(self.redactor.text(&text).as_bytes())
    }
}

/// The logger makes one writer for each event and drops it after.
impl Drop for RedactedStderr {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
