//! Everything that is printed. All output passes the redactor first.

mod capability;
mod chain;
mod code;
mod command;
mod diagnostics;
mod duration;
mod envelope;
mod explanation;
mod graph;
mod listing;
mod log;
mod plan;
mod printer;
mod progress;
mod relations;
mod runs;
mod sanitize;
mod stderr;
mod step_summary;
mod style;
mod suggestion;
mod table;
mod timeline;
mod trace;
mod typescript;
mod wrap;

pub(crate) use command::shell_quoted;
pub(crate) use diagnostics::{diagnostic_with_excerpt, one_line_diagnostic, print_diagnostics};
pub(crate) use log::RedactedStderr;
pub(crate) use printer::{Printer, check_output};
pub(crate) use progress::{ProgressLine, with_spinner};
pub(crate) use sanitize::sanitize;
pub(crate) use stderr::{announce, ask, install_panic_hook, note, print_error, print_usage, warn};
pub(crate) use style::{BOLD, DIM, ERROR, GOOD, NAME};
pub(crate) use table::Table;
pub(crate) use wrap::{wrapped, wrapped_page, wrapped_text};
