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

pub(crate) use answer::AnswerShape;
pub(crate) use notation::input_type;
pub(crate) use outline::outline_of;
pub(crate) use variant::variant_of;
