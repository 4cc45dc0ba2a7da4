//! Things that are asked for by the beginning of their id.

use capstan_core::port::Viewer;
use rusqlite::{Connection, Row};

use crate::fault::{Fault, Outcome};

/// The one of somebody's own whose id is this, or begins like this. `sql` selects by organisation,
/// project, owner, and ids from one up to another, in their order; `what` is said of several.
pub(crate) fn find<T>(
    connection: &Connection,
    sql: &str,
    (viewer, id): (&Viewer, &str),
    what: &str,
    read: impl Fn(&Row<'_>) -> Outcome<T>,
) -> Outcome<Option<T>> {
    if id.is_empty() {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let past = format!("{id}{}", char::MAX);
    let mut rows = statement.query([&scope.org, &scope.project, user, id, &past])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let is_whole = row.get::<_, String>("id")? == id;
    let found = read(row)?;
    // A whole id sorts before those that it is the beginning of.
    if !is_whole && rows.next()?.is_some() {
        return Err(Fault::refused(format!(
            "`{id}` is the beginning of several {what}: give more of the id"
        )));
    }
    Ok(Some(found))
}
