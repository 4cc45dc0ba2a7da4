//! One file for each thing that can be wrong, with everything that the checker says of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_skill::{CODES, Contract, Library, OperationClass, Outsider, Runs, check, read_path};
use serde_json::json;
use time::macros::date;

/// Something that is no skill: `issue.view`, as far as it matters here.
fn outside() -> HashMap<String, Outsider> {
    let input = json!({
        "type": "object",
        "properties": {
            "owner": {"type": "string"}, "repo": {"type": "string"}, "issue_number": {"type": "integer"},
        },
        "required": ["owner", "repo", "issue_number"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {"number": {"type": "integer"}, "title": {"type": "string"}},
        "required": ["number", "title"],
    });
    let view = Outsider {
        runs: Runs::Card("issue.view".to_owned()),
        contract: Contract {
            input: Some(Arc::new(input)),
            output: Some(Arc::new(output)),
            operation: OperationClass::Read,
            effects: ["Query", "Network", "Fail"].map(str::to_owned).to_vec(),
        },
    };
    HashMap::from([("issue.view".to_owned(), view)])
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures")
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "yaml"))
        .collect();
    files.sort();
    files
}

/// A line for each finding, without the folder.
fn findings(file: &Path) -> Vec<String> {
    let read = read_path(file);
    let (library, twice) = Library::new(read.skills);
    let outside = outside();
    let checked = check(&library, &outside, date!(2026 - 11 - 16));
    let all = read
        .diagnostics
        .iter()
        .chain(&twice)
        .chain(&checked.diagnostics);
    let name = file.display().to_string();
    all.map(|it| it.to_string().replace(&name, "")).collect()
}

#[test]
fn everything_that_is_wrong_is_told() {
    let mut told = String::new();
    for file in files() {
        let name = file.file_stem().unwrap().to_string_lossy();
        told.push_str(&format!("## {name}\n"));
        for line in findings(&file) {
            told.push_str(&line);
            told.push('\n');
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_fixture_has_the_code_that_it_is_named_after() {
    for file in files() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let found = findings(&file);
        for code in name
            .split('-')
            .filter(|part| part.starts_with('E') && part.len() == 4)
        {
            // Once it is cached, there is no diamond to warn of.
            let expected = name != "E016-cached";
            let has = found.iter().any(|line| line.contains(&format!("[{code}]")));
            assert_eq!(has, expected, "{name}: {found:#?}");
        }
        if name.starts_with("sound") {
            assert_eq!(found, [""; 0], "{name}");
        }
    }
}

#[test]
fn every_code_has_a_fixture() {
    let names: Vec<_> = files()
        .iter()
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    for (code, _) in CODES {
        assert!(names.iter().any(|name| name.contains(code)), "{code}");
    }
}
