//! What a folder has: its cards and its outlines, packed, and everything that is wrong with it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_core::{Diagnostic, Source};

use super::FolderOwner;
use super::fingerprint::TextDigest;
use super::read_file::{Entries, FileContents, read_file};
use crate::files::{FoundFiles, map_in_parallel};
use crate::load::{DUPLICATE, UNREADABLE, duplicate};
use crate::pack::{Blocks, Pack, PackEntry, pack_entries};

/// The cards of a folder. They are unpacked when they are used.
#[derive(Debug)]
pub struct CardFolder {
    /// The cards that people wrote.
    pub cards: Pack,
    /// Cards that were generated from the outlines in the folder.
    pub outlines: Pack,
    pub diagnostics: Vec<Diagnostic>,
}

/// A folder that was read from its files, in the form in which it is kept.
pub(super) struct ReadFolder {
    pub(super) cards: Vec<u8>,
    pub(super) outlines: Vec<u8>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The files with problems. They are read again whenever the folder is opened, because their problems are shown.
    pub(super) bad_files: Vec<PathBuf>,
    /// The files that documents of cards were looked for in.
    pub(super) documents: Vec<PathBuf>,
    /// The text of each file that was read.
    pub(super) read: HashMap<PathBuf, TextDigest>,
}

/// Returns the diagnostics for folders that cannot be read.
pub(super) fn unreadable_folders(found: &FoundFiles) -> Vec<Diagnostic> {
    let unreadable = found.unreadable.iter().map(|(folder, cause)| {
        let source = Source::new(folder.display().to_string(), "");
        Diagnostic::error(
            UNREADABLE,
            &source,
            format!("cannot read the folder: {cause}"),
        )
        .with_help("give a folder that holds card files")
    });
    unreadable.collect()
}

/// Reads and packs all files of a folder. The first card with an id counts.
pub(super) fn read_all(
    found: &FoundFiles,
    folder: &Path,
    owner: &FolderOwner,
) -> Result<ReadFolder, String> {
    let all = map_in_parallel(&found.files, |file| read_file(file, folder, owner));
    let mut packer = Packer::default();
    for (file, contents) in found.files.iter().zip(all) {
        packer.add(file, contents);
    }
    Ok(ReadFolder {
        cards: pack_entries(packer.cards, Blocks::DeflatedCards)?,
        outlines: pack_entries(packer.outlines, Blocks::DeflatedOutlines)?,
        diagnostics: packer.diagnostics,
        bad_files: packer.bad_files,
        documents: packer.documents,
        read: packer.read,
    })
}

/// Returns the problems of a file that was read before, when the cards of its folder were packed.
pub(super) fn problems_of(
    file: &Path,
    folder: &Path,
    owner: &FolderOwner,
    cards: &Pack,
) -> Vec<Diagnostic> {
    let contents = read_file(file, folder, owner);
    let mut problems = contents.diagnostics;
    // The file has a problem, so a card that can be read has the id of another one.
    if let (Entries::Card(Some(entry)), Some(source)) = (&contents.entries, &contents.source)
        && cards.contains(entry.id())
    {
        problems.push(duplicate(source, entry.id()));
    }
    if let (Entries::Outlines(_), Some(source)) = (&contents.entries, &contents.source)
        && problems.is_empty()
    {
        problems.push(repeated_outlines(source));
    }
    problems
}

#[derive(Default)]
struct Packer {
    cards: Vec<PackEntry>,
    outlines: Vec<PackEntry>,
    ids: BTreeSet<String>,
    outline_ids: BTreeSet<String>,
    diagnostics: Vec<Diagnostic>,
    bad_files: Vec<PathBuf>,
    documents: Vec<PathBuf>,
    read: HashMap<PathBuf, TextDigest>,
}

impl Packer {
    fn add(&mut self, file: &Path, contents: FileContents) {
        let mut problems = contents.diagnostics;
        match contents.entries {
            Entries::Card(Some(entry)) => {
                if self.ids.insert(entry.id().to_owned()) {
                    self.cards.push(entry);
                } else if let Some(source) = &contents.source {
                    problems.push(duplicate(source, entry.id()));
                }
            }
            Entries::Card(None) => {}
            Entries::Outlines(entries) => {
                for entry in entries {
                    if self.outline_ids.insert(entry.id().to_owned()) {
                        self.outlines.push(entry);
                    } else if let Some(source) =
                        contents.source.as_ref().filter(|_| problems.is_empty())
                    {
                        problems.push(repeated_outlines(source));
                    }
                }
            }
        }
        if !problems.is_empty() {
            self.bad_files.push(file.to_owned());
        }
        self.diagnostics.extend(problems);
        self.documents.extend(contents.documents);
        self.read.extend(contents.read);
    }
}

/// Returns the diagnostic for a file of outlines of which some are in an earlier file.
fn repeated_outlines(source: &Arc<Source>) -> Diagnostic {
    let message = "another file of this folder has some of the outlines of this file";
    Diagnostic::error(DUPLICATE, source, message)
}
