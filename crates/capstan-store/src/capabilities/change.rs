//! What became of code since an earlier moment.

use std::collections::BTreeSet;

use capstan_core::code::Fqdn;
use capstan_core::port::{Changed, CodeSummary, Filter, Viewer};
use rusqlite::{Connection, named_params};

use super::list::{summaries, visible_as};
use super::rows;
use crate::change::{self, Sort};
use crate::fault::Outcome;
use crate::number::number;

pub(crate) fn changed(
    connection: &Connection,
    viewer: &Viewer,
    since: u64,
) -> Outcome<Changed<CodeSummary, Fqdn>> {
    let now = change::now(connection)?;
    if change::is_everything(since, now) {
        return Ok(Changed {
            now,
            there: summaries(connection, viewer, &Filter::default())?,
            gone: Vec::new(),
        });
    }
    let which = format!(
        "WHERE r.id IN (SELECT subject FROM change WHERE number > :since AND what = 'code') \
         AND {} ORDER BY r.id",
        visible_as("r")
    );
    let there = rows::summaries(
        connection,
        &which,
        named_params! {
            ":since": number(since),
            ":org": viewer.scope.org,
            ":project": viewer.scope.project,
            ":user": viewer.user,
        },
    )?;
    let still: BTreeSet<&str> = there.iter().map(|it| it.record.fqdn.as_str()).collect();
    let changed = change::since(connection, viewer, Sort::Code, since)?;
    let gone = changed.iter().map(|(subject, _)| subject.as_str());
    let gone = gone
        .filter(|subject| !still.contains(subject))
        .map(rows::fqdn)
        .collect::<Outcome<_>>()?;
    Ok(Changed { now, there, gone })
}
