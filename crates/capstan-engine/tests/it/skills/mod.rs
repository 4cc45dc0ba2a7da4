//! Property tests of generated skills: their plans, and their runs with answers in any order.

mod bind;
mod compose;
mod leaves;
mod model;
mod order;
mod runs;
mod samples;
mod world;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Returns a runner of `cases` cases. They are the same each time, and failures are reduced to the smallest case.
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
