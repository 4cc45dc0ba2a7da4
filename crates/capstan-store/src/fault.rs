//! What can go wrong inside, and in which words it leaves: every failure names the file and what to do.

use std::path::{Path, PathBuf};

use capstan_core::port::StoreError;
use rusqlite::ErrorCode;

/// A failure before it is known which file it concerns.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An answer that the caller can understand.
    Told(StoreError),
    Sql(rusqlite::Error),
    /// What was read makes no sense; in words.
    Damaged(String),
    /// The file, or the folder that it is in, could not be made or looked at.
    File(PathBuf, std::io::Error),
    /// Written by a later version, in a form with this number.
    Future {
        form: i64,
        known: i64,
    },
    /// Somebody else has the file.
    Busy,
    /// A database, but none of ours.
    Foreign,
    /// Something else that was written together with it failed so badly that all of it is gone.
    Undone,
}

pub(crate) type Outcome<T> = Result<T, Fault>;

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Fault::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Fault::Told(error)
    }
}

impl Fault {
    pub(crate) fn not_found(what: &str) -> Self {
        Fault::Told(StoreError::NotFound(what.to_owned()))
    }

    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Fault::Told(StoreError::Refused(why.into()))
    }

    /// Whether somebody else has the file at the moment.
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

    /// What the caller is told.
    pub(crate) fn about(self, file: &Path) -> StoreError {
        let file = file.display();
        let busy = self.is_busy();
        let code = self.code();
        let words = match self {
            Fault::Told(error) => return error,
            _ if busy => format!(
                "another process has had `{file}` locked for long; end it, or try again later"
            ),
            Fault::Future { form, known } => format!(
                "`{file}` was written by a newer version (its form is {form}, known here is {known}); \
                 update capstan, or name another file"
            ),
            Fault::Foreign => {
                format!("`{file}` is a database of another program; name another file")
            }
            Fault::Undone | Fault::Busy => format!("`{file}`: nothing was written; try again"),
            Fault::Damaged(what) => damaged(&file, &what),
            Fault::File(path, error) => format!(
                "`{}`: {error}; check the folder and its permissions, or name another file",
                path.display()
            ),
            Fault::Sql(error) => match code {
                Some(ErrorCode::NotADatabase) => format!(
                    "`{file}` is no database; move it away, and a new one is made, or name another file"
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
                _ => format!("`{file}`: {error}; try again, and if it stays so, name another file"),
            },
        };
        StoreError::Broken(words)
    }
}

fn damaged(file: &std::path::Display<'_>, what: &str) -> String {
    format!(
        "`{file}` is damaged ({what}); restore it from a copy, or move it away with the files \
         `-wal` and `-shm` beside it, and a new one is made"
    )
}
