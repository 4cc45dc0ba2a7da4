//! Libraries are used only where CONTRIBUTING.md says.

use std::path::{Path, PathBuf};

use regex::Regex;

use super::dependencies::external_dependencies;
use super::imports::code_of;
use super::sources::{read, sources};
use crate::support::workspace;

/// A row of the table: libraries, and the files and folders that may use them.
struct Row {
    libraries: Vec<String>,
    places: Vec<PathBuf>,
}

#[test]
fn libraries_are_used_only_where_the_table_allows() {
    let files: Vec<(PathBuf, String)> = sources()
        .into_iter()
        .filter(|file| is_product(file))
        .map(|file| {
            let code = code_of(&read(&file));
            (file, code)
        })
        .collect();
    let mut wrong = Vec::new();
    for Row { libraries, places } in table() {
        let mut unused = places.clone();
        for library in &libraries {
            let usage = usage_of(library);
            let users = files.iter().filter(|(_, code)| usage.is_match(code));
            for (file, _) in users {
                unused.retain(|place| !file.starts_with(place));
                if !places.iter().any(|place| file.starts_with(place)) {
                    wrong.push(format!("{} must not use {library}", file.display()));
                }
            }
        }
        let unused = unused.iter();
        wrong.extend(unused.map(|place| format!("{} uses no {libraries:?}", place.display())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_library_is_in_the_table_or_allowed_everywhere() {
    let page = page();
    let (_, rest) = page.split_once("may be used anywhere:").unwrap();
    let (everyday, _) = rest.split_once('.').unwrap();
    let everyday = code_spans(everyday);
    let rows = table();
    let listed: Vec<&String> = rows.iter().flat_map(|row| &row.libraries).collect();
    let missing: Vec<_> = external_dependencies()
        .into_iter()
        .filter(|name| !everyday.contains(name))
        .filter(|name| !listed.iter().any(|listed| is_part_of(name, listed)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn usages_are_recognized() {
    let usage = usage_of("toml-edit");
    for code in ["use toml_edit::X;", "(toml_edit::x())", "use toml_edit;"] {
        assert!(usage.is_match(code), "{code}");
    }
    for code in ["use my_toml_edit::X;", "std::toml_edit::x()", "toml_edits"] {
        assert!(!usage.is_match(code), "{code}");
    }
    assert!(usage_of("oxc").is_match("use oxc_parser::Parser;"));
}

/// Libraries that come in several packages are listed under their common name.
fn is_part_of(package: &str, library: &str) -> bool {
    let rest = package.strip_prefix(library);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '-']))
}

/// Matches paths that begin with a library or one of its packages.
fn usage_of(library: &str) -> Regex {
    let name = library.replace('-', "_");
    Regex::new(&format!(r"(?m)(^|[^\w:]){name}(_\w+)?(::|;)")).unwrap()
}

fn is_product(file: &Path) -> bool {
    let mut parts = file.components().skip(2).map(|part| part.as_os_str());
    parts
        .next()
        .is_some_and(|part| part == "src" || part == "build.rs")
        && !file.ends_with("tests.rs")
}

fn table() -> Vec<Row> {
    let page = page();
    let (_, rest) = page.split_once("| library | for | only in |").unwrap();
    rest.lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<_> = line.split('|').collect();
            Row {
                libraries: code_spans(cells[1]),
                places: code_spans(cells[3])
                    .iter()
                    .map(|place| Path::new("crates").join(place))
                    .collect(),
            }
        })
        .collect()
}

fn page() -> String {
    std::fs::read_to_string(workspace().join("CONTRIBUTING.md")).unwrap()
}

fn code_spans(text: &str) -> Vec<String> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.map(str::to_owned).collect()
}
