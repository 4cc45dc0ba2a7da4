//! How the committed catalogue differs from what would be generated.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use capstan_catalog::files::find_yaml_files;
use capstan_catalog::outline::{Outline, read_outlines};

use crate::catalogue::Catalogue;

/// What changes, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub changed: Vec<String>,
    /// Files whose text differs.
    pub files: Vec<String>,
    /// Problems of the committed files. Outlines in a file that cannot be read count as added.
    pub unreadable: Vec<String>,
}

impl Drift {
    /// Compares a catalogue with the files in a folder.
    pub fn new(catalogue: &Catalogue, folder: &Path) -> Self {
        let mut drift = Self::of_outlines(&catalogue.outlines, folder);
        drift.files = different_files(&catalogue.files(), folder);
        drift
    }

    /// Compares outlines with those in a folder, and says nothing about files.
    pub(crate) fn of_outlines(outlines: &BTreeMap<String, Outline>, folder: &Path) -> Self {
        let mut drift = Self::default();
        let committed = read_outlines(folder).unwrap_or_else(|problems| {
            drift.unreadable = problems;
            Default::default()
        });
        for (id, outline) in outlines {
            match committed.get(id) {
                None => drift.added.push(id.clone()),
                Some(known) if known != outline => drift.changed.push(id.clone()),
                Some(_) => {}
            }
        }
        let removed = committed.keys().filter(|id| !outlines.contains_key(*id));
        drift.removed = removed.cloned().collect();
        drift.removed.sort();
        drift
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn different_files(files: &BTreeMap<String, String>, folder: &Path) -> Vec<String> {
    let mut different: Vec<String> = files
        .iter()
        .filter(|(name, text)| {
            let committed = std::fs::read_to_string(folder.join(name));
            committed.ok().as_ref() != Some(*text)
        })
        .map(|(name, _)| name.clone())
        .collect();
    for file in find_yaml_files(folder).files {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        let name = name.to_string_lossy();
        if !files.contains_key(name.as_ref()) {
            different.push(name.into_owned());
        }
    }
    different.sort();
    different
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return writeln!(f, "the catalogue is up to date");
        }
        for problem in &self.unreadable {
            writeln!(f, "unreadable: {problem}")?;
        }
        let parts = [
            ("added", &self.added),
            ("removed", &self.removed),
            ("changed", &self.changed),
        ];
        for (what, ids) in parts {
            if !ids.is_empty() {
                writeln!(f, "{what} ({}):", ids.len())?;
            }
            for id in ids {
                writeln!(f, "  {id}")?;
            }
        }
        writeln!(f, "files that differ: {}", self.files.join(", "))
    }
}
