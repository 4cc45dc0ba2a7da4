//! Changes to code since an earlier number.

use std::collections::BTreeSet;

use capstan_core::code::Fqdn;
use capstan_core::port::{Changed, CodeFilter, CodeSummary, Viewer};
use rusqlite::{Connection, named_params};

use super::list::{summaries, visibility_condition};
use super::rows;
use crate::changes::{self, ChangeKind};
use crate::fault::StoreResult;
use crate::integer::to_sql_integer;

pub(crate) fn changed(
    connection: &Connection,
    viewer: &Viewer,
    since: u64,
) -> StoreResult<Changed<CodeSummary, Fqdn>> {
    let now = changes::latest_number(connection)?;
    if changes::needs_full_list(since, now) {
        return Ok(Changed {
            now,
            there: summaries(connection, viewer, &CodeFilter::default())?,
            gone: Vec::new(),
        });
    }
    let condition = format!(
        "WHERE r.id IN (SELECT subject FROM change WHERE number > :since AND what = 'code') \
         AND {} ORDER BY r.id",
        visibility_condition("r")
    );
    let there = rows::summaries(
        connection,
        &condition,
        named_params! {
            ":since": to_sql_integer(since),
            ":org": viewer.scope.org,
            ":project": viewer.scope.project,
            ":user": viewer.user,
        },
    )?;
    let visible_names: BTreeSet<&str> = there.iter().map(|it| it.record.fqdn.as_str()).collect();
    let changed = changes::changes_since(connection, viewer, ChangeKind::Code, since)?;
    let gone = changed
        .iter()
        .map(|(subject, _)| subject.as_str())
        .filter(|subject| !visible_names.contains(subject))
        .map(rows::fqdn)
        .collect::<StoreResult<_>>()?;
    Ok(Changed { now, there, gone })
}
