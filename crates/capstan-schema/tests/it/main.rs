//! Tests of schemas as types: tables for people to read, and laws against an independent validator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod changes;
mod generate;
mod hostile;
mod keywords;
mod laws;
mod looking;
mod patterns;
mod support;
