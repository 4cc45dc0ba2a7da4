//! Everything that people and pipes see. Whatever is printed passes the redactor first.

mod chain;
mod code;
mod diagnostics;
mod envelope;
mod gist;
mod harmless;
mod log;
mod plan;
mod printer;
mod progress;
mod stderr;
mod style;
mod table;

pub(crate) use diagnostics::print_diagnostics;
pub(crate) use log::RedactedStderr;
pub(crate) use printer::{Printer, check_output};
pub(crate) use progress::ProgressLine;
pub(crate) use stderr::{announce, guard_panics, print_error, print_usage};
pub(crate) use style::{BOLD, DIM, ERROR, GOOD, NAME};
pub(crate) use table::Table;
