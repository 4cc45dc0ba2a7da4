//! Records: patterns with a name in a scope.

use capstan_core::code::{DisplayName, EventKind, Fqdn, Scope, Statistics, Timestamp, Visibility};
use rusqlite::{Connection, params};

use super::history::happened;
use super::pattern::{self, Content};
use super::{identity, names};
use crate::fault::Outcome;
use crate::number::number;

/// A record that is not there yet.
pub(super) struct New<'a> {
    pub(super) scope: &'a Scope,
    pub(super) namespace: &'a str,
    pub(super) content: Content<'a>,
    pub(super) name: &'a DisplayName,
    pub(super) visibility: Visibility,
    pub(super) owner: &'a str,
    pub(super) statistics: Statistics,
    pub(super) at: Timestamp,
    pub(super) origin: EventKind,
}

pub(super) fn add(connection: &Connection, new: &New<'_>) -> Outcome<Fqdn> {
    let action = identity::action(connection, new.scope, new.content.hash)?;
    let hash = identity::record_hash(connection, new.scope, new.content.hash)?;
    let fqdn = identity::fqdn(new.scope, new.namespace, &action, &hash)?;
    pattern::add(connection, &fqdn, &new.content, new.at)?;
    names::take(connection, new.scope, new.name, &fqdn)?;
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
        number(new.statistics.usage_count),
        number(new.statistics.success_count),
        new.statistics.mean_latency_ms,
        new.statistics.last_used_at,
        new.at,
    ])?;
    happened(connection, &fqdn, new.at, new.origin, new.name.as_str())?;
    Ok(fqdn)
}

/// Says that a record was changed. Time does not go back, whoever's clock is wrong.
pub(super) fn changed(connection: &Connection, fqdn: &Fqdn, at: Timestamp) -> Outcome<()> {
    let sql = "UPDATE capability_records SET updated_at = max(updated_at, ?2) WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .execute(params![fqdn.as_str(), at])?;
    Ok(())
}
