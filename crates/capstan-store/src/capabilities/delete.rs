//! Forgetting a record.

use capstan_core::code::Fqdn;
use rusqlite::Connection;

use super::{pattern, rows};
use crate::fault::Outcome;

/// Its names and history go with it.
pub(crate) fn delete(connection: &Connection, fqdn: &Fqdn) -> Outcome<()> {
    let record = rows::record(connection, fqdn)?;
    let sql = "DELETE FROM capability_records WHERE id = ?1";
    connection.prepare_cached(sql)?.execute([fqdn.as_str()])?;
    pattern::drop_if_unused(connection, &record.pattern)
}
