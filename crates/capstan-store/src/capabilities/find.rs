//! The record of some code, as far as the viewer can know of it.

use capstan_core::code::{CodeHash, Fqdn};
use capstan_core::port::Viewer;
use rusqlite::Connection;

use super::rows;
use crate::fault::Outcome;

/// The own one, else the oldest.
pub(super) fn fqdn_by_hash(
    connection: &Connection,
    viewer: &Viewer,
    hash: &CodeHash,
) -> Outcome<Option<Fqdn>> {
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
