//! Reads lines such as `issue.close 43 --reason "not planned"` as capabilities and inputs, and normalizes
//! JSON inputs that use other people's names.
//!
//! It must not know which capabilities exist, nor run anything: no catalogue, no engine, no network. Callers
//! look up the [candidates](Line::candidates) and [bind](Line::bind) the line to the card that they found.
//!
//! A line is split into words as in a shell, but without other features of shells: no variables, no commands,
//! no patterns. A reference to an earlier step (`$bugs.number`) is completed (`$bugs.data.number`) unless its
//! `$` is in single quotes or after a backslash. Texts stay unchanged; other types are read according to the
//! card's schema. If an input accepts texts and other types, the other types take precedence, and JSON quotes
//! make a text: `--milestone 3`, `--milestone '"3"'`.

mod bind;
mod candidates;
mod error;
mod fields;
mod flag;
mod form;
mod inputs;
mod line;
mod names;
mod normalize;
mod number;
mod reference;
mod repository;
mod shape;
mod syntax;
mod values;
mod write;

pub use bind::{BoundLine, LineOptions};
pub use candidates::Candidate;
pub use error::{Correction, LineError};
pub use fields::{RequestedFields, requested_fields, sort_field, unknown_fields_message};
pub use form::{form, form_with};
pub use line::{Line, parse};
pub use normalize::normalize_input;
pub use reference::is_name;
pub use repository::Defaults;
pub use syntax::{quote, split};
pub use write::write;
