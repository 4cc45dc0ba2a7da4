//! Decides what a failure means: its code, whether a retry can help, whether a write may have
//! happened, and how long to wait.
//!
//! `table` holds the facts. The other files look at structure first (status, headers, `type`,
//! `extensions.code`, exit code) and at the wording last.

mod details;
mod failure;
mod gh;
mod graphql;
mod over_http;
mod table;
#[cfg(test)]
mod tests;
mod wait;

pub(crate) use capstan_http::Head;
pub(crate) use gh::{gh_exit, gh_not_json, gh_stopped};
pub(crate) use graphql::{failure_from_errors, partial_errors};
pub(crate) use over_http::{
    gone, graphql_missing, invalid_body, redirect, refusal, transport, truncated_refusal,
    truncated_success, unfollowed_redirect, unsendable,
};
pub(crate) use wait::retry_after;
