//! Deletes records.

use capstan_core::code::Fqdn;
use rusqlite::Connection;

use super::rows;
use crate::fault::StoreResult;

/// Deletes the pattern of a record. The record with its names and history and its relations are
/// deleted with it, by foreign keys.
pub(crate) fn delete(connection: &Connection, fqdn: &Fqdn) -> StoreResult<()> {
    rows::record(connection, fqdn)?;
    let sql = "DELETE FROM workflow_pattern WHERE pattern_id = ?1";
    connection.prepare_cached(sql)?.execute([fqdn.as_str()])?;
    Ok(())
}
