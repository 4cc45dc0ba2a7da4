//! Turns a card as written into a card that runs: every expression parsed, every name looked up.

mod card;
mod cli;
mod compiler;
mod follow_ups;
mod graphql;
mod output;
mod refusal;
mod rest;
mod routing;
mod settled;
mod texts;
mod wording;

#[cfg(test)]
mod tests;

pub(crate) use compiler::compile;
