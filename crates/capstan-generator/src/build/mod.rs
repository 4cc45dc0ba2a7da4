//! Builds the outline of an operation.

mod answer;
mod audience;
mod input;
mod names;
mod notation;
mod outline;
mod pages;
mod path;
mod projection;
mod sealed;
mod shorten;
mod variant;

pub(crate) use answer::{AnswerShape, ListShape};
pub(crate) use notation::{input_type, marked};
pub(crate) use outline::outline_of;
pub(crate) use path::{PathBlanks, is_input_name};
pub(crate) use projection::{RESERVED, Use, project};
pub(crate) use shorten::scalar_word;
pub(crate) use variant::variant_of;
