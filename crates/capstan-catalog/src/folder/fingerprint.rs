//! Tells whether the files of a folder are those that were packed: by their names, sizes and times, and by their
//! contents where the times are too recent to tell.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};

use crate::files::read;

/// How long the time of a file may stay the same although the file changes. Some file systems count in steps of two
/// seconds.
const TIME_STEP: Duration = Duration::from_secs(2);

/// The digest of a folder.
pub(super) type FolderDigest = [u8; 32];

/// The digest of a text that was read from a file.
pub(super) type TextDigest = [u8; 32];

/// Returns the digest of a text.
pub(super) fn digest_of(text: &str) -> TextDigest {
    Sha256::digest(text).into()
}

/// The files of a folder as they were at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    /// When the files were looked at.
    pub(super) taken_at: SystemTime,
    pub(super) digest: FolderDigest,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Different,
    /// Nothing has changed. There is a new fingerprint if it needs the contents of fewer files than the old one.
    Same(Option<Fingerprint>),
}

/// The files that decide what a folder has.
#[derive(Clone, Copy)]
pub(super) struct FolderFiles<'a> {
    pub(super) cards: &'a [PathBuf],
    /// Files that may not exist.
    pub(super) documents: &'a [PathBuf],
}

impl Fingerprint {
    /// Takes the fingerprint of files that were read after `now`. `read` has the texts: a file may change between being
    /// read and this call. `None` if a recent file is not among them.
    pub(super) fn take(
        files: FolderFiles<'_>,
        now: SystemTime,
        read: &HashMap<PathBuf, TextDigest>,
    ) -> Option<Self> {
        let mut digester = Digester::new(now);
        for stamp in files.stamps() {
            let text = if digester.needs_text(&stamp) {
                Some(*read.get(stamp.path)?)
            } else {
                None
            };
            digester.add(&stamp, text);
        }
        Some(digester.finish())
    }

    /// Compares files with those of this fingerprint.
    pub(super) fn compare(&self, files: FolderFiles<'_>, now: SystemTime) -> Comparison {
        let mut old = Digester::new(self.taken_at);
        let mut new = Digester::new(now);
        let mut needs_less = false;
        for stamp in files.stamps() {
            let (for_old, for_new) = (old.needs_text(&stamp), new.needs_text(&stamp));
            let text = (for_old || for_new).then(|| text_in(stamp.path));
            old.add(&stamp, text.filter(|_| for_old));
            new.add(&stamp, text.filter(|_| for_new));
            needs_less |= for_old && !for_new;
        }
        if old.finish().digest != self.digest {
            return Comparison::Different;
        }
        Comparison::Same(needs_less.then(|| new.finish()))
    }
}

impl<'a> FolderFiles<'a> {
    fn stamps(self) -> impl Iterator<Item = Stamp<'a>> {
        let paths = self.cards.iter().chain(self.documents);
        paths.map(|path| Stamp {
            path,
            metadata: std::fs::metadata(path).ok(),
        })
    }
}

/// A file and what the file system says about it; nothing if it is not there.
struct Stamp<'a> {
    path: &'a Path,
    metadata: Option<Metadata>,
}

/// Digests files as seen at a time.
struct Digester {
    taken_at: SystemTime,
    hasher: Sha256,
}

impl Digester {
    fn new(taken_at: SystemTime) -> Self {
        Self {
            taken_at,
            hasher: Sha256::new(),
        }
    }

    /// Returns whether a file may have changed after this time without looking different.
    fn needs_text(&self, stamp: &Stamp<'_>) -> bool {
        let Some(metadata) = &stamp.metadata else {
            return false;
        };
        let changed = changed_at(metadata).or_else(|| metadata.modified().ok());
        let settled = changed.and_then(|changed| changed.checked_add(TIME_STEP));
        settled.is_none_or(|settled| settled >= self.taken_at)
    }

    /// Adds a file, with its text if that is needed.
    fn add(&mut self, stamp: &Stamp<'_>, text: Option<TextDigest>) {
        self.add_bytes(stamp.path.as_os_str().as_encoded_bytes());
        let Some(metadata) = &stamp.metadata else {
            self.hasher.update([0]);
            return;
        };
        self.hasher.update([1]);
        self.hasher.update(metadata.len().to_le_bytes());
        let modified = metadata.modified().ok();
        self.hasher.update(nanoseconds(modified).to_le_bytes());
        self.add_system_facts(metadata);
        if let Some(text) = text {
            self.hasher.update(text);
        }
    }

    /// Adds bytes with their number, so that two lists of bytes never look the same.
    fn add_bytes(&mut self, bytes: &[u8]) {
        self.hasher.update((bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    /// Adds which file it is and when it was last touched, which no program can set.
    #[cfg(unix)]
    fn add_system_facts(&mut self, metadata: &Metadata) {
        use std::os::unix::fs::MetadataExt as _;
        let numbers = [metadata.ino(), metadata.dev(), u64::from(metadata.mode())];
        for number in numbers {
            self.hasher.update(number.to_le_bytes());
        }
        for number in [metadata.ctime(), metadata.ctime_nsec()] {
            self.hasher.update(number.to_le_bytes());
        }
    }

    #[cfg(not(unix))]
    fn add_system_facts(&mut self, metadata: &Metadata) {
        self.hasher.update([u8::from(metadata.is_file())]);
    }

    fn finish(self) -> Fingerprint {
        Fingerprint {
            taken_at: self.taken_at,
            digest: self.hasher.finalize().into(),
        }
    }
}

/// Returns the digest of the text in a file; that of no text if it cannot be read.
fn text_in(path: &Path) -> TextDigest {
    let read = read(path);
    digest_of(read.as_ref().map_or("", |source| source.text.as_str()))
}

/// Returns when a file was last changed in any way.
#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt as _;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

#[cfg(not(unix))]
fn changed_at(_: &Metadata) -> Option<SystemTime> {
    None
}

/// Returns a number that differs for different times.
fn nanoseconds(time: Option<SystemTime>) -> i128 {
    let Some(time) = time else {
        return i128::MIN;
    };
    let signed = |duration: Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => signed(after),
        Err(before) => -signed(before.duration()),
    }
}
