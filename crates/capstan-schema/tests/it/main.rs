//! Tests of schemas as types: tables for people to read, and laws against an independent validator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "schemas are written where they are used"
)]

mod changes;
mod combinations;
mod generate;
mod hostile;
mod keywords;
mod laws;
mod looking;
mod patterns;
mod real;
mod support;
