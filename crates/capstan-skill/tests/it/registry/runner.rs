//! Runs a property on generated values.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

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
