//! Compiles a card file into a card that can run: parses every expression and resolves every name.

mod card;
mod cli;
mod compiler;
mod follow_ups;
mod graphql;
mod output;
mod refusal;
mod rest;
mod routing;
mod seal;
mod service;
mod settled;
mod texts;
mod wording;

#[cfg(test)]
mod tests;

pub(crate) use compiler::compile;
