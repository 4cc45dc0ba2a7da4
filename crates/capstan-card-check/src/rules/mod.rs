//! The rules, with one file for each part of a card.

pub(crate) mod cli;
pub(crate) mod combination;
pub(crate) mod follow_ups;
pub(crate) mod form;
pub(crate) mod graphql;
mod output;
mod refusal;
mod request;
pub(crate) mod rest;
mod settled;
pub(crate) mod suitability;
mod unused;
mod variables;
mod witness;
pub(crate) mod wording;
