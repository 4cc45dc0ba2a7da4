//! The events of records.

use capstan_core::code::{Event, EventKind, Fqdn, Timestamp};
use rusqlite::{Connection, params};

use super::rows;
use crate::fault::StoreResult;
use crate::json;

pub(crate) fn history(connection: &Connection, fqdn: &Fqdn) -> StoreResult<Vec<Event>> {
    rows::record(connection, fqdn)?;
    let sql = "SELECT at, kind, what FROM capability_events WHERE fqdn = ?1 ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([fqdn.as_str()])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(Event {
            at: row.get(0)?,
            kind: json::from_word(&row.get::<_, String>(1)?)?,
            what: row.get(2)?,
        });
    }
    Ok(events)
}

pub(super) fn record_event(
    connection: &Connection,
    fqdn: &Fqdn,
    at: Timestamp,
    kind: EventKind,
    what: &str,
) -> StoreResult<()> {
    let sql = "INSERT INTO capability_events (fqdn, position, at, kind, what) VALUES (?1, \
               (SELECT coalesce(max(position), 0) + 1 FROM capability_events WHERE fqdn = ?1), \
               ?2, ?3, ?4)";
    let kind = json::to_word(&kind)?;
    connection
        .prepare_cached(sql)?
        .execute(params![fqdn.as_str(), at, kind, what])?;
    Ok(())
}
