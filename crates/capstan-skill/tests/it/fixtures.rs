//! Tests with one file per mistake, and all diagnostics for it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_core::{Diagnostic, Position, Source, Span};
use capstan_skill::{
    CODES, Contract, Library, OperationClass, OutsideCapability, Runs, check, read_path, read_text,
};
use serde_json::json;
use time::macros::date;

/// A capability that is not a skill: the relevant part of `issue.view`.
fn outside() -> HashMap<String, OutsideCapability> {
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
    let view = OutsideCapability {
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

/// Returns all diagnostics for a file.
fn found(file: &Path) -> Vec<Diagnostic> {
    let read = read_path(file);
    let (library, twice) = Library::new(read.skills);
    let outside = outside();
    let checked = check(&library, &outside, date!(2026 - 11 - 16));
    let read = read.diagnostics.into_iter();
    read.chain(twice).chain(checked.diagnostics).collect()
}

/// Returns one line per diagnostic, without the folder.
fn findings(file: &Path) -> Vec<String> {
    let name = file.display().to_string();
    let all = found(file);
    let lines = all.iter().map(|it| it.to_string().replace(&name, ""));
    lines.collect()
}

/// Returns one line per diagnostic and one per label, with the text at each place.
fn with_places(file: &Path) -> Vec<String> {
    let name = file.display().to_string();
    let mut lines = Vec::new();
    for it in found(file) {
        let at = |span: Span| it.source.text[span.start..span.end].to_owned();
        let place = it.span.map(|span| format!("«{}» ", at(span)));
        lines.push(format!(
            "{}{}",
            place.unwrap_or_default(),
            it.to_string().replace(&name, "")
        ));
        for label in &it.labels {
            let line = it.source.position(label.span.start).line;
            let (at, message) = (at(label.span), &label.message);
            lines.push(format!("    line {line} «{at}»: {message}"));
        }
    }
    lines
}

#[test]
fn everything_that_is_wrong_is_told() {
    let mut told = String::new();
    for file in files() {
        let name = file.file_stem().unwrap().to_string_lossy();
        told.push_str(&format!("## {name}\n"));
        for line in with_places(&file) {
            told.push_str(&line);
            told.push('\n');
        }
    }
    insta::assert_snapshot!(told);
}

/// Places must be right with non-ASCII text, any line endings and document markers.
#[test]
fn places_are_right_in_files_of_any_make() {
    let text = "id: größe\nlevel: 2\ndescription: \"日本語\" # ä\ncomposes: [part]\nlevle: 1\n";
    let places = |text: String| {
        let read = read_text(&Source::new("a.yaml", text));
        let places = read.diagnostics.into_iter().map(|it| {
            let span = it.span.unwrap();
            let Position { line, column } = it.position().unwrap();
            (
                it.source.text[span.start..span.end].to_owned(),
                line,
                column,
            )
        });
        places.collect::<Vec<_>>()
    };
    let expected = [("größe".to_owned(), 1, 5), ("levle".to_owned(), 5, 1)];
    assert_eq!(places(text.to_owned()), expected);
    assert_eq!(places(text.replace('\n', "\r\n")), expected);
    assert_eq!(places(format!("---\n{text}"))[1].1, 6);
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
            // A cached skill causes no warning about a diamond.
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
