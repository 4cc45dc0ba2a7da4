//! Who sees a record.

use capstan_core::code::{EventKind, Fqdn, Record, Timestamp, Visibility};
use rusqlite::{Connection, params};

use super::history::happened;
use super::record::changed;
use super::rows;
use crate::fault::Outcome;

pub(crate) fn set_visibility(
    connection: &Connection,
    fqdn: &Fqdn,
    visibility: Visibility,
    at: Timestamp,
) -> Outcome<Record> {
    let record = rows::record(connection, fqdn)?;
    if record.visibility == visibility {
        return Ok(record);
    }
    // Who shares code brings it together with code that it was never compared with.
    let is_shared = visibility > record.visibility;
    let sql = "UPDATE capability_records SET visibility = ?2, related = iif(?3, 0, related) \
               WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        fqdn.as_str(),
        visibility.as_str(),
        is_shared
    ])?;
    changed(connection, fqdn, at)?;
    let what = format!("{} → {visibility}", record.visibility);
    happened(connection, fqdn, at, EventKind::Shared, &what)?;
    rows::record(connection, fqdn)
}
