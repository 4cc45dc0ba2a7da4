//! The version of the tables, and how older versions are migrated to the present one.

use rusqlite::{Connection, TransactionBehavior};

use crate::fault::{Fault, StoreResult};

/// All migrations in order. The number of a migration is its position, counted from 1. Released
/// migrations are never changed.
const MIGRATIONS: [&str; 9] = [
    include_str!("../migrations/0001_capabilities.sql"),
    include_str!("../migrations/0002_relations.sql"),
    include_str!("../migrations/0003_traces.sql"),
    include_str!("../migrations/0004_known_tools.sql"),
    include_str!("../migrations/0005_runs.sql"),
    include_str!("../migrations/0006_graph.sql"),
    include_str!("../migrations/0007_turns.sql"),
    include_str!("../migrations/0008_failed_calls.sql"),
    include_str!("../migrations/0009_open_traces.sql"),
];

/// SQLite's `application_id` of our databases: "Caps".
const APPLICATION_ID: i64 = 0x4361_7073;

/// Migrates the tables to the present version. If several processes try at once, one of them does
/// it.
pub(crate) fn migrate(connection: &mut Connection) -> StoreResult<()> {
    // A transaction, so that both pragmas are read from one state while others may be migrating.
    let snapshot = connection.transaction()?;
    let is_current = pending_migrations(&snapshot)?.is_empty();
    drop(snapshot);
    if is_current {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    for migration in pending_migrations(&transaction)? {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", latest_version())?;
    transaction.commit()?;
    Ok(())
}

fn pending_migrations(connection: &Connection) -> StoreResult<&'static [&'static str]> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let version = pragma("user_version")?;
    if pragma("application_id")? != APPLICATION_ID && (version != 0 || has_tables(connection)?) {
        return Err(Fault::ForeignDatabase);
    }
    let done = usize::try_from(version)
        .ok()
        .filter(|done| *done <= MIGRATIONS.len());
    match done {
        Some(done) => Ok(&MIGRATIONS[done..]),
        None => Err(Fault::NewerVersion {
            version,
            known: latest_version(),
        }),
    }
}

fn has_tables(connection: &Connection) -> StoreResult<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

fn latest_version() -> i64 {
    MIGRATIONS.len() as i64
}
