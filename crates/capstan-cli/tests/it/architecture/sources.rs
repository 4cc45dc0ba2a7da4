//! The Rust files of the workspace.

use std::path::{Path, PathBuf};

use crate::support::workspace;

/// Returns every Rust file under `crates`, sorted, relative to the workspace.
pub(super) fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&workspace().join("crates"), &mut found);
    found.sort();
    found
}

pub(super) fn read(source: &Path) -> String {
    std::fs::read_to_string(workspace().join(source)).unwrap()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path.strip_prefix(workspace()).unwrap().to_owned());
        }
    }
}
