//! Records: patterns with a name in a scope.

use capstan_core::code::{DisplayName, EventKind, Fqdn, Scope, Statistics, Timestamp, Visibility};
use rusqlite::{Connection, params};

use super::history::record_event;
use super::pattern::{self, PatternContent};
use super::{identity, names};
use crate::fault::StoreResult;
use crate::integer::to_sql_integer;

/// A record to be added.
pub(super) struct NewRecord<'a> {
    pub(super) scope: &'a Scope,
    pub(super) namespace: &'a str,
    pub(super) content: PatternContent<'a>,
    pub(super) name: &'a DisplayName,
    pub(super) visibility: Visibility,
    pub(super) owner: &'a str,
    pub(super) statistics: Statistics,
    pub(super) at: Timestamp,
    pub(super) origin: EventKind,
}

pub(super) fn add(connection: &Connection, new: &NewRecord<'_>) -> StoreResult<Fqdn> {
    let action = identity::unique_action(connection, new.scope, new.content.hash)?;
    let hash = identity::unique_record_hash(connection, new.scope, new.content.hash)?;
    let fqdn = identity::checked_fqdn(new.scope, new.namespace, &action, &hash)?;
    pattern::add(connection, &fqdn, &new.content, new.at)?;
    names::assign(connection, new.scope, new.name, &fqdn)?;
    let sql = "INSERT INTO capability_records \
               (id, org, project, namespace, action, hash, display_name, visibility, owner, \
                usage_count, success_count, mean_latency_ms, last_used_at, created_at, updated_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14)";
    connection.prepare_cached(sql)?.execute(params![
        fqdn.as_str(),
        new.scope.org,
        new.scope.project,
        new.namespace,
        action,
        hash,
        new.name.as_str(),
        new.visibility.as_str(),
        new.owner,
        to_sql_integer(new.statistics.usage_count),
        to_sql_integer(new.statistics.success_count),
        new.statistics.mean_latency_ms,
        new.statistics.last_used_at,
        new.at,
    ])?;
    record_event(connection, &fqdn, new.at, new.origin, new.name.as_str())?;
    Ok(fqdn)
}

/// Sets the time of the last change. It never goes back, even if a clock is wrong.
pub(super) fn set_updated_at(
    connection: &Connection,
    fqdn: &Fqdn,
    at: Timestamp,
) -> StoreResult<()> {
    let sql = "UPDATE capability_records SET updated_at = max(updated_at, ?2) WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .execute(params![fqdn.as_str(), at])?;
    Ok(())
}
