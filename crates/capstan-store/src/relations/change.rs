//! What became of relations since an earlier moment.

use std::collections::BTreeSet;

use capstan_core::code::Edge;
use capstan_core::port::{Changed, Viewer};
use rusqlite::{Connection, ToSql};

use super::{all, list};
use crate::change::{self, Sort};
use crate::fault::Outcome;
use crate::number::number;

pub(crate) fn changed(
    connection: &Connection,
    viewer: &Viewer,
    since: u64,
) -> Outcome<Changed<Edge, (String, String)>> {
    let now = change::now(connection)?;
    if change::is_everything(since, now) {
        return Ok(Changed {
            now,
            there: all::all(connection, viewer, None)?,
            gone: Vec::new(),
        });
    }
    let which = format!(
        "(e.from_id, e.to_id) IN \
           (SELECT subject, object FROM change WHERE number > :since AND what = 'edge') \
         AND {} ORDER BY e.from_id, e.to_id",
        list::seen()
    );
    let filled: [(&str, &dyn ToSql); 1] = [(":since", &number(since))];
    let there = list::visible(connection, viewer, &which, &filled)?;
    let still: BTreeSet<(&str, &str)> = there
        .iter()
        .map(|edge| (edge.from.as_str(), edge.to.as_str()))
        .collect();
    let mut gone = change::since(connection, viewer, Sort::Edge, since)?;
    gone.retain(|(from, to)| !still.contains(&(from.as_str(), to.as_str())));
    Ok(Changed { now, there, gone })
}
