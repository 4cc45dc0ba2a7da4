//! Merges two records into one.

use std::collections::BTreeSet;

use capstan_core::code::{Capability, EventKind, Fqdn, Timestamp};
use rusqlite::Connection;

use super::delete::delete;
use super::history::record_event;
use super::record::set_updated_at;
use super::{rows, usage};
use crate::fault::{Fault, StoreResult};
use crate::relations;

pub(crate) fn merge(
    connection: &Connection,
    from: &Fqdn,
    into: &Fqdn,
    at: Timestamp,
) -> StoreResult<Capability> {
    let first = rows::capability(connection, from)?;
    let second = rows::capability(connection, into)?;
    check(&first, &second)?;

    let statistics = second.record.statistics.merged(first.record.statistics);
    usage::write_statistics(connection, into, &statistics)?;
    let sql = "UPDATE capability_names SET fqdn = ?2 WHERE fqdn = ?1";
    connection
        .prepare_cached(sql)?
        .execute([from.as_str(), into.as_str()])?;
    relations::move_all(connection, from, into)?;
    delete(connection, from)?;
    set_updated_at(connection, into, at)?;
    let what = format!("{} → {}", first.record.name, second.record.name);
    record_event(connection, into, at, EventKind::Merged, &what)?;
    rows::capability(connection, into)
}

fn check(from: &Capability, into: &Capability) -> StoreResult<()> {
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
    let [first_calls, second_calls] =
        [from, into].map(|it| it.pattern.calls.iter().collect::<BTreeSet<_>>());
    if first_calls != second_calls {
        return Err(Fault::refused(format!(
            "`{}` calls {} but `{}` calls {}: only capabilities that make the same calls can be merged",
            first.name,
            list_calls(&first_calls),
            second.name,
            list_calls(&second_calls)
        )));
    }
    Ok(())
}

fn list_calls(calls: &BTreeSet<&String>) -> String {
    if calls.is_empty() {
        return "nothing".to_owned();
    }
    let quoted: Vec<_> = calls.iter().map(|call| format!("`{call}`")).collect();
    quoted.join(", ")
}
