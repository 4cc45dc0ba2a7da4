//! Makes archives, and describes files.

use std::io::{Cursor, Write as _};

use capstan_core::{FilePart, FileSelection, LineRange};
use capstan_digest::{DigestError, FileDigest, FileKind, describe};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) fn archive<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer
            .start_file(name.as_ref(), SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_ref()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(crate) fn read(
    bytes: &[u8],
    selection: &FileSelection,
    kind: FileKind,
) -> Result<FileDigest, DigestError> {
    describe(Cursor::new(bytes), bytes.len() as u64, selection, kind)
}

/// Reads a selection as callers write it: `entry=a lines=1-2`.
pub(crate) fn select(text: &str) -> FileSelection {
    let mut selection = FileSelection::default();
    for (name, value) in text.split(", ").filter_map(|part| part.split_once('=')) {
        match name {
            "entry" => selection.entry = Some(value.to_owned()),
            "lines" => selection.part = Some(FilePart::Lines(LineRange::parse(value).unwrap())),
            "tail" => selection.part = Some(FilePart::Tail(value.parse().unwrap())),
            "find" => selection.part = Some(FilePart::Find(value.to_owned())),
            other => panic!("{other}"),
        }
    }
    selection
}

/// Writes a digest as a reader sees it.
pub(crate) fn shown(digest: FileDigest) -> String {
    let mut fields = digest.into_fields();
    let text = fields.remove("text");
    let mut lines: Vec<String> = fields
        .into_iter()
        .map(|(name, value)| match value {
            serde_json::Value::String(text) => format!("{name}: {text}"),
            other => format!("{name}: {other}"),
        })
        .collect();
    lines.extend(text.and_then(|text| Some(format!("\n{}", text.as_str()?))));
    lines.join("\n")
}
