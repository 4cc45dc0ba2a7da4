//! Runs a property on generated values.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Runs a number of cases, the same in every run, and reports the smallest failing one.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let chances = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, chances)
}
