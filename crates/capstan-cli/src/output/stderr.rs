//! Prints to standard error: progress, warnings, errors and panics.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use capstan_core::Redactor;

use super::sanitize::sanitize;
use super::wrap::wrapped_on_stderr;
use super::{BOLD, DIM, ERROR, progress};
use crate::environment::Environment;

/// Prints what is going on, if standard error is a terminal.
pub(crate) fn announce(text: &str) {
    if std::io::stderr().is_terminal() {
        progress::clear();
        let _ = writeln!(anstream::stderr(), "{DIM}{text}{DIM:#}");
    }
}

/// Prints a question. The answer is typed on the same line.
pub(crate) fn ask(question: &str) {
    let mut stderr = anstream::stderr();
    // If the question cannot be printed, nobody answers yes.
    let _ = write!(stderr, "{}", sanitize(question)).and_then(|()| stderr.flush());
}

/// Prints a warning that is not part of the result.
pub(crate) fn warn(text: &str, redactor: &Redactor) {
    progress::clear();
    let text = redactor.text(text);
    let _ = writeln!(
        anstream::stderr(),
        "{BOLD}warning{BOLD:#}: {}",
        wrapped_on_stderr(&sanitize(&text), "warning: ".len())
    );
}

/// Prints a note.
pub(crate) fn note(text: &str, redactor: &Redactor) {
    progress::clear();
    let redacted = redactor.text(text);
    let text = wrapped_on_stderr(&sanitize(&redacted), "note: ".len());
    let _ = writeln!(anstream::stderr(), "{DIM}note{DIM:#}: {text}");
}

/// Prints an error with its causes.
pub(crate) fn print_error(error: &anyhow::Error) {
    let redactor = Redactor::new(Environment::read().secrets());
    let chain = format!("{error:#}");
    // The error may quote a file from someone else.
    let text = sanitize(&chain);
    let _ = writeln!(
        anstream::stderr(),
        "{ERROR}error{ERROR:#}: {}",
        wrapped_on_stderr(&redactor.text(&text), "error: ".len())
    );
}

/// Prints help or an error of the command line, with secrets masked. Returns clap's exit code.
pub(crate) fn print_usage(usage: &clap::Error, environment: &Environment) -> ExitCode {
    let redactor = Redactor::new(environment.secrets());
    let rendered = usage.render().ansi().to_string();
    let text = redactor.text(&rendered);
    // A failure to print this cannot be reported.
    let _ = if usage.use_stderr() {
        write!(anstream::stderr(), "{text}")
    } else {
        write!(anstream::stdout(), "{text}")
    };
    ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
}

/// Installs a panic hook that masks secrets in the message.
pub(crate) fn install_panic_hook(environment: &Environment) {
    let redactor = Redactor::new(environment.secrets());
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.to_string();
        let _ = writeln!(
            anstream::stderr(),
            "capstan crashed because of a bug: {}\nplease report it",
            redactor.text(&text)
        );
    }));
}
