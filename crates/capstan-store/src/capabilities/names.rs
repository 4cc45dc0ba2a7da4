//! The names of a scope: display names and aliases. Each belongs to one record.

use capstan_core::code::{DisplayName, EventKind, Fqdn, Record, Scope, Timestamp};
use capstan_core::port::StoreError;
use rusqlite::{Connection, OptionalExtension as _};

use super::history::record_event;
use super::record::set_updated_at;
use super::rows;
use crate::fault::{Fault, StoreResult};

pub(crate) fn rename(
    connection: &Connection,
    fqdn: &Fqdn,
    name: &DisplayName,
    at: Timestamp,
) -> StoreResult<Record> {
    let record = rows::record(connection, fqdn)?;
    if record.name == *name {
        return Ok(record);
    }
    assign(connection, &record.scope, name, fqdn)?;
    let sql = "UPDATE capability_records SET display_name = ?2 WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .execute([fqdn.as_str(), name.as_str()])?;
    set_updated_at(connection, fqdn, at)?;
    let what = format!("{} → {name}", record.name);
    record_event(connection, fqdn, at, EventKind::Renamed, &what)?;
    rows::record(connection, fqdn)
}

pub(crate) fn add_alias(
    connection: &Connection,
    fqdn: &Fqdn,
    alias: &DisplayName,
    at: Timestamp,
) -> StoreResult<Record> {
    let record = rows::record(connection, fqdn)?;
    if !assign(connection, &record.scope, alias, fqdn)? {
        return Ok(record);
    }
    set_updated_at(connection, fqdn, at)?;
    record_event(connection, fqdn, at, EventKind::Aliased, alias.as_str())?;
    rows::record(connection, fqdn)
}

/// Assigns a name to a record; returns whether the record did not have it before.
pub(super) fn assign(
    connection: &Connection,
    scope: &Scope,
    name: &DisplayName,
    fqdn: &Fqdn,
) -> StoreResult<bool> {
    match holder(connection, scope, name)? {
        Some(holder) if holder == fqdn.as_str() => Ok(false),
        Some(_) => Err(Fault::Reported(StoreError::NameTaken {
            name: name.to_string(),
            scope: scope.clone(),
        })),
        None => {
            let sql = "INSERT INTO capability_names (org, project, name, fqdn) \
                       VALUES (?1, ?2, ?3, ?4)";
            connection.prepare_cached(sql)?.execute([
                &scope.org,
                &scope.project,
                name.as_str(),
                fqdn.as_str(),
            ])?;
            Ok(true)
        }
    }
}

/// Returns the record that has this name in the scope.
pub(super) fn holder(
    connection: &Connection,
    scope: &Scope,
    name: &DisplayName,
) -> StoreResult<Option<String>> {
    let sql = "SELECT fqdn FROM capability_names WHERE org = ?1 AND project = ?2 AND name = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let params = [&scope.org, &scope.project, name.as_str()];
    Ok(statement.query_row(params, |row| row.get(0)).optional()?)
}
