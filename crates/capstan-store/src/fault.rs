//! Internal errors, and the messages that callers see: every message names the file and what to do.

use std::path::{Path, PathBuf};

use capstan_core::port::StoreError;
use rusqlite::ErrorCode;

/// An error that does not know yet which file it concerns.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An error that is already meant for the caller.
    Reported(StoreError),
    Sql(rusqlite::Error),
    /// Stored data that makes no sense, with a description.
    Damaged(String),
    /// The file or its folder could not be created or read.
    File(PathBuf, std::io::Error),
    /// The database was written by a newer version.
    NewerVersion {
        version: i64,
        known: i64,
    },
    /// Another process has the file locked.
    Busy,
    /// A database of another program.
    ForeignDatabase,
    /// The whole transaction was rolled back, because something else in it failed.
    RolledBack,
}

pub(crate) type StoreResult<T> = Result<T, Fault>;

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Fault::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Fault::Reported(error)
    }
}

impl Fault {
    pub(crate) fn not_found(what: &str) -> Self {
        Fault::Reported(StoreError::NotFound(what.to_owned()))
    }

    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Fault::Reported(StoreError::Refused(why.into()))
    }

    /// Returns whether another process has the file locked at the moment.
    pub(crate) fn is_busy(&self) -> bool {
        let locked = [ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked];
        matches!(self, Fault::Busy) || self.code().is_some_and(|code| locked.contains(&code))
    }

    fn code(&self) -> Option<ErrorCode> {
        match self {
            Fault::Sql(error) => error.sqlite_error_code(),
            _ => None,
        }
    }

    /// Converts the fault into the error that the caller sees.
    pub(crate) fn into_store_error(self, file: &Path) -> StoreError {
        let file = file.display();
        let busy = self.is_busy();
        let code = self.code();
        let message = match self {
            Fault::Reported(error) => return error,
            _ if busy => {
                format!("another process keeps `{file}` locked; end it, or try again later")
            }
            Fault::NewerVersion { version, known } => format!(
                "`{file}` was written by a newer version (its format is {version}, this version \
                 knows {known}); update capstan, or name another file"
            ),
            Fault::ForeignDatabase => {
                format!("`{file}` is a database of another program; name another file")
            }
            Fault::RolledBack | Fault::Busy => format!("`{file}`: nothing was written; try again"),
            Fault::Damaged(what) => damaged(&file, &what),
            Fault::File(path, error) => format!(
                "`{}`: {error}; check the folder and its permissions, or name another file",
                path.display()
            ),
            Fault::Sql(error) => match code {
                Some(ErrorCode::NotADatabase) => format!(
                    "`{file}` is not a database; move it away to start a new one, or name another file"
                ),
                Some(ErrorCode::DatabaseCorrupt) => damaged(&file, &error.to_string()),
                Some(ErrorCode::DiskFull) => {
                    format!("there is no space left for `{file}`; make some, and try again")
                }
                Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                    format!(
                        "`{file}` cannot be opened for writing ({error}); check it, its folder and their permissions"
                    )
                }
                _ => format!(
                    "`{file}`: {error}; try again, and if it fails again, name another file"
                ),
            },
        };
        StoreError::Broken(message)
    }
}

fn damaged(file: &std::path::Display<'_>, what: &str) -> String {
    format!(
        "`{file}` is damaged ({what}); restore it from a copy, or move it away with the files \
         `-wal` and `-shm` beside it to start a new one"
    )
}
