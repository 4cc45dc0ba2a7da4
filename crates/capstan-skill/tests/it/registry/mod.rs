//! The rules of composition on registries that nobody wrote, against an oracle that knows them from
//! elsewhere.

mod breaking;
mod contracts;
mod rules;
mod samples;

use capstan_test_support::Oracle;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Starts the oracle; a question is a map from what is asked to what it is asked about.
fn oracle() -> Oracle {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/registry/oracle.py");
    Oracle::start(script)
}

/// Tries so many, the same each time, and ends with the smallest that fails.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let chances = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, chances)
}
