//! Changes who may see a record. `Viewer::sees` decides who does.

use capstan_core::code::{EventKind, Fqdn, Record, Timestamp, Visibility};
use rusqlite::{Connection, params};

use super::history::record_event;
use super::record::set_updated_at;
use super::rows;
use crate::fault::StoreResult;

pub(crate) fn set_visibility(
    connection: &Connection,
    fqdn: &Fqdn,
    visibility: Visibility,
    at: Timestamp,
) -> StoreResult<Record> {
    let record = rows::record(connection, fqdn)?;
    if record.visibility == visibility {
        return Ok(record);
    }
    // Sharing makes code visible beside code with which it was never compared.
    let is_shared = visibility > record.visibility;
    let sql = "UPDATE capability_records SET visibility = ?2, related = iif(?3, 0, related) \
               WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        fqdn.as_str(),
        visibility.as_str(),
        is_shared
    ])?;
    set_updated_at(connection, fqdn, at)?;
    let what = format!("{} → {visibility}", record.visibility);
    record_event(connection, fqdn, at, EventKind::Shared, &what)?;
    rows::record(connection, fqdn)
}
