//! Mutations: each takes its `input`, acts on the world, and answers with its payload.

mod comments;
mod input;
mod issues;
mod labels;
mod people;
mod pulls;
mod resolve;
mod reviews;

pub(super) use resolve::resolve;
