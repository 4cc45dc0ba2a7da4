//! The oracle that knows the rules of composition from elsewhere.

use capstan_test_support::Oracle;

/// Starts the oracle; a question is a map from what is asked to what it is asked about.
pub(super) fn oracle() -> Oracle {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/registry/oracle.py");
    Oracle::start(script)
}
