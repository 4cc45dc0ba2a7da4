//! What a failure means: one place decides its code, whether repeating it can help, whether a
//! write may have happened, and how long to wait.
//!
//! `table` holds the facts; the other files look at structure first (status, headers,
//! `type`, `extensions.code`, exit code) and at words last.

mod details;
mod failure;
mod gh;
mod graphql;
mod head;
mod over_http;
mod table;
#[cfg(test)]
mod tests;
mod wait;

pub(crate) use gh::{gh_cut, gh_exit, gh_text};
pub(crate) use graphql::{failure_of_errors, partial_errors};
pub(crate) use head::Head;
pub(crate) use over_http::{
    cut_refusal, cut_success, moved, no_graphql, nonsense, redirect, refusal, transport, unsendable,
};
pub(crate) use table::{Cut, Fault};
