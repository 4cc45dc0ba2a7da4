//! The example does what its comments say.

#![expect(clippy::disallowed_methods, reason = "the program is what is tested")]

use std::process::Command;

#[test]
fn a_read_a_chain_and_a_search_are_shown() {
    let output = Command::new(env!("CARGO_BIN_EXE_capstan-library-example"))
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");
    for part in [
        "\"capability_id\": \"issue.view\"",
        "\"status\": \"success\"",
        "pr.merge: Merge a pull request",
    ] {
        assert!(shown.contains(part), "{part} is missing in:\n{shown}");
    }
}
