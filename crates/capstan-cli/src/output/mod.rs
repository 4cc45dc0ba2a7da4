//! Everything that people and pipes see. Whatever is printed passes the redactor first.

mod capability;
mod chain;
mod code;
mod command;
mod diagnostics;
mod duration;
mod envelope;
mod explanation;
mod gist;
mod graph;
mod harmless;
mod listing;
mod log;
mod plan;
mod printer;
mod progress;
mod relations;
mod runs;
mod stderr;
mod style;
mod suggestion;
mod table;
mod timeline;
mod trace;
mod typescript;
mod wrap;

pub(crate) use command::quoted;
pub(crate) use diagnostics::{in_a_line, print_diagnostics, with_excerpt};
pub(crate) use harmless::harmless;
pub(crate) use log::RedactedStderr;
pub(crate) use printer::{Printer, check_output};
pub(crate) use progress::{ProgressLine, while_running};
pub(crate) use stderr::{announce, ask, guard_panics, note, print_error, print_usage, warn};
pub(crate) use style::{BOLD, DIM, ERROR, GOOD, NAME};
pub(crate) use table::Table;
pub(crate) use wrap::{wrapped, wrapped_page, wrapped_text};
