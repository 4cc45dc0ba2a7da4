//! Reads zip archives from others: nothing in them is believed, and everything has a limit.

use std::borrow::Cow;
use std::io::{Cursor, Read as _};

use bytes::Bytes;
use capstan_core::similar;
use zip::ZipArchive;

/// The most names that are listed.
const MAX_LISTED: usize = 1_000;

/// The largest file that is read from an archive, in bytes after decompression.
const MAX_ENTRY_BYTES: u64 = 10 << 20;

/// A file in an archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The size that the archive declares, in bytes.
    pub(crate) size: u64,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error("the answer is not a zip archive, so it has no entries: leave `entry` out")]
    NoArchive,
    #[error("the archive is damaged")]
    Damaged,
    #[error("the archive has no entry `{name}`{}", suggestion(.near))]
    NotThere { name: String, near: Vec<String> },
    #[error("the entry `{name}` is larger than {} MB", MAX_ENTRY_BYTES >> 20)]
    TooLarge { name: String },
}

/// Returns whether the bytes begin like a zip archive, which may be empty.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Returns the files in an archive in its order, at most [`MAX_LISTED`].
pub(crate) fn entries(bytes: &[u8]) -> Result<Vec<Entry>, ArchiveError> {
    let mut archive = open(bytes)?;
    let mut entries = Vec::new();
    for index in 0..archive.len().min(MAX_LISTED) {
        let file = archive
            .by_index_raw(index)
            .map_err(|_| ArchiveError::Damaged)?;
        if !file.is_dir() {
            entries.push(Entry {
                name: file.name().map_err(|_| ArchiveError::Damaged)?.into_owned(),
                size: file.size(),
            });
        }
    }
    Ok(entries)
}

/// Returns the content of a file in an archive.
pub(crate) fn read_entry(bytes: &[u8], name: &str) -> Result<Bytes, ArchiveError> {
    let mut archive = open(bytes)?;
    let Some(index) = archive.index_for_name(name) else {
        let names = archive.file_names().flatten().map(Cow::into_owned);
        let near = similar::suggestions(name, names);
        let name = name.chars().take(200).collect();
        return Err(ArchiveError::NotThere { name, near });
    };
    let file = archive.by_index(index).map_err(|_| ArchiveError::Damaged)?;
    // The declared size may be wrong, so at most one byte more than allowed is inflated.
    let mut content = Vec::new();
    file.take(MAX_ENTRY_BYTES + 1)
        .read_to_end(&mut content)
        .map_err(|_| ArchiveError::Damaged)?;
    if content.len() as u64 > MAX_ENTRY_BYTES {
        let name = name.to_owned();
        return Err(ArchiveError::TooLarge { name });
    }
    Ok(content.into())
}

fn open(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, ArchiveError> {
    if !is_archive(bytes) {
        return Err(ArchiveError::NoArchive);
    }
    ZipArchive::new(Cursor::new(bytes)).map_err(|_| ArchiveError::Damaged)
}

fn suggestion(near: &[String]) -> String {
    match near {
        [] => "; without `entry` the names are listed".to_owned(),
        near => format!("; did you mean {}?", near.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn files_are_listed_and_read() {
        let bytes = archive(&[("build/1_Set up.txt", b"one"), ("build/2_Run.txt", b"two")]);
        let names: Vec<_> = entries(&bytes)
            .unwrap()
            .into_iter()
            .map(|it| (it.name, it.size))
            .collect();
        let expected = [
            ("build/1_Set up.txt".to_owned(), 3),
            ("build/2_Run.txt".to_owned(), 3),
        ];
        assert_eq!(names, expected);
        assert_eq!(read_entry(&bytes, "build/2_Run.txt").unwrap(), "two");
        assert!(entries(&archive(&[])).unwrap().is_empty());
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_one() {
        let bytes = archive(&[("build/2_Run.txt", b"two")]);
        let error = read_entry(&bytes, "build/2_run.txt").unwrap_err();
        assert!(
            error.to_string().ends_with("did you mean build/2_Run.txt?"),
            "{error}"
        );
        let error = read_entry(&bytes, "../../etc/passwd").unwrap_err();
        assert!(matches!(error, ArchiveError::NotThere { .. }), "{error}");
    }

    #[test]
    fn a_bomb_is_not_inflated() {
        let zeros = vec![0; 64 << 20];
        let bytes = archive(&[("zeros", &zeros)]);
        assert!(bytes.len() < 1 << 20);
        let error = read_entry(&bytes, "zeros").unwrap_err();
        assert!(matches!(error, ArchiveError::TooLarge { .. }), "{error}");
    }

    /// Every byte is changed, and the archive is cut at every length.
    #[test]
    fn damage_is_never_a_panic() {
        let bytes = archive(&[("a", b"some text, some text"), ("b/c", b"")]);
        let try_all = |bytes: &[u8]| {
            let _ = entries(bytes);
            let _ = read_entry(bytes, "a");
        };
        for at in 0..bytes.len() {
            for value in [0, 0xff, bytes[at].wrapping_add(1)] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                try_all(&bytes);
            }
            try_all(&bytes[..at]);
        }
    }
}
