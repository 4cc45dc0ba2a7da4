//! A packed folder as bytes, for a file that is a cache. Whatever the bytes are, reading them causes no panic; bytes that
//! are damaged, or that another version wrote, are no cache.
//!
//! ```text
//! magic, CRC of all that follows, time of the fingerprint (seconds, nanoseconds), digest of the files
//! sections, each with its length: who wrote it, folder, documents, bad files, cards, outlines
//! ```

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use flate2::Crc;

use super::fingerprint::{Fingerprint, FolderDigest};
use crate::pack::{MAGIC as PACK_MAGIC, Pack};

/// The first bytes. Another layout gets another number.
const MAGIC: [u8; 4] = *b"CFC1";
/// Ends each path in a list.
const END: char = '\0';

/// What is kept of a folder.
pub(super) struct Cache {
    pub(super) fingerprint: Fingerprint,
    pub(super) documents: Vec<PathBuf>,
    pub(super) bad_files: Vec<PathBuf>,
    pub(super) cards: Vec<u8>,
    pub(super) outlines: Vec<u8>,
}

/// Returns a text that differs for everything that reads a folder in another way.
pub(super) fn writer_key(program: &str, owner: &str) -> String {
    let pack = String::from_utf8_lossy(&PACK_MAGIC);
    format!("{program}\n{pack}\n{owner}")
}

impl Cache {
    /// Writes the cache. `None` if a path cannot be written as text, which is rare.
    pub(super) fn to_bytes(&self, writer: &str, folder: &Path) -> Option<Vec<u8>> {
        let since = self.fingerprint.taken_at.duration_since(UNIX_EPOCH).ok()?;
        let mut body = Vec::new();
        body.extend(since.as_secs().to_le_bytes());
        body.extend(since.subsec_nanos().to_le_bytes());
        body.extend(self.fingerprint.digest);
        let (documents, bad_files) = (joined(&self.documents)?, joined(&self.bad_files)?);
        let sections = [
            writer.as_bytes(),
            folder.to_str()?.as_bytes(),
            documents.as_bytes(),
            bad_files.as_bytes(),
            &self.cards,
            &self.outlines,
        ];
        for section in sections {
            let length = u32::try_from(section.len()).ok()?;
            body.extend(length.to_le_bytes());
            body.extend(section);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        Some(bytes)
    }

    /// Reads a cache; `None` if it is damaged, or if another program or folder is meant.
    pub(super) fn from_bytes(bytes: &[u8], writer: &str, folder: &Path) -> Option<Self> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let stated = u32::from_le_bytes(reader.take(4)?.try_into().ok()?);
        if checksum(reader.0) != stated {
            return None;
        }
        let seconds = u64::from_le_bytes(reader.take(8)?.try_into().ok()?);
        let nanoseconds = u32::from_le_bytes(reader.take(4)?.try_into().ok()?);
        let is_time = nanoseconds < 1_000_000_000;
        let since = is_time.then(|| Duration::new(seconds, nanoseconds))?;
        let taken_at = time_after_epoch(since)?;
        let digest: FolderDigest = reader.take(32)?.try_into().ok()?;
        if reader.text()? != writer || Path::new(reader.text()?) != folder {
            return None;
        }
        let cache = Self {
            fingerprint: Fingerprint { taken_at, digest },
            documents: paths(reader.text()?),
            bad_files: paths(reader.text()?),
            cards: reader.section()?.to_vec(),
            outlines: reader.section()?.to_vec(),
        };
        let has_packs = [&cache.cards, &cache.outlines]
            .into_iter()
            .all(|pack| Pack::is_pack(pack));
        (has_packs && reader.0.is_empty()).then_some(cache)
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn section(&mut self) -> Option<&'a [u8]> {
        let length = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
        self.take(usize::try_from(length).ok()?)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.section()?).ok()
    }
}

fn time_after_epoch(since: Duration) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(since)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn joined(paths: &[PathBuf]) -> Option<String> {
    let mut text = String::new();
    for path in paths {
        let path = path.to_str().filter(|path| !path.contains(END))?;
        text.push_str(path);
        text.push(END);
    }
    Some(text)
}

fn paths(text: &str) -> Vec<PathBuf> {
    text.split_terminator(END).map(PathBuf::from).collect()
}
