//! What the tests of several crates share: programs of other people that are asked for the truth.
//!
//! Only tests and benchmarks may depend on this crate, and it must not know any other crate of the
//! workspace.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod oracle;
mod tools;

pub use oracle::Oracle;
pub use tools::{everything_server, skills_client, tool, typescript_compiler};
