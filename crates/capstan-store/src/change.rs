//! The numbered list of what changed last.

use rusqlite::{Connection, params};

use crate::fault::Outcome;
use crate::number::count;

/// The number of the newest change. Asked for before what changed is read: what slips in between is
/// then told once more.
pub(crate) fn now(connection: &Connection) -> Outcome<u64> {
    let sql = "SELECT ifnull(max(number), 0) FROM change";
    let number = connection
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))?;
    Ok(count(number))
}

/// What of one sort changed after a number.
pub(crate) fn since(
    connection: &Connection,
    what: &str,
    number: i64,
) -> Outcome<Vec<(String, String)>> {
    let sql = "SELECT subject, object FROM change WHERE what = ?1 AND number > ?2 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![what, number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
