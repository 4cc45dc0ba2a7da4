//! The binary: its options, and what it prints in a pipe.

use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{QUERIES, TOOLS, folder};

#[expect(clippy::disallowed_methods, reason = "the test is about the binary")]
fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_capstan-bench"))
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn help() {
    let output = bench(&["search", "--help"]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}

#[test]
fn the_built_in_catalogue_is_measured_beside_a_folder() {
    let folder = folder(TOOLS, QUERIES);
    let data = folder.path().to_str().unwrap();
    let plot = folder.path().join("search.svg");
    let output = bench(&["search", "--data", data, "--plot", plot.to_str().unwrap()]);
    assert!(output.stderr.is_empty(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["sources"].as_array().unwrap();
    let names: Vec<_> = rows
        .iter()
        .map(|row| row["source"].as_str().unwrap())
        .collect();
    assert!(
        names.starts_with(&["capstan", "gh", "metatool"]),
        "{names:?}"
    );
    let picture = std::fs::read_to_string(plot).unwrap();
    assert!(roxmltree::Document::parse(&picture).is_ok());
}

#[test]
fn a_folder_without_data_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let output = bench(&["search", "--data", empty.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: cannot read `"), "{told}");
    assert!(
        told.contains("the folder needs `tools.jsonl` and `queries.jsonl`"),
        "{told}"
    );
}
