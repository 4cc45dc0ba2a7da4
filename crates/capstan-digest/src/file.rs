//! Describes a file: a text, a log, an archive, or anything else.

use std::io::{self, BufRead, BufReader, Read, Seek};

use capstan_core::{FilePart, FileSelection};

use crate::archive::{self, Archive, ArchiveFile};
use crate::digest::FileDigest;
use crate::error::{DigestError, shortened};
use crate::limits::{FIND_BYTES, MAX_LISTED};
use crate::line::is_binary;
use crate::log::{digest_archive, digest_log, is_job};
use crate::part::{LineStyle, Part, needle, read_part};

/// How many bytes tell what a file is.
const BEGINNING: usize = 8_192;

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Plain,
    /// The log of jobs: errors first.
    Log,
}

impl FileKind {
    fn style(self) -> LineStyle {
        match self {
            Self::Plain => LineStyle::AsIs,
            Self::Log => LineStyle::Log,
        }
    }
}

/// Describes a file, or the part of it that is selected. Memory use does not depend on its size.
pub fn describe<R: Read + Seek>(
    mut source: R,
    size: u64,
    selection: &FileSelection,
    kind: FileKind,
) -> Result<FileDigest, DigestError> {
    let beginning = beginning(&mut source)?;
    let mut digest = if archive::is_archive(&beginning) {
        describe_archive(Archive::open(source)?, selection, kind)?
    } else if selection.entry.is_some() {
        return Err(DigestError::NoArchive);
    } else if is_binary(&beginning) {
        refuse_part(selection, "the file", size)?;
        FileDigest::default()
    } else {
        describe_text(BufReader::new(source), selection.part.as_ref(), kind)
            .map_err(DigestError::Read)?
    };
    if digest.size == 0 {
        digest.size = size;
    }
    Ok(digest)
}

fn beginning<R: Read + Seek>(source: &mut R) -> Result<Vec<u8>, DigestError> {
    let mut beginning = Vec::new();
    source
        .by_ref()
        .take(BEGINNING as u64)
        .read_to_end(&mut beginning)
        .and_then(|_| source.rewind())
        .map_err(DigestError::Read)?;
    Ok(beginning)
}

fn describe_text(
    source: impl BufRead + Seek,
    part: Option<&FilePart>,
    kind: FileKind,
) -> io::Result<FileDigest> {
    match (kind, part) {
        (FileKind::Log, None) => digest_log(source),
        _ => Ok(of_part(read_part(source, part, kind.style())?)),
    }
}

fn of_part(part: Part) -> FileDigest {
    FileDigest {
        size: part.size,
        lines: Some(part.lines),
        shown: part.shown,
        matches: part.matches,
        more: part.more,
        text: Some(part.text),
        ..FileDigest::default()
    }
}

fn describe_archive<R: Read + Seek>(
    mut archive: Archive<R>,
    selection: &FileSelection,
    kind: FileKind,
) -> Result<FileDigest, DigestError> {
    let found = match &selection.entry {
        None => archive.files.clone(),
        // A job is what people call its log.
        Some(job) if kind == FileKind::Log && is_job(&archive.files, job) => {
            if selection.part.is_none() {
                return digest_archive(&mut archive, Some(job));
            }
            archive.find(&format!("*_{job}.txt"))?
        }
        Some(entry) => archive.find(entry)?,
    };
    let is_pattern = selection.entry.is_some();
    match (&selection.part, found.as_slice()) {
        (None, [file]) if is_pattern => describe_entry(&mut archive, file, None, kind),
        (None, _) if kind == FileKind::Log && !is_pattern => digest_archive(&mut archive, None),
        (None, files) => Ok(listed(files)),
        (Some(part), [file]) => describe_entry(&mut archive, file, Some(part), kind),
        (Some(FilePart::Find(text)), files) => find_in_all(&mut archive, files, text, kind),
        (Some(part), files) => Err(DigestError::EntryNeeded {
            input: input_of(part),
            count: files.len(),
            names: names_of(files),
        }),
    }
}

fn describe_entry<R: Read + Seek>(
    archive: &mut Archive<R>,
    file: &ArchiveFile,
    part: Option<&FilePart>,
    kind: FileKind,
) -> Result<FileDigest, DigestError> {
    let in_entry = |error: io::Error| DigestError::in_entry(&file.name, &error);
    let mut source = archive.read(file)?;
    let is_binary = is_binary(source.fill_buf().map_err(in_entry)?);
    if is_binary {
        drop(source);
        let selection = FileSelection {
            entry: None,
            part: part.cloned(),
        };
        refuse_part(
            &selection,
            &format!("`{}`", shortened(&file.name)),
            file.size,
        )?;
        return Ok(FileDigest {
            entry: Some(file.name.clone()),
            size: file.size,
            ..FileDigest::default()
        });
    }
    let digest = match (kind, part) {
        (FileKind::Log, None) => {
            drop(source);
            crate::log::digest_entry(archive, file)?
        }
        _ => of_part(read_part(source, part, kind.style()).map_err(in_entry)?),
    };
    Ok(FileDigest {
        entry: Some(file.name.clone()),
        ..digest
    })
}

fn find_in_all<R: Read + Seek>(
    archive: &mut Archive<R>,
    files: &[ArchiveFile],
    text: &str,
    kind: FileKind,
) -> Result<FileDigest, DigestError> {
    let part = FilePart::Find(text.to_owned());
    // A job's log holds the logs of its steps.
    let steps = |file: &&ArchiveFile| kind == FileKind::Plain || !file.name.contains('/');
    let mut chosen: Vec<_> = files.iter().filter(steps).collect();
    if chosen.is_empty() {
        chosen = files.iter().collect();
    }
    let mut digest = FileDigest {
        size: files.iter().map(|file| file.size).sum(),
        matches: Some(0),
        ..FileDigest::default()
    };
    let mut found = String::new();
    let mut left_out = Vec::new();
    for file in chosen {
        let mut source = archive.read(file)?;
        let in_entry = |error: io::Error| DigestError::in_entry(&file.name, &error);
        if is_binary(source.fill_buf().map_err(in_entry)?) {
            continue;
        }
        if found.len() > FIND_BYTES {
            if has_text(source, text).map_err(in_entry)? {
                left_out.push(shortened(&file.name));
            }
            continue;
        }
        let part = read_part(source, Some(&part), kind.style()).map_err(in_entry)?;
        let matches = part.matches.unwrap_or_default();
        if matches > 0 {
            found.push_str(&format!("{} ({matches})\n{}", file.name, part.text));
            if let Some(more) = part.more {
                found.push_str(&format!("({more})\n"));
            }
            digest.matches = digest.matches.map(|all| all + matches);
        }
    }
    digest.text = Some(found);
    digest.more = (!left_out.is_empty()).then(|| {
        let count = left_out.len();
        left_out.truncate(10);
        format!("{count} more files have it: {}", left_out.join(", "))
    });
    Ok(digest)
}

fn has_text(source: impl BufRead, text: &str) -> io::Result<bool> {
    let needle = needle(text).map_err(io::Error::other)?;
    let first = needle.stream_find_iter(source).next();
    Ok(first.transpose()?.is_some())
}

fn listed(files: &[ArchiveFile]) -> FileDigest {
    let entries = files.iter().take(MAX_LISTED).map(ArchiveFile::entry);
    let more = (files.len() > MAX_LISTED).then(|| {
        format!(
            "{MAX_LISTED} of {} entries: a pattern in `entry`, such as `*.log`, lists others",
            files.len()
        )
    });
    FileDigest {
        entries: Some(entries.collect()),
        more,
        ..FileDigest::default()
    }
}

fn refuse_part(selection: &FileSelection, what: &str, size: u64) -> Result<(), DigestError> {
    match &selection.part {
        Some(part) => Err(DigestError::NoText {
            input: input_of(part),
            what: what.to_owned(),
            size,
        }),
        None => Ok(()),
    }
}

fn input_of(part: &FilePart) -> &'static str {
    match part {
        FilePart::Lines(_) => "lines",
        FilePart::Tail(_) => "tail",
        FilePart::Find(_) => "find",
    }
}

/// Returns some names, for messages.
fn names_of(files: &[ArchiveFile]) -> Vec<String> {
    let names = files
        .iter()
        .map(|file| format!("`{}`", shortened(&file.name)));
    names.take(5).collect()
}
