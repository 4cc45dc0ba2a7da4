//! Capabilities from elsewhere.

use capstan_core::code::{DisplayName, EventKind, Fqdn, Scope, Statistics, Timestamp};
use capstan_core::port::{Exported, Imported, Viewer};
use rusqlite::Connection;

use super::find::fqdn_by_hash;
use super::names::{holder, take};
use super::pattern::Content;
use super::{identity, record, rows};
use crate::fault::Outcome;

pub(crate) fn import(
    connection: &Connection,
    viewer: &Viewer,
    items: &[Exported],
    at: Timestamp,
) -> Outcome<Vec<Imported>> {
    let one = |item: &Exported| {
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
    items.iter().map(one).collect()
}

fn add(connection: &Connection, viewer: &Viewer, item: &Exported, at: Timestamp) -> Outcome<Fqdn> {
    let content = Content {
        hash: &item.hash,
        code: &item.code,
        intent: &item.intent,
        parameters: &item.parameters,
        calls: &item.calls,
        failed_calls: &[],
    };
    let scope = &viewer.scope;
    let new = record::New {
        scope,
        namespace: &item.namespace,
        content,
        name: &name(connection, scope, item)?,
        visibility: item.visibility,
        owner: &viewer.user,
        statistics: Statistics::default(),
        at,
        origin: EventKind::Imported,
    };
    let fqdn = record::add(connection, &new)?;
    for alias in &item.aliases {
        take(connection, scope, alias, &fqdn)?;
    }
    Ok(fqdn)
}

/// Its own, unless nobody gave it and here it means something else.
fn name(connection: &Connection, scope: &Scope, item: &Exported) -> Outcome<DisplayName> {
    if item.name.is_unnamed() && holder(connection, scope, &item.name)?.is_some() {
        identity::unnamed(connection, scope, &item.hash)
    } else {
        Ok(item.name.clone())
    }
}
