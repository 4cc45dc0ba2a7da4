//! How uses went.

use capstan_core::code::{Fqdn, Statistics, Trace, Use};
use rusqlite::{Connection, params};

use super::rows;
use crate::fault::Outcome;
use crate::number::number;
use crate::traces;

pub(crate) fn record_use(
    connection: &Connection,
    fqdn: &Fqdn,
    used: &Use,
    trace: Option<&Trace>,
) -> Outcome<()> {
    count(connection, fqdn, used)?;
    match trace {
        Some(trace) => traces::add_of(connection, trace, fqdn),
        None => Ok(()),
    }
}

pub(super) fn count(connection: &Connection, fqdn: &Fqdn, used: &Use) -> Outcome<()> {
    let before = rows::record(connection, fqdn)?.statistics;
    write(connection, fqdn, &before.with(&sane(used)))
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
