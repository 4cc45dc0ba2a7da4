//! Starts the independent oracle for the rules of composition.

use capstan_test_support::Oracle;

/// Starts the oracle. A question is a map from the kind of question to its subject.
pub(super) fn oracle() -> Oracle {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/registry/oracle.py");
    Oracle::start(script)
}
