//! Raw calls: cards whose input is the request. From each input a card for this one call is made, with the operation of
//! its request. Everything that follows (policy, order, batches, retry, recording) treats it like any other card.

mod card;
mod graphql;
mod rest;

#[cfg(test)]
mod tests;

pub use card::{card_for, path_placeholders, sends_same_request};
