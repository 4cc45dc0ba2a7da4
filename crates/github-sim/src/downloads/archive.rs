//! Zip files and tar balls in memory.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const MEGABYTE: usize = 1024 * 1024;

/// Entries of a zip bomb have at most this size.
const BOMB_ENTRY_MEGABYTES: u32 = 16;

/// A file in an archive: its path and its bytes.
pub(super) type ArchiveEntry = (String, Vec<u8>);

/// Returns a zip file; with `bomb_megabytes`, entries of zeros come last. `None` if an entry cannot be written.
pub(super) fn zip(entries: &[ArchiveEntry], bomb_megabytes: Option<u32>) -> Option<Vec<u8>> {
    write_zip(entries, bomb_megabytes).ok()
}

/// Returns a compressed tar ball.
pub(super) fn tar_gz(entries: &[ArchiveEntry]) -> Option<Vec<u8>> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(bytes.len()).ok()?);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, path, bytes.as_slice())
            .ok()?;
    }
    builder.into_inner().ok()?.finish().ok()
}

fn write_zip(entries: &[ArchiveEntry], bomb_megabytes: Option<u32>) -> ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        writer.start_file(path, options())?;
        writer.write_all(bytes)?;
    }
    let mut left = bomb_megabytes.unwrap_or(0);
    let mut number = 0;
    let mut zeros = ZipArchive::new(Cursor::new(zeros_zip(BOMB_ENTRY_MEGABYTES.min(left))?))?;
    while left > 0 {
        // Compressed once, copied often: compressing gigabytes takes long in a debug build.
        writer.raw_copy_file_rename(zeros.by_index_raw(0)?, format!("bomb/{number}.bin"))?;
        left = left.saturating_sub(BOMB_ENTRY_MEGABYTES);
        number += 1;
    }
    Ok(writer.finish()?.into_inner())
}

fn zeros_zip(megabytes: u32) -> ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("zeros", options())?;
    // The digit, so that clients take it for text.
    let block = vec![b'0'; MEGABYTE];
    for _ in 0..megabytes {
        writer.write_all(&block)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}
