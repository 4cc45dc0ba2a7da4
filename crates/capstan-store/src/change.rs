//! The numbered list of what changed last.

use capstan_core::port::Viewer;
use rusqlite::{Connection, named_params};

use crate::capabilities::visible_as;
use crate::fault::Outcome;
use crate::number::{count, number};

/// What there is a list of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sort {
    Code,
    Edge,
}

/// The number of the newest change.
pub(crate) fn now(connection: &Connection) -> Outcome<u64> {
    let sql = "SELECT ifnull(max(number), 0) FROM change";
    let number = connection
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))?;
    Ok(count(number))
}

/// Whether somebody has to be told everything. A number that is still to come was said by another
/// database, which stood in this place before.
pub(crate) fn is_everything(since: u64, now: u64) -> bool {
    since == 0 || since > now
}

/// What of one sort changed after a number: code by its name, relations by both ends. What the viewer
/// can never have seen is not told.
pub(crate) fn since(
    connection: &Connection,
    viewer: &Viewer,
    sort: Sort,
    since: u64,
) -> Outcome<Vec<(String, String)>> {
    let sql = format!(
        "SELECT c.subject, c.object FROM change c WHERE c.number > :since AND c.what = :what \
         AND {} AND {} ORDER BY c.number",
        was_seen("c.subject"),
        was_seen("c.object")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let params = named_params! {
        ":since": number(since),
        ":what": sort.as_str(),
        ":org": viewer.scope.org,
        ":project": viewer.scope.project,
        ":user": viewer.user,
    };
    let rows = statement.query_map(params, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// It was never code, or code that could be seen.
fn was_seen(end: &str) -> String {
    format!(
        "(NOT EXISTS (SELECT 1 FROM code_audience WHERE fqdn = {end}) \
          OR EXISTS (SELECT 1 FROM code_audience r WHERE r.fqdn = {end} AND {}))",
        visible_as("r")
    )
}

impl Sort {
    fn as_str(self) -> &'static str {
        match self {
            Sort::Code => "code",
            Sort::Edge => "edge",
        }
    }
}

/// What tells this store from every other.
pub(crate) fn identity(connection: &Connection) -> Outcome<String> {
    let sql = "SELECT id FROM identity";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}
