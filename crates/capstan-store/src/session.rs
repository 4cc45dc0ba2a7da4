//! An open connection: how it is set up, and how long it may be used.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::fault::Outcome;
use crate::migrations::migrate;
use crate::place::{Place, Stamp, make};

pub(crate) struct Session {
    pub(crate) connection: Connection,
    stamp: Option<Stamp>,
}

/// How long another process may keep the file to itself.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long SQLite waits by itself, for what it waits for.
const OWN_PATIENCE: Duration = Duration::from_secs(5);

/// Of pages, for each connection; what is not used is not taken.
const CACHE_KIB: i64 = 8 << 10;

/// How long the log beside the file may become before it is worked into it: with names that begin
/// with hashes each write touches many pages, and the same ones again soon.
const LOG_PAGES: i64 = 4000;

/// More than there are different statements.
const STATEMENTS: usize = 96;

/// Held while a file is made and opened. Closing any handle of a file gives up all locks that the
/// process has on it, so nobody may open it while it is being made.
static OPENING: Mutex<()> = Mutex::new(());

impl Session {
    /// Can write; makes the file if it is not there.
    pub(crate) fn open(place: &Place) -> Outcome<Self> {
        let (mut connection, stamp) = match place {
            Place::Memory => (Connection::open_in_memory()?, None),
            Place::File(file) => {
                let _opening = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
                make(file)?;
                // Before: if the file is replaced meanwhile, that is noticed later.
                let stamp = place.stamp();
                (connect(file)?, stamp)
            }
        };
        patiently(|| set_up(&mut connection))?;
        Ok(Self { connection, stamp })
    }

    /// Only reads; nothing if there is no file yet.
    pub(crate) fn open_to_read(place: &Place) -> Outcome<Option<Self>> {
        if !place.exists()? {
            return Ok(None);
        }
        let session = Self::open(place)?;
        session.connection.pragma_update(None, "query_only", true)?;
        Ok(Some(session))
    }

    /// Whether the path still leads to the file that was opened.
    pub(crate) fn is_current(&self, place: &Place) -> bool {
        self.stamp == place.stamp()
    }
}

/// Tries again while somebody else has the file: SQLite does not always wait.
pub(crate) fn patiently<T>(mut what: impl FnMut() -> Outcome<T>) -> Outcome<T> {
    let start = Instant::now();
    loop {
        match what() {
            Err(fault) if fault.is_busy() && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            outcome => return outcome,
        }
    }
}

fn connect(file: &Path) -> Outcome<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(file, flags)?)
}

fn set_up(connection: &mut Connection) -> Outcome<()> {
    connection.busy_timeout(OWN_PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    // What could be undone of a job is noted in memory.
    connection.pragma_update(None, "temp_store", "memory")?;
    // Else many statements are planned anew for each value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // First, because it refuses files that are not to be touched.
    migrate(connection)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    // A commit is on the disk when it is answered: it survives a loss of power too.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(())
}
