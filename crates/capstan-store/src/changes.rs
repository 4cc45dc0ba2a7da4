//! The numbered list of changes.

use capstan_core::port::Viewer;
use rusqlite::{Connection, named_params};

use crate::capabilities::visibility_condition;
use crate::fault::StoreResult;
use crate::integer::{from_sql_integer, to_sql_integer};

/// The kinds of things whose changes are listed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChangeKind {
    Code,
    Edge,
}

/// Returns the number of the newest change; 0 if there is none.
pub(crate) fn latest_number(connection: &Connection) -> StoreResult<u64> {
    let sql = "SELECT ifnull(max(number), 0) FROM change";
    let number = connection
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))?;
    Ok(from_sql_integer(number))
}

/// Returns whether a caller who knows the state `since` needs the full list. A number in the future
/// comes from another database, which was at this path before.
pub(crate) fn needs_full_list(since: u64, latest: u64) -> bool {
    since == 0 || since > latest
}

/// Returns what of one kind changed after a number: code by its name, relations by both ends.
/// Leaves out what the viewer can never have seen.
pub(crate) fn changes_since(
    connection: &Connection,
    viewer: &Viewer,
    kind: ChangeKind,
    since: u64,
) -> StoreResult<Vec<(String, String)>> {
    let sql = format!(
        "SELECT c.subject, c.object FROM change c WHERE c.number > :since AND c.what = :what \
         AND {} AND {} ORDER BY c.number",
        was_visible("c.subject"),
        was_visible("c.object")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let params = named_params! {
        ":since": to_sql_integer(since),
        ":what": kind.as_str(),
        ":org": viewer.scope.org,
        ":project": viewer.scope.project,
        ":user": viewer.user,
    };
    let rows = statement.query_map(params, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The condition that an end never was code, or was code that the viewer could see.
fn was_visible(end: &str) -> String {
    format!(
        "(NOT EXISTS (SELECT 1 FROM code_audience WHERE fqdn = {end}) \
          OR EXISTS (SELECT 1 FROM code_audience r WHERE r.fqdn = {end} AND {}))",
        visibility_condition("r")
    )
}

impl ChangeKind {
    fn as_str(self) -> &'static str {
        match self {
            ChangeKind::Code => "code",
            ChangeKind::Edge => "edge",
        }
    }
}

/// Returns the random identifier of this store.
pub(crate) fn store_identity(connection: &Connection) -> StoreResult<String> {
    let sql = "SELECT id FROM identity";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}
