//! Skills that nobody wrote: what their plans promise, and what their runs keep, whatever comes back first.

mod bind;
mod compose;
mod leaves;
mod model;
mod order;
mod runs;
mod samples;
mod world;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Tries so many, the same each time, and ends with the smallest that fails.
fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 4,
        ..Config::default()
    };
    let chances = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, chances)
}
