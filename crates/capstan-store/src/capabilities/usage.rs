//! How uses went.

use capstan_core::code::{Capability, CodeHash, Fqdn, Statistics, Use};
use capstan_core::port::Viewer;
use rusqlite::{Connection, params};

use super::find::fqdn_by_hash;
use super::rows;
use crate::fault::Outcome;
use crate::number::number;

pub(crate) fn record_use(connection: &Connection, fqdn: &Fqdn, used: &Use) -> Outcome<()> {
    let before = rows::record(connection, fqdn)?.statistics;
    write(connection, fqdn, &before.with(&sane(used)))
}

pub(crate) fn record_use_of_code(
    connection: &Connection,
    viewer: &Viewer,
    hash: &CodeHash,
    used: &Use,
) -> Outcome<Option<Capability>> {
    let Some(fqdn) = fqdn_by_hash(connection, viewer, hash)? else {
        return Ok(None);
    };
    record_use(connection, &fqdn, used)?;
    rows::capability(connection, &fqdn).map(Some)
}

pub(super) fn write(connection: &Connection, fqdn: &Fqdn, statistics: &Statistics) -> Outcome<()> {
    let sql = "UPDATE capability_records SET usage_count = ?2, success_count = ?3, \
               mean_latency_ms = ?4, last_used_at = ?5 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        fqdn.as_str(),
        number(statistics.usage_count),
        number(statistics.success_count),
        statistics.mean_latency_ms,
        statistics.last_used_at,
    ])?;
    Ok(())
}

/// One time that is no number would spoil the mean for ever.
pub(super) fn sane(used: &Use) -> Use {
    let is_time = used.latency_ms.is_finite() && used.latency_ms >= 0.0;
    Use {
        latency_ms: if is_time { used.latency_ms } else { 0.0 },
        ..*used
    }
}
