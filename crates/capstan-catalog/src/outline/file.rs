//! Reads files of outlines.

use std::path::Path;

use indexmap::IndexMap;

use super::raw::Outline;
use crate::files::{find_yaml_files, read};
use crate::load::{describe_error, parse_yaml};

/// Reads every outline below `dir`, by id. On failure it returns all problems, one line each.
pub fn read_outlines(dir: &Path) -> Result<IndexMap<String, Outline>, Vec<String>> {
    let found = find_yaml_files(dir);
    let mut problems: Vec<_> = found
        .unreadable
        .iter()
        .map(|(folder, cause)| format!("{}: {cause}", folder.display()))
        .collect();
    let mut outlines = IndexMap::new();
    for file in found.files {
        match read_file(&file) {
            Ok(read) => {
                for (id, outline) in read {
                    if outlines.insert(id.clone(), outline).is_some() {
                        problems.push(format!("{}: there is another `{id}`", file.display()));
                    }
                }
            }
            Err(problem) => problems.push(format!("{}: {problem}", file.display())),
        }
    }
    if problems.is_empty() {
        Ok(outlines)
    } else {
        Err(problems)
    }
}

fn read_file(file: &Path) -> Result<IndexMap<String, Outline>, String> {
    let source = read(file)?;
    parse_yaml(&source.text).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        format!("line {line}: {}", describe_error(&error))
    })
}
