//! The record of code in a scope.

use capstan_core::code::{Capability, CodeHash, Fqdn, Scope};
use rusqlite::Connection;

use super::rows;
use crate::fault::Outcome;

pub(crate) fn by_hash(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> Outcome<Option<Capability>> {
    let which = "WHERE r.workflow_pattern_id = \
                 (SELECT pattern_id FROM workflow_pattern WHERE code_hash = ?1) \
                 AND r.org = ?2 AND r.project = ?3";
    let params = [hash.as_str(), &scope.org, &scope.project];
    Ok(rows::capabilities(connection, which, params)?.pop())
}

/// The name of that record.
pub(super) fn fqdn_by_hash(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> Outcome<Option<Fqdn>> {
    let sql = "SELECT r.id FROM workflow_pattern w \
               JOIN capability_records r ON r.workflow_pattern_id = w.pattern_id \
               WHERE w.code_hash = ?1 AND r.org = ?2 AND r.project = ?3";
    let params = [hash.as_str(), &scope.org, &scope.project];
    let found = rows::texts(&mut *connection.prepare_cached(sql)?, params)?;
    found.first().map(|text| rows::fqdn(text)).transpose()
}
