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

/// Returns what each crate may depend on: the first and the last column of the table of crates.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let page = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = page
        .split_once("| crate | purpose | may depend on |")
        .expect("the table is there");
    rest.lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let quoted = |text: &str| -> Vec<String> {
                text.split('`')
                    .skip(1)
                    .step_by(2)
                    .map(str::to_owned)
                    .collect()
            };
            let columns = line.strip_suffix('|').expect("a row of the table");
            let (others, dependencies) = columns.rsplit_once('|').unwrap();
            let name = quoted(others).swap_remove(0);
            (name, quoted(dependencies).into_iter().collect())
        })
        .collect()
}

/// Returns, by crate, the other crates of the workspace that it depends on.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
    let names: BTreeSet<&str> = packages.iter().map(name_of).collect();
    packages
        .iter()
        .map(|package| {
            let own = product_dependencies(package).filter(|name| names.contains(name));
            let own = own.map(str::to_owned).collect();
            (name_of(package).to_owned(), own)
        })
        .collect()
}

/// Returns all libraries that crates of the workspace depend on.
pub(super) fn external_dependencies() -> BTreeSet<String> {
    let packages = packages();
    let names: BTreeSet<&str> = packages.iter().map(name_of).collect();
    let all = packages.iter().flat_map(product_dependencies);
    let external = all.filter(|name| !names.contains(name));
    external.map(str::to_owned).collect()
}

/// Returns the dependencies of a package without those of its tests.
fn product_dependencies(package: &Value) -> impl Iterator<Item = &str> {
    let all = package["dependencies"].as_array().unwrap().iter();
    let product = all.filter(|dependency| dependency["kind"] != "dev");
    product.map(name_of)
}

fn name_of(value: &Value) -> &str {
    value["name"].as_str().unwrap()
}

/// Returns the packages under `crates`, as cargo describes them.
#[expect(clippy::disallowed_methods, reason = "cargo is asked for the truth")]
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(workspace())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().clone();
    // Examples use whatever they show.
    packages.retain(|package| {
        let manifest = package["manifest_path"].as_str().unwrap();
        manifest.contains("/crates/")
    });
    packages
}
