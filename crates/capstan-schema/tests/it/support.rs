//! Shared test helpers.

use capstan_schema::{Schema, assignable, assignable_projected};
use proptest::test_runner::{Config, RngSeed};
use serde_json::Value;

/// Asserts that everything matches.
#[track_caller]
pub(crate) fn yes(from: Value, to: Value) {
    let verdict = assignable(Schema::new(&from), Schema::new(&to));
    assert_eq!(
        verdict.map_err(|it| it.to_string()),
        Ok(()),
        "{from} → {to}"
    );
}

/// Asserts that something does not match, for this reason.
#[track_caller]
pub(crate) fn no(from: Value, to: Value, reason: &str) {
    let verdict = assignable(Schema::new(&from), Schema::new(&to));
    let found = verdict.map_err(|it| it.to_string());
    assert_eq!(found, Err(reason.to_owned()), "{from} → {to}");
}

/// Asserts that everything matches after projection.
#[track_caller]
pub(crate) fn yes_projected(from: Value, to: Value) {
    let verdict = assignable_projected(Schema::new(&from), Schema::new(&to));
    assert_eq!(
        verdict.map_err(|it| it.to_string()),
        Ok(()),
        "{from} → {to}"
    );
}

/// Asserts that something does not match even after projection.
#[track_caller]
pub(crate) fn no_projected(from: Value, to: Value, reason: &str) {
    let verdict = assignable_projected(Schema::new(&from), Schema::new(&to));
    let found = verdict.map_err(|it| it.to_string());
    assert_eq!(found, Err(reason.to_owned()), "{from} → {to}");
}

/// Returns the same cases in every run, so that only a change of the code can make a test fail. More and
/// other cases if the environment asks for them (`PROPTEST_CASES=100000`).
pub(crate) fn config(cases: u32) -> Config {
    let usual = Config::default();
    let exploring = usual.cases > cases;
    Config {
        cases: usual.cases.max(cases),
        rng_seed: if exploring {
            usual.rng_seed
        } else {
            RngSeed::Fixed(SEED)
        },
        failure_persistence: None,
        ..usual
    }
}

const SEED: u64 = 7;
