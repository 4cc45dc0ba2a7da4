//! Lines such as `issue.close 43 --reason "not planned"` as capabilities and inputs; and inputs in JSON that
//! use other people's names.
//!
//! It must not know which capabilities there are, nor run anything: no catalogue, no engine, no network.
//! Whoever calls it looks the [candidates](Line::candidates) up and [binds](Line::bind) the line to the
//! card that was found.
//!
//! A line is cut into words as a shell does, without anything else of a shell: no variables, no commands, no
//! patterns. A value that refers to an earlier step (`$bugs.number`) is completed (`$bugs.data.number`) unless
//! its `$` stands in single quotes or after a backslash. Texts stay as they are; other types are read by the
//! card's schema. Where an input takes texts and something else, the something else comes first, and a text
//! in JSON's quotes is a text: `--milestone 3`, `--milestone '"3"'`.

mod bind;
mod candidates;
mod error;
mod fields;
mod flag;
mod form;
mod inputs;
mod line;
mod names;
mod number;
mod reference;
mod repository;
mod settle;
mod shape;
mod syntax;
mod values;
mod write;

pub use bind::{BoundLine, LineOptions};
pub use candidates::Candidate;
pub use error::{Correction, LineError};
pub use fields::{AskedFields, asked_fields, no_such_fields, sort_field};
pub use form::form;
pub use line::{Line, parse};
pub use reference::is_name;
pub use repository::Defaults;
pub use settle::settle;
pub use syntax::{quote, split};
pub use write::write;
