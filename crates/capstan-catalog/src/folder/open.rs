//! Opens a folder of cards: from its cache if no file has changed, or else from its files.

use std::path::Path;
use std::time::SystemTime;

use super::cache::{Cache, writer_key};
use super::contents::{CardFolder, problems_of, read_all, unreadable_folders};
use super::fingerprint::{Comparison, Fingerprint, FolderFiles};
use super::owner::FolderOwner;
use crate::files::{FoundFiles, find_yaml_files};
use crate::load::INCONSISTENT;
use crate::pack::Pack;
use capstan_core::{Diagnostic, Source};

/// An open folder, and the cache to keep for the next time if the present one does not do.
#[derive(Debug)]
pub struct OpenedFolder {
    pub folder: CardFolder,
    pub cache: Option<Vec<u8>>,
}

/// Opens a folder. `cached` is the cache that was kept of it, and `program` differs for programs that read cards in
/// another way. `now` must not be later than the call.
pub fn open_folder(
    folder: &Path,
    owner: &FolderOwner,
    cached: Option<&[u8]>,
    program: &str,
    now: SystemTime,
) -> OpenedFolder {
    let found = find_yaml_files(folder);
    let place = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let opening = Opening {
        folder,
        owner,
        place: &place,
        writer: writer_key(program, &format!("{}\n{}", owner.key(), folder.display())),
        found: &found,
        now,
    };
    let known = cached.and_then(|bytes| Cache::from_bytes(bytes, &opening.writer, &place));
    let opened = known.and_then(|cache| opening.unchanged(cache));
    opened.unwrap_or_else(|| opening.read())
}

struct Opening<'a> {
    folder: &'a Path,
    owner: &'a FolderOwner,
    /// The folder without links and relative parts.
    place: &'a Path,
    writer: String,
    found: &'a FoundFiles,
    now: SystemTime,
}

impl Opening<'_> {
    /// Returns what the cache has if all files are as they were.
    fn unchanged(&self, mut cache: Cache) -> Option<OpenedFolder> {
        let files = FolderFiles {
            cards: &self.found.files,
            documents: &cache.documents,
        };
        let renewed = match cache.fingerprint.compare(files, self.now) {
            Comparison::Different => return None,
            Comparison::Same(renewed) => renewed,
        };
        let renewed = renewed.and_then(|fingerprint| {
            cache.fingerprint = fingerprint;
            cache.to_bytes(&self.writer, self.place)
        });
        let cards = Pack::from_bytes(cache.cards)?;
        let outlines = Pack::from_bytes(cache.outlines)?;
        let mut diagnostics = unreadable_folders(self.found);
        for file in &cache.bad_files {
            diagnostics.extend(problems_of(file, self.folder, self.owner, &cards));
        }
        Some(OpenedFolder {
            folder: CardFolder {
                cards,
                outlines,
                diagnostics,
            },
            cache: renewed,
        })
    }

    /// Reads all files.
    fn read(&self) -> OpenedFolder {
        let mut diagnostics = unreadable_folders(self.found);
        let read = match read_all(self.found, self.folder, self.owner) {
            Ok(read) => read,
            Err(problem) => {
                let source = Source::new(self.folder.display().to_string(), "");
                diagnostics.push(Diagnostic::error(INCONSISTENT, &source, problem));
                return OpenedFolder {
                    folder: CardFolder {
                        cards: Pack::empty(),
                        outlines: Pack::empty(),
                        diagnostics,
                    },
                    cache: None,
                };
            }
        };
        diagnostics.extend(read.diagnostics);
        let files = FolderFiles {
            cards: &self.found.files,
            documents: &read.documents,
        };
        let fingerprint = Fingerprint::take(files, self.now, &read.read);
        let cache = fingerprint.map(|fingerprint| Cache {
            fingerprint,
            documents: read.documents.clone(),
            bad_files: read.bad_files,
            cards: read.cards.clone(),
            outlines: read.outlines.clone(),
        });
        let pack = |bytes: Vec<u8>| Pack::from_bytes(bytes).unwrap_or(Pack::empty());
        OpenedFolder {
            cache: cache.and_then(|cache| cache.to_bytes(&self.writer, self.place)),
            folder: CardFolder {
                cards: pack(read.cards),
                outlines: pack(read.outlines),
                diagnostics,
            },
        }
    }
}
