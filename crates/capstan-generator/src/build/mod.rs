//! Builds the outline of an operation.

mod answer;
mod audience;
mod input;
mod notation;
mod outline;
mod pages;
mod path;
mod projection;
mod sealed;
mod shorten;

pub(crate) use answer::AnswerShape;
pub(crate) use outline::outline_of;
