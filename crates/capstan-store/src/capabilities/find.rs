//! Finds the record of some code that the viewer may know of.

use capstan_core::code::{CodeHash, Fqdn};
use capstan_core::port::Viewer;
use rusqlite::Connection;

use super::rows;
use crate::fault::StoreResult;

/// Returns the viewer's own record of this code, or else the oldest visible one.
pub(super) fn fqdn_by_hash(
    connection: &Connection,
    viewer: &Viewer,
    hash: &CodeHash,
) -> StoreResult<Option<Fqdn>> {
    let sql = "SELECT r.id FROM workflow_pattern w \
               JOIN capability_records r ON r.id = w.pattern_id \
               WHERE w.code_hash = ?1 AND r.org = ?2 AND r.project = ?3 \
                 AND (r.owner = ?4 OR r.visibility <> 'private') \
               ORDER BY r.owner <> ?4, r.created_at, r.id LIMIT 1";
    let Viewer { scope, user } = viewer;
    let params = [hash.as_str(), &scope.org, &scope.project, user];
    let found = rows::texts(&mut *connection.prepare_cached(sql)?, params)?;
    found.first().map(|text| rows::fqdn(text)).transpose()
}
