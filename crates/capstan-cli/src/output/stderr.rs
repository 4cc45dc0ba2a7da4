//! Standard error: what goes on, what went wrong, and panics.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use capstan_core::Redactor;

use super::harmless::harmless;
use super::wrap::wrapped_on_stderr;
use super::{BOLD, DIM, ERROR, progress};
use crate::environment::Environment;

/// Tells a person at a terminal what is going on.
pub(crate) fn announce(text: &str) {
    if std::io::stderr().is_terminal() {
        progress::clear();
        let _ = writeln!(anstream::stderr(), "{DIM}{text}{DIM:#}");
    }
}

/// Asks a person; they answer on the same line.
pub(crate) fn ask(question: &str) {
    let mut stderr = anstream::stderr();
    // Whoever cannot hear the question does not say yes.
    let _ = write!(stderr, "{}", harmless(question)).and_then(|()| stderr.flush());
}

/// Something that whoever reads the result should know, and that is no part of it.
pub(crate) fn warn(text: &str, redactor: &Redactor) {
    progress::clear();
    let text = redactor.text(text);
    let _ = writeln!(
        anstream::stderr(),
        "{BOLD}warning{BOLD:#}: {}",
        wrapped_on_stderr(&harmless(&text), "warning: ".len())
    );
}

/// Something that is good to know, and no reason to worry.
pub(crate) fn note(text: &str, redactor: &Redactor) {
    progress::clear();
    let text = redactor.text(text);
    let text = wrapped_on_stderr(&harmless(&text), "note: ".len());
    let _ = writeln!(anstream::stderr(), "{DIM}note{DIM:#}: {text}");
}

/// An error of the command itself, with its causes.
pub(crate) fn print_error(error: &anyhow::Error) {
    let redactor = Redactor::new(Environment::read().secrets());
    // It may quote a file that anybody may have written.
    let text = format!("{error:#}");
    let text = harmless(&text);
    let _ = writeln!(
        anstream::stderr(),
        "{ERROR}error{ERROR:#}: {}",
        wrapped_on_stderr(&redactor.text(&text), "error: ".len())
    );
}

/// Help, or what is wrong with the command line, which may have a secret in it.
pub(crate) fn print_usage(usage: &clap::Error, environment: &Environment) -> ExitCode {
    let redactor = Redactor::new(environment.secrets());
    let text = usage.render().ansi().to_string();
    let text = redactor.text(&text);
    // Nobody is left to hear of a failure to say this.
    let _ = if usage.use_stderr() {
        write!(anstream::stderr(), "{text}")
    } else {
        write!(anstream::stdout(), "{text}")
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
