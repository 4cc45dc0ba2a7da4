//! The cache of packed folders of cards: one file for each folder, in the user's own cache folder. It can be deleted at
//! any time.

use std::fs::{File, Metadata};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use capstan_catalog::{CardFolder, FolderOwner, open_folder};
use capstan_core::port::Clock as _;
use sha2::{Digest as _, Sha256};

use super::SystemClock;
use crate::environment::Environment;

/// The largest cache that is read, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Opens folders of cards, from their caches if nothing has changed.
pub(crate) struct CardCache {
    /// `None` if the platform has no folder for caches.
    folder: Option<PathBuf>,
    /// Differs for programs that may read cards in another way.
    program: String,
}

impl CardCache {
    pub(crate) fn new(environment: &Environment) -> Self {
        let folder = environment.cache_dir.as_ref();
        Self {
            folder: folder.map(|folder| folder.join("capstan/cards")),
            program: this_program(),
        }
    }

    /// Opens a folder. A cache that is missing, old or damaged is replaced.
    pub(crate) fn open(&self, folder: &Path, owner: &FolderOwner) -> CardFolder {
        let file = self.file_of(folder, owner);
        let cached = file.as_deref().and_then(read_own);
        // The time comes first: what changes from here on is seen as recent.
        let now = SystemClock.date();
        let opened = open_folder(folder, owner, cached.as_deref(), &self.program, now);
        if let (Some(file), Some(bytes)) = (file, opened.cache)
            && let Err(error) = replace(&file, &bytes)
        {
            tracing::debug!(%error, file = %file.display(), "the packed cards were not kept");
        }
        opened.folder
    }

    /// Returns the file for the cache of a folder.
    fn file_of(&self, folder: &Path, owner: &FolderOwner) -> Option<PathBuf> {
        let caches = self.folder.as_ref()?;
        // A folder that does not exist has nothing to keep.
        let place = std::fs::canonicalize(folder).ok()?;
        let mut hasher = Sha256::new();
        hasher.update(place.as_os_str().as_encoded_bytes());
        hasher.update(format!("\0{owner:?}"));
        let digest = hasher.finalize();
        let name: String = digest[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Some(caches.join(format!("{name}.pack")))
    }
}

/// Describes this program. Another build of the same version may read cards in another way.
fn this_program() -> String {
    let metadata = std::env::current_exe().and_then(std::fs::metadata);
    let build = metadata.ok().map(|metadata| {
        let modified = metadata.modified().ok();
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        (metadata.len(), since.unwrap_or_default())
    });
    format!("{} {build:?}", env!("CARGO_PKG_VERSION"))
}

/// Reads a cache that only this user can have written.
fn read_own(file: &Path) -> Option<Vec<u8>> {
    let opened = File::open(file).ok()?;
    let metadata = opened.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES || !is_own(&metadata) {
        return None;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).ok()?);
    opened.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Returns whether a file belongs to this user, and nobody else can write it.
#[cfg(unix)]
fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    /// The permission of the group and of others to write.
    const OTHERS_WRITE: u32 = 0o022;
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & OTHERS_WRITE == 0
}

/// On this platform, the folder of the user's caches belongs to the user.
#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    true
}

/// Replaces the file atomically. Only the owner may read it, because cards may be private.
fn replace(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    capstan_store::create_parent_folder(file)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(file).map_err(|failed| failed.error)?;
    Ok(())
}
