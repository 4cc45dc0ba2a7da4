//! How much is read, and how much is shown.

/// The most bytes that are inflated from one entry of an archive.
pub(crate) const MAX_ENTRY_BYTES: u64 = 256 << 20;

/// The most bytes that are inflated from an archive for one call.
pub(crate) const MAX_INFLATED_BYTES: u64 = 512 << 20;

/// How many times larger than its compressed form an entry may be. Logs and source code stay below 50; the format
/// allows 1,032.
pub(crate) const MAX_RATIO: u64 = 300;

/// Up to this size the ratio does not matter.
pub(crate) const ANY_RATIO_BYTES: u64 = 4 << 20;

/// The most bytes that are read to list an archive. They are enough for 100,000 entries.
pub(crate) const MAX_DIRECTORY_BYTES: u64 = 16 << 20;

/// The most names that are listed.
pub(crate) const MAX_LISTED: usize = 100;

/// What is kept of a line, in bytes.
pub(crate) const MAX_LINE_BYTES: u64 = 64 << 10;

/// The beginning of a text that is shown if the caller asks for no part, in bytes.
pub(crate) const HEAD_BYTES: usize = 4_000;

/// The most that is shown of `lines` and `tail`, in bytes.
pub(crate) const PART_BYTES: usize = 32_000;

/// The most that is shown of what `find` found, in bytes.
pub(crate) const FIND_BYTES: usize = 8_000;

/// The lines around a line with the text to find.
pub(crate) const FIND_CONTEXT: u64 = 2;

/// The most characters of a line, where a line is one of many.
pub(crate) const LINE_CHARS: usize = 300;

/// The digest of a log, in bytes.
pub(crate) const LOG_BYTES: usize = 3_500;

/// The least of it that each failed step gets.
pub(crate) const STEP_BYTES: usize = 700;

/// The digest of a diff, in bytes. A diff that is not larger is shown as it is.
pub(crate) const DIFF_BYTES: usize = 6_000;

/// The most that is shown of the files of a diff that were asked for, in bytes.
pub(crate) const DIFF_PART_BYTES: usize = 32_000;

/// The most files of a diff that are listed.
pub(crate) const MAX_DIFF_FILES: usize = 100;
