//! The pages, and whether the one who runs the tests wants them written anew.

use std::path::PathBuf;

use crate::support::workspace;

/// Returns every page, sorted by its path.
pub(super) fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in ["", "docs", "docs/errors"] {
        let files = std::fs::read_dir(workspace().join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        pages.extend(files.filter(|file| file.extension().is_some_and(|kind| kind == "md")));
    }
    pages.sort();
    pages
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test decides what it is for"
)]
pub(crate) fn update() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}
