//! Changes to relations since an earlier number.

use std::collections::BTreeSet;

use capstan_core::code::Edge;
use capstan_core::port::{Changed, Viewer};
use rusqlite::{Connection, ToSql};

use super::{all, list};
use crate::changes::{self, ChangeKind};
use crate::fault::StoreResult;
use crate::integer::to_sql_integer;

pub(crate) fn changed(
    connection: &Connection,
    viewer: &Viewer,
    since: u64,
) -> StoreResult<Changed<Edge, (String, String)>> {
    let now = changes::latest_number(connection)?;
    if changes::needs_full_list(since, now) {
        return Ok(Changed {
            now,
            there: all::all(connection, viewer, None)?,
            gone: Vec::new(),
        });
    }
    let condition = format!(
        "(e.from_id, e.to_id) IN \
           (SELECT subject, object FROM change WHERE number > :since AND what = 'edge') \
         AND {} ORDER BY e.from_id, e.to_id",
        list::both_ends_visible()
    );
    let params: [(&str, &dyn ToSql); 1] = [(":since", &to_sql_integer(since))];
    let there = list::read_visible(connection, viewer, &condition, &params)?;
    let visible_pairs: BTreeSet<(&str, &str)> = there
        .iter()
        .map(|edge| (edge.from.as_str(), edge.to.as_str()))
        .collect();
    let mut gone = changes::changes_since(connection, viewer, ChangeKind::Edge, since)?;
    gone.retain(|(from, to)| !visible_pairs.contains(&(from.as_str(), to.as_str())));
    Ok(Changed { now, there, gone })
}
