//! An open connection: how it is configured, and how long it may be used.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::fault::StoreResult;
use crate::location::{FileIdentity, Location, create_file};
use crate::migrations::migrate;

pub(crate) struct Session {
    pub(crate) connection: Connection,
    file_identity: Option<FileIdentity>,
}

/// How long an operation is retried while another process has the file locked.
const RETRY_TIMEOUT: Duration = Duration::from_secs(15);

/// How long SQLite itself waits for a lock, in the cases in which it waits.
const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The page cache of each connection. SQLite allocates only what it uses.
const CACHE_KIB: i64 = 8 << 10;

/// The size at which the write-ahead log is copied into the file. Names begin with hashes, so each
/// write touches many pages, and soon the same ones again: a large log saves copies.
const WAL_PAGES: i64 = 4000;

/// More than the number of different statements.
const CACHED_STATEMENTS: usize = 96;

/// Held while a file is created and opened. Closing any handle of a file releases all locks that
/// the process has on it, so nothing may open the file while it is being created.
static OPENING: Mutex<()> = Mutex::new(());

impl Session {
    /// Opens the database for writing; creates the file if it is missing.
    pub(crate) fn open(location: &Location) -> StoreResult<Self> {
        let (mut connection, file_identity) = match location {
            Location::Memory => (Connection::open_in_memory()?, None),
            Location::File(file) => {
                let _opening = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
                create_file(file)?;
                // Taken before the file is opened: a replacement in between is noticed later.
                let file_identity = location.file_identity();
                (connect(file)?, file_identity)
            }
        };
        retry_while_busy(|| configure(&mut connection))?;
        Ok(Self {
            connection,
            file_identity,
        })
    }

    /// Opens the database for reading; `None` if there is no file yet.
    pub(crate) fn open_read_only(location: &Location) -> StoreResult<Option<Self>> {
        if !location.exists()? {
            return Ok(None);
        }
        let session = Self::open(location)?;
        session.connection.pragma_update(None, "query_only", true)?;
        Ok(Some(session))
    }

    /// Returns whether the path still leads to the file that was opened.
    pub(crate) fn is_current(&self, location: &Location) -> bool {
        self.file_identity == location.file_identity()
    }
}

/// Retries while another process has the file locked: SQLite does not always wait by itself.
pub(crate) fn retry_while_busy<T>(mut operation: impl FnMut() -> StoreResult<T>) -> StoreResult<T> {
    let start = Instant::now();
    loop {
        match operation() {
            Err(fault) if fault.is_busy() && start.elapsed() < RETRY_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(5));
            }
            outcome => return outcome,
        }
    }
}

fn connect(file: &Path) -> StoreResult<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(file, flags)?)
}

fn configure(connection: &mut Connection) -> StoreResult<()> {
    connection.busy_timeout(SQLITE_BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    // The rollback data of savepoints stays in memory.
    connection.pragma_update(None, "temp_store", "memory")?;
    // Without this, SQLite plans many statements anew for each value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // First, because it refuses files that must not be touched.
    migrate(connection)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "wal_autocheckpoint", WAL_PAGES)?;
    // An answered commit is on the disk and survives a loss of power.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(())
}
