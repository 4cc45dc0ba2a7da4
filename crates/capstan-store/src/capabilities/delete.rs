//! Forgetting a record.

use capstan_core::code::Fqdn;
use rusqlite::Connection;

use super::rows;
use crate::fault::Outcome;

/// Everything of it hangs on its pattern: the record with its names and history, and the edges.
pub(crate) fn delete(connection: &Connection, fqdn: &Fqdn) -> Outcome<()> {
    rows::record(connection, fqdn)?;
    let sql = "DELETE FROM workflow_pattern WHERE pattern_id = ?1";
    connection.prepare_cached(sql)?.execute([fqdn.as_str()])?;
    Ok(())
}
