//! Answers to every documented REST operation that has no handler of its own, from GitHub's own examples.
//!
//! `operation` unpacks the data, `template` finds the operation of a request, `validate` refuses wrong requests,
//! `reflect` and `rows` adapt the example to the request, and the other modules know the operations that no example
//! describes: switches, results that are computed later, media types, downloads, secrets and uploads.

mod markdown;
mod operation;
mod places;
mod reflect;
mod respond;
mod rows;
mod schema;
mod secrets;
mod special;
mod switches;
mod template;
mod validate;

pub(super) use markdown::render;
pub(super) use respond::respond;
pub(super) use template::{MatchedOperation, find};
