//! The rules, one file for each part of a card that they look at.

pub(crate) mod cli;
pub(crate) mod graphql;
pub(crate) mod output;
pub(crate) mod request;
pub(crate) mod rest;
pub(crate) mod variables;
mod witness;
