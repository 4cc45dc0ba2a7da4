//! Mutations: each reads its `input`, changes the world and returns its payload.

mod comments;
mod input;
mod issues;
mod labels;
mod people;
mod pulls;
mod resolve;
mod reviews;

pub(super) use resolve::resolve;
