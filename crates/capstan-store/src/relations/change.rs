//! What became of relations since an earlier moment.

use std::collections::BTreeSet;

use capstan_core::code::Edge;
use capstan_core::port::{Changed, Viewer};
use rusqlite::{Connection, ToSql};

use super::list;
use crate::change;
use crate::fault::Outcome;
use crate::number::number;

pub(crate) fn changed(
    connection: &Connection,
    viewer: &Viewer,
    since: u64,
) -> Outcome<Changed<Edge, (String, String)>> {
    let now = change::now(connection)?;
    if since == 0 {
        return Ok(Changed {
            now,
            there: list::all(connection, viewer, None)?,
            gone: Vec::new(),
        });
    }
    let which = format!(
        "(e.from_id, e.to_id) IN \
           (SELECT subject, object FROM change WHERE what = 'edge' AND number > :since) \
         AND {} ORDER BY e.from_id, e.to_id",
        list::SEEN
    );
    let since: i64 = number(since);
    let filled: [(&str, &dyn ToSql); 1] = [(":since", &since)];
    let there = list::visible(connection, viewer, &which, &filled)?;
    let still: BTreeSet<(&str, &str)> = there
        .iter()
        .map(|edge| (edge.from.as_str(), edge.to.as_str()))
        .collect();
    let changed = change::since(connection, "edge", since)?;
    let gone = changed
        .into_iter()
        .filter(|(from, to)| !still.contains(&(from.as_str(), to.as_str())))
        .collect();
    Ok(Changed { now, there, gone })
}
