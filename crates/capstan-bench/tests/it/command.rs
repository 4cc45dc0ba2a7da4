//! The binary: its options and its output to a pipe.

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
fn help_of_mcp() {
    let output = bench(&["mcp", "--help"]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}

/// A shell script as peer: it responds to every request with the same result.
const ECHO: &str = r#"while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    [ -n "$id" ] && printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id"
done"#;

#[test]
fn a_server_that_cannot_be_started_is_named() {
    let output = bench(&["mcp", "--capstan", "no-such-file", "--calls", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot start `capstan`"), "{said}");
}

#[test]
fn a_peer_is_measured_in_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("echo.sh");
    std::fs::write(&script, format!("#!/bin/sh\n{ECHO}\n")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let peer = folder.path().join("peer.json");
    let described = serde_json::json!({
        "name": "echo",
        "command": [script],
        "env": {"ADDRESS": "{url}"},
        "call": {"name": "any", "arguments": {}},
    });
    std::fs::write(&peer, described.to_string()).unwrap();
    // The same peer takes the role of Capstan, because the `capstan` binary belongs to another package.
    let output = bench(&[
        "mcp",
        "--capstan",
        script.to_str().unwrap(),
        "--peer",
        peer.to_str().unwrap(),
        "--rounds",
        "1",
        "--calls",
        "5",
    ]);
    let costs: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!(costs[0]["server"], "capstan");
    assert_eq!(costs[1]["server"], "echo");
    assert_eq!(costs[1]["calls"], 5);
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
    assert_eq!(report["built_in"].as_array().unwrap().len(), 5);
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
