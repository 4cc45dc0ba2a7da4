//! Usage statistics.

use capstan_core::code::{Capability, CodeHash, Fqdn, Statistics, Use};
use capstan_core::port::Viewer;
use rusqlite::{Connection, params};

use super::find::fqdn_by_hash;
use super::rows;
use crate::fault::StoreResult;
use crate::integer::to_sql_integer;

pub(crate) fn record_use(connection: &Connection, fqdn: &Fqdn, used: &Use) -> StoreResult<()> {
    let before = rows::record(connection, fqdn)?.statistics;
    write_statistics(connection, fqdn, &before.with(&with_valid_latency(used)))
}

pub(crate) fn record_use_of_code(
    connection: &Connection,
    viewer: &Viewer,
    hash: &CodeHash,
    used: &Use,
) -> StoreResult<Option<Capability>> {
    let Some(fqdn) = fqdn_by_hash(connection, viewer, hash)? else {
        return Ok(None);
    };
    record_use(connection, &fqdn, used)?;
    rows::capability(connection, &fqdn).map(Some)
}

pub(super) fn write_statistics(
    connection: &Connection,
    fqdn: &Fqdn,
    statistics: &Statistics,
) -> StoreResult<()> {
    let sql = "UPDATE capability_records SET usage_count = ?2, success_count = ?3, \
               mean_latency_ms = ?4, last_used_at = ?5 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        fqdn.as_str(),
        to_sql_integer(statistics.usage_count),
        to_sql_integer(statistics.success_count),
        statistics.mean_latency_ms,
        statistics.last_used_at,
    ])?;
    Ok(())
}

/// Replaces an invalid latency by 0: one value that is not a number would spoil the mean for ever.
pub(super) fn with_valid_latency(used: &Use) -> Use {
    let is_valid = used.latency_ms.is_finite() && used.latency_ms >= 0.0;
    Use {
        latency_ms: if is_valid { used.latency_ms } else { 0.0 },
        ..*used
    }
}
