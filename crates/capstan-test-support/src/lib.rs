//! Test helpers that several crates share: programs by other authors, used as reference implementations.
//!
//! Only tests and benchmarks may depend on this crate, and it must not know any other crate of the
//! workspace.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod oracle;
mod tools;

pub use oracle::Oracle;
pub use tools::{
    everything_server, rest_description, shopify_introspection, skills_client, stripe_description,
    tool, typescript_compiler,
};
