//! Imports capabilities from elsewhere.

use capstan_core::code::{DisplayName, EventKind, Fqdn, Scope, Statistics, Timestamp};
use capstan_core::port::{Exported, Imported, Viewer};
use rusqlite::Connection;

use super::find::fqdn_by_hash;
use super::names::{assign, holder};
use super::pattern::PatternContent;
use super::{identity, record, rows};
use crate::fault::StoreResult;

pub(crate) fn import(
    connection: &Connection,
    viewer: &Viewer,
    items: &[Exported],
    at: Timestamp,
) -> StoreResult<Vec<Imported>> {
    let import_one = |item: &Exported| {
        let known = fqdn_by_hash(connection, viewer, &item.hash)?;
        let is_known = known.is_some();
        let fqdn = match known {
            Some(fqdn) => fqdn,
            None => add(connection, viewer, item, at)?,
        };
        let name = rows::record(connection, &fqdn)?.name;
        Ok(Imported {
            fqdn,
            name,
            known: is_known,
        })
    };
    items.iter().map(import_one).collect()
}

fn add(
    connection: &Connection,
    viewer: &Viewer,
    item: &Exported,
    at: Timestamp,
) -> StoreResult<Fqdn> {
    let content = PatternContent {
        hash: &item.hash,
        code: &item.code,
        intent: &item.intent,
        parameters: &item.parameters,
        calls: &item.calls,
        failed_calls: &[],
    };
    let scope = &viewer.scope;
    let new = record::NewRecord {
        scope,
        namespace: &item.namespace,
        content,
        name: &free_name(connection, scope, item)?,
        visibility: item.visibility,
        owner: &viewer.user,
        statistics: Statistics::default(),
        at,
        origin: EventKind::Imported,
    };
    let fqdn = record::add(connection, &new)?;
    for alias in &item.aliases {
        assign(connection, scope, alias, &fqdn)?;
    }
    Ok(fqdn)
}

/// Returns the item's own name. A generated name that is taken here is replaced by a free one.
fn free_name(connection: &Connection, scope: &Scope, item: &Exported) -> StoreResult<DisplayName> {
    if item.name.is_unnamed() && holder(connection, scope, &item.name)?.is_some() {
        identity::unique_display_name(connection, scope, &item.hash)
    } else {
        Ok(item.name.clone())
    }
}
