//! Reduces files to what a reader needs first: the errors of a log, the files of a diff, the names in an archive, the
//! beginning of a text. Says how large the whole is and how to read the rest.
//!
//! Files come from others: nothing in them is believed, and everything has a limit. This crate must not know where a
//! file comes from: it sees readers and selections.

mod archive;
mod diff;
mod digest;
mod error;
mod file;
mod limits;
mod line;
mod log;
mod part;

pub use archive::is_archive;
pub use diff::reduce_diff;
pub use digest::{Entry, FailedStep, FileDigest};
pub use error::DigestError;
pub use file::{FileKind, describe};
