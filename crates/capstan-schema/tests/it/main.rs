//! Tests of schemas as types: tables for people to read, and laws against an independent validator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod generate;
mod keywords;
mod laws;
mod patterns;
mod support;
