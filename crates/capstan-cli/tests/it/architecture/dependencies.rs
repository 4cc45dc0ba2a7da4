//! Crates depend on each other as ARCHITECTURE.md allows.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::support::workspace;

#[test]
fn crates_depend_on_each_other_as_the_table_allows() {
    let allowed = table();
    let actual = dependencies();
    assert_eq!(
        allowed.keys().collect::<Vec<_>>(),
        actual.keys().collect::<Vec<_>>(),
        "the crates in ARCHITECTURE.md and in the workspace"
    );
    for (name, dependencies) in actual {
        let forbidden: Vec<_> = dependencies.difference(&allowed[&name]).collect();
        assert!(
            forbidden.is_empty(),
            "{name} must not depend on {forbidden:?}"
        );
        let unused: Vec<_> = allowed[&name].difference(&dependencies).collect();
        assert!(
            unused.is_empty(),
            "{name} is allowed {unused:?} and does not use it"
        );
    }
}

/// The second table of the page: crate → what it may depend on.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let page = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = page
        .split_once("| crate | may depend on |")
        .expect("the table is there");
    rest.lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut names = line.split('`').skip(1).step_by(2).map(str::to_owned);
            (names.next().unwrap(), names.collect())
        })
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "cargo is asked for the truth")]
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(workspace())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    // Examples use whatever they show.
    let is_crate = |package: &&Value| {
        let manifest = package["manifest_path"].as_str().unwrap();
        manifest.contains("/crates/")
    };
    let packages: Vec<_> = packages.iter().filter(is_crate).collect();
    let names: BTreeSet<&str> = packages
        .iter()
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let own = dependencies
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| dependency["name"].as_str().unwrap())
                .filter(|name| names.contains(name))
                .map(str::to_owned);
            (package["name"].as_str().unwrap().to_owned(), own.collect())
        })
        .collect()
}
