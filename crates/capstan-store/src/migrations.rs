//! Which form the tables have, and how an older form becomes the present one.

use rusqlite::{Connection, TransactionBehavior};

use crate::fault::{Fault, Outcome};

/// In order; the number of a migration is its place, counted from 1. Those that were released are
/// never changed.
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

/// What says that a database is ours: "Caps".
const APPLICATION: i64 = 0x4361_7073;

/// Brings the tables into their present form. Of several who do it at once, one does it.
pub(crate) fn migrate(connection: &mut Connection) -> Outcome<()> {
    // One look at one state: somebody else may be at it.
    let look = connection.transaction()?;
    let is_present = missing(&look)?.is_empty();
    drop(look);
    if is_present {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Somebody else may have done it while the lock was waited for.
    for migration in missing(&transaction)? {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", known())?;
    transaction.commit()?;
    Ok(())
}

fn missing(connection: &Connection) -> Outcome<&'static [&'static str]> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let form = pragma("user_version")?;
    if pragma("application_id")? != APPLICATION && (form != 0 || has_tables(connection)?) {
        return Err(Fault::Foreign);
    }
    let done = usize::try_from(form)
        .ok()
        .filter(|done| *done <= MIGRATIONS.len());
    match done {
        Some(done) => Ok(&MIGRATIONS[done..]),
        None => Err(Fault::Future {
            form,
            known: known(),
        }),
    }
}

fn has_tables(connection: &Connection) -> Outcome<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

fn known() -> i64 {
    MIGRATIONS.len() as i64
}
