//! Who sees a record.

use capstan_core::code::{EventKind, Fqdn, Record, Timestamp, Visibility};
use rusqlite::Connection;

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
    let sql = "UPDATE capability_records SET visibility = ?2 WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .execute([fqdn.as_str(), visibility.as_str()])?;
    changed(connection, fqdn, at)?;
    let what = format!("{} → {visibility}", record.visibility);
    happened(connection, fqdn, at, EventKind::Shared, &what)?;
    rows::record(connection, fqdn)
}
