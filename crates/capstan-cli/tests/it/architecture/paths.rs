//! Pages name only files and folders that exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::sources::sources;
use crate::support::workspace;

/// What looks like a path of the repository and is none: methods of MCP.
const NO_PATHS: [&str; 2] = ["skills/get", "skills/list"];

#[test]
fn every_path_that_a_page_names_exists() {
    let repository = Repository::new();
    let mut missing = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let paths = code_spans(&text).into_iter();
        let paths = paths.filter(|path| repository.lacks(path));
        let page = page.strip_prefix(workspace()).unwrap().display();
        missing.extend(paths.map(|path| format!("{page}: `{path}`")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn a_path_that_does_not_exist_is_found() {
    let repository = Repository::new();
    for path in [
        "crates/capstan-none",
        "capstan-core/src/none",
        "docs/none.md",
        "src/none",
        "none/at/all.rs",
        "none.rs",
    ] {
        assert!(repository.lacks(path), "{path}");
    }
    for path in [
        "crates/capstan-core",
        "capstan-core/src",
        "cards/",
        "cards/<domain>/<action>.yaml",
        "src/card",
        "architecture/paths.rs",
        "paths.rs",
        "application/json",
        "capstan.toml",
        "skills/list",
    ] {
        assert!(!repository.lacks(path), "{path}");
    }
    let text = "`docs` and\n```sh\nls `none.rs`\n```\n`cards/`";
    assert_eq!(code_spans(text), ["docs", "cards/"]);
}

/// The pages that are about the repository as it is. The changelog is about what it was.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in ["", "docs"] {
        let entries = std::fs::read_dir(workspace().join(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        pages.extend(files.filter(|file| file.extension().is_some_and(|kind| kind == "md")));
    }
    pages.retain(|page| !page.ends_with("CHANGELOG.md"));
    pages.sort();
    pages
}

/// Returns what stands in backticks within a line, outside of blocks of code.
fn code_spans(text: &str) -> Vec<&str> {
    static BLOCK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?ms)^ *```.*?^ *```$").unwrap());
    static SPAN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`([^`\n]+)`").unwrap());
    let outside = BLOCK.split(text);
    let spans = outside.flat_map(|part| SPAN.captures_iter(part));
    let spans = spans.filter_map(|found| found.get(1));
    spans.map(|span| span.as_str()).collect()
}

/// What there is.
struct Repository {
    /// Folders at the top, without hidden ones and those that a build makes.
    folders: BTreeSet<String>,
    crates: BTreeSet<String>,
    sources: Vec<PathBuf>,
}

impl Repository {
    fn new() -> Self {
        let mut folders = folders_in(&workspace());
        folders.retain(|name| !name.starts_with('.') && name != "target");
        Self {
            folders,
            crates: folders_in(&workspace().join("crates")),
            sources: sources(),
        }
    }

    /// Whether a text looks like a path of this repository and leads nowhere. Paths start at the top, at a crate, or
    /// inside of one (`src/card`); those of Rust files may start anywhere.
    fn lacks(&self, path: &str) -> bool {
        if path.contains(|c: char| c.is_whitespace() || "<>*{}…$".contains(c))
            || NO_PATHS.contains(&path)
        {
            return false;
        }
        let first = path.split_once('/').map(|(first, _)| first);
        let root = workspace();
        match first {
            Some(first) if self.folders.contains(first) => !root.join(path).exists(),
            Some(first) if self.crates.contains(first) => !root.join("crates").join(path).exists(),
            Some("src" | "tests") => {
                let mut crates = self.crates.iter();
                !crates.any(|name| root.join("crates").join(name).join(path).exists())
            }
            _ if Path::new(path).extension().is_some_and(|kind| kind == "rs") => {
                !self.sources.iter().any(|source| source.ends_with(path))
            }
            _ => false,
        }
    }
}

fn folders_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let folders = folders.filter(|path| path.is_dir());
    folders
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect()
}
