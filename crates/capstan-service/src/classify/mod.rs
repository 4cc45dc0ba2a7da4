//! Decides what a failure means: its code, whether a retry can help, whether a write may have happened, and how long to
//! wait. Structure decides: status, headers, the configured shape of errors, and `extensions.code`; never the wording.

mod failure;
mod graphql;
mod message;
mod over_http;
mod verdict;
mod wait;

pub(crate) use capstan_http::Head;
pub(crate) use graphql::{failure_from_errors, partial_errors};
pub(crate) use over_http::{
    error_in_success, invalid_body, no_client, redirect, refusal, transport, truncated_refusal,
    truncated_success, unfollowed_redirect, unsendable,
};
