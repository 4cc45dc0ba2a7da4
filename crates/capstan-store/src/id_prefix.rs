//! Finding rows by a prefix of their id.

use capstan_core::port::Viewer;
use rusqlite::{Connection, Row};

use crate::fault::{Fault, StoreResult};

/// Finds the viewer's own row whose id is `id` or begins with it. `sql` selects by organisation,
/// project, owner and a range of ids, in the order of ids. `what` names the rows in the error about
/// several matches.
pub(crate) fn find_by_prefix<T>(
    connection: &Connection,
    sql: &str,
    (viewer, id): (&Viewer, &str),
    what: &str,
    read: impl Fn(&Row<'_>) -> StoreResult<T>,
) -> StoreResult<Option<T>> {
    if id.is_empty() {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let end = format!("{id}{}", char::MAX);
    let mut rows = statement.query([&scope.org, &scope.project, user, id, &end])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let is_whole = row.get::<_, String>("id")? == id;
    let found = read(row)?;
    // A whole id sorts before the ids that begin with it.
    if !is_whole && rows.next()?.is_some() {
        return Err(Fault::refused(format!(
            "`{id}` matches several {what}: give more of the id"
        )));
    }
    Ok(Some(found))
}
