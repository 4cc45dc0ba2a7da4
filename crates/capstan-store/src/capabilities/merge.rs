//! Two records become one.

use std::collections::BTreeSet;

use capstan_core::code::{Capability, EventKind, Fqdn, Timestamp};
use rusqlite::Connection;

use super::delete::delete;
use super::history::happened;
use super::record::changed;
use super::{rows, usage};
use crate::fault::{Fault, Outcome};
use crate::relations;

pub(crate) fn merge(
    connection: &Connection,
    from: &Fqdn,
    into: &Fqdn,
    at: Timestamp,
) -> Outcome<Capability> {
    let first = rows::capability(connection, from)?;
    let second = rows::capability(connection, into)?;
    check(&first, &second)?;

    let statistics = second.record.statistics.merged(first.record.statistics);
    usage::write(connection, into, &statistics)?;
    let sql = "UPDATE capability_names SET fqdn = ?2 WHERE fqdn = ?1";
    connection
        .prepare_cached(sql)?
        .execute([from.as_str(), into.as_str()])?;
    relations::move_all(connection, from, into)?;
    delete(connection, from)?;
    changed(connection, into, at)?;
    let what = format!("{} → {}", first.record.name, second.record.name);
    happened(connection, into, at, EventKind::Merged, &what)?;
    rows::capability(connection, into)
}

fn check(from: &Capability, into: &Capability) -> Outcome<()> {
    let (first, second) = (&from.record, &into.record);
    if first.fqdn == second.fqdn {
        return Err(Fault::refused(format!(
            "`{}` cannot be merged with itself: name two capabilities",
            first.fqdn
        )));
    }
    if first.scope != second.scope {
        return Err(Fault::refused(format!(
            "`{}` and `{}` are of different scopes: only capabilities of one scope can be merged",
            first.fqdn, second.fqdn
        )));
    }
    let [of_first, of_second] =
        [from, into].map(|it| it.pattern.calls.iter().collect::<BTreeSet<_>>());
    if of_first != of_second {
        return Err(Fault::refused(format!(
            "`{}` calls {} but `{}` calls {}: only capabilities that call the same can be merged",
            first.name,
            listed(&of_first),
            second.name,
            listed(&of_second)
        )));
    }
    Ok(())
}

fn listed(calls: &BTreeSet<&String>) -> String {
    if calls.is_empty() {
        return "nothing".to_owned();
    }
    let quoted: Vec<_> = calls.iter().map(|call| format!("`{call}`")).collect();
    quoted.join(", ")
}
