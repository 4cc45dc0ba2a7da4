//! Zip archives within limits: on the size of the directory, of each entry and of all of them, and on the ratio.

use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use capstan_core::{glob, similar};
use zip::ZipArchive;

use crate::digest::Entry;
use crate::error::{DigestError, Limit, shortened};
use crate::limits::{
    ANY_RATIO_BYTES, MAX_DIRECTORY_BYTES, MAX_ENTRY_BYTES, MAX_INFLATED_BYTES, MAX_RATIO,
};

/// An archive whose directory was read.
pub(crate) struct Archive<R> {
    zip: ZipArchive<Metered<R>>,
    /// The files, without folders, in the order of the archive.
    pub(crate) files: Vec<ArchiveFile>,
    /// How many more bytes may be inflated.
    left: Rc<Cell<u64>>,
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct ArchiveFile {
    index: usize,
    pub(crate) name: String,
    pub(crate) size: u64,
}

impl ArchiveFile {
    pub(crate) fn entry(&self) -> Entry {
        Entry {
            name: self.name.clone(),
            size: self.size,
        }
    }
}

/// Returns whether the bytes begin like a zip archive, which may be empty.
pub fn is_archive(beginning: &[u8]) -> bool {
    beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"PK\x05\x06")
}

impl<R: Read + Seek> Archive<R> {
    pub(crate) fn open(source: R) -> Result<Self, DigestError> {
        let budget = Rc::new(Cell::new(MAX_DIRECTORY_BYTES));
        let source = Metered {
            source,
            left: Rc::clone(&budget),
        };
        let zip = ZipArchive::new(source).map_err(|_| match budget.get() {
            0 => DigestError::TooManyEntries,
            _ => DigestError::Damaged,
        })?;
        let mut files = Vec::new();
        for index in 0..zip.len() {
            let file = zip.by_index_data(index).map_err(|_| DigestError::Damaged)?;
            if !file.is_dir() {
                let name = match file.name() {
                    Ok(name) => name.into_owned(),
                    Err(_) => String::from_utf8_lossy(file.name_raw()).into_owned(),
                };
                let size = file.size();
                files.push(ArchiveFile { index, name, size });
            }
        }
        // From here on, entries have limits of their own.
        budget.set(u64::MAX);
        Ok(Self {
            zip,
            files,
            left: Rc::new(Cell::new(MAX_INFLATED_BYTES)),
        })
    }

    /// Returns the files that a name or a pattern means; at least one.
    pub(crate) fn find(&self, wanted: &str) -> Result<Vec<ArchiveFile>, DigestError> {
        let exact = self.files.iter().find(|file| file.name == wanted);
        let found: Vec<_> = match exact {
            Some(file) => vec![file.clone()],
            None => {
                let files = self.files.iter();
                files
                    .filter(|file| glob::fits(wanted, &file.name))
                    .cloned()
                    .collect()
            }
        };
        if found.is_empty() {
            let names = self.files.iter().map(|file| &file.name);
            let near = similar::suggestions(wanted, names);
            return Err(DigestError::NoEntry {
                name: shortened(wanted),
                near: near.into_iter().map(|name| shortened(name)).collect(),
            });
        }
        Ok(found)
    }

    /// Opens a file, to read it to its end. Reading fails at the limits.
    pub(crate) fn read(
        &mut self,
        file: &ArchiveFile,
    ) -> Result<BufReader<impl Read + '_>, DigestError> {
        let left = Rc::clone(&self.left);
        let content = self
            .zip
            .by_index(file.index)
            .map_err(|error| DigestError::opening(&file.name, &error))?;
        let packed_size = content.compressed_size();
        Ok(BufReader::new(Inflating {
            content,
            packed_size,
            size: 0,
            left,
        }))
    }
}

/// A reader that fails after so many bytes.
struct Metered<R> {
    source: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let left = self.left.get();
        if left == u64::MAX {
            return Ok(read);
        }
        let left = left.saturating_sub(read as u64);
        self.left.set(left);
        if left == 0 {
            return Err(io::Error::other("the directory is too large"));
        }
        Ok(read)
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.source.seek(position)
    }
}

/// Inflates an entry. The sizes that it declares are not believed.
struct Inflating<R> {
    content: R,
    packed_size: u64,
    size: u64,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Inflating<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.size += read as u64;
        let is_bomb = self.size > ANY_RATIO_BYTES && self.size / MAX_RATIO > self.packed_size;
        if is_bomb {
            return Err(Limit::Ratio.into());
        }
        if self.size > MAX_ENTRY_BYTES {
            return Err(Limit::Entry.into());
        }
        match self.left.get().checked_sub(read as u64) {
            Some(left) => self.left.set(left),
            None => return Err(Limit::Archive.into()),
        }
        Ok(read)
    }
}
