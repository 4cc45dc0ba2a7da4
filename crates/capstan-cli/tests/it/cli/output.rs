//! Standard output that goes away, or cannot take more.

use std::fs::OpenOptions;
use std::process::Stdio;

use super::harness::{CAPSTAN, Github, Place};

const COMMANDS: [&str; 11] = [
    "list",
    "search label",
    "explain issue.view",
    "explain E041",
    "doctor",
    "completions zsh",
    "setup claude",
    "run issue.view -R acme/rocket issue_number=1",
    "run issue.close -R acme/rocket issue_number=1 --dry-run",
    "chain steps.json",
    "chain steps.json --dry-run",
];

/// What the chains among them run.
const STEPS: &str = r#"[{"task":"repo.view","input":{"owner":"acme","repo":"rocket"}}]"#;

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("steps.json", STEPS);
    for line in COMMANDS.into_iter().chain(["--help", "demo"]) {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = place
            .command(CAPSTAN)
            .args(line.split_whitespace())
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{line}");
    }
}

#[test]
fn an_answer_that_could_not_be_written_is_a_failure() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("steps.json", STEPS);
    for line in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place
            .command(CAPSTAN)
            .args(line.split_whitespace())
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert_eq!(said, "error: cannot write to standard output\n", "{line}");
    }
}
