//! Resolvers for the modelled fields, one file per type.

mod account;
mod comment;
mod commit;
mod context;
mod issue;
mod issueish;
mod label;
mod pull_request;
mod reaction;
mod release;
mod repository;
mod resolve;
mod review;
mod url;
mod workflow;

pub(super) use context::Context;
pub(super) use resolve::resolve;
pub(super) use url::url;
