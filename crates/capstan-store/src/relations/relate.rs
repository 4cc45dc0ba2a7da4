//! What code has in common with other code.

use capstan_core::code::{Fqdn, Observation, Timestamp};
use capstan_core::port::{Learned, Sharing, Viewer};
use rusqlite::{Connection, named_params, params};

use super::{learn, node};
use crate::capabilities::{rows, visibility_condition};
use crate::fault::StoreResult;
use crate::integer::to_sql_integer;

/// Returns the viewer's own code that was not compared with other code yet, oldest first.
pub(crate) fn unrelated(
    connection: &Connection,
    viewer: &Viewer,
    limit: u64,
) -> StoreResult<Vec<Fqdn>> {
    let sql = "SELECT id FROM capability_records WHERE org = ?1 AND project = ?2 AND owner = ?3 \
               AND related = 0 ORDER BY created_at, id LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let params = params![scope.org, scope.project, user, to_sql_integer(limit)];
    let ids = rows::texts(&mut statement, params)?;
    ids.iter().map(|id| rows::fqdn(id)).collect()
}

/// Returns code that calls much of the same. The newer of two has to call at least half of what the
/// older calls. Returns up to `limit` older ones, and up to `limit` newer ones that were already
/// compared; the others will find this one when they are compared. So the result is the same
/// whether code is compared one by one or all at once.
pub(crate) fn sharing(
    connection: &Connection,
    viewer: &Viewer,
    fqdn: &Fqdn,
    limit: u64,
) -> StoreResult<Vec<Sharing>> {
    if node::find_visible(connection, viewer, &fqdn.clone().into())?.is_none() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "WITH \
         this AS MATERIALIZED (SELECT created_at FROM capability_records WHERE id = :fqdn), \
         called AS MATERIALIZED \
           (SELECT DISTINCT capability FROM pattern_call WHERE pattern_id = :fqdn AND failed = 0), \
         other AS (SELECT r.id, r.created_at, r.related, count(DISTINCT c.capability) AS shared, \
             (r.created_at, r.id) < ((SELECT created_at FROM this), :fqdn) AS is_older \
           FROM pattern_call c JOIN capability_records r ON r.id = c.pattern_id \
           WHERE c.failed = 0 AND c.capability IN (SELECT capability FROM called) \
             AND c.pattern_id <> :fqdn AND {visible} GROUP BY r.id), \
         share AS (SELECT id, created_at, is_older, 1.0 * shared / iif(is_older, \
             (SELECT count(DISTINCT capability) FROM pattern_call \
              WHERE pattern_id = id AND failed = 0), \
             (SELECT count(*) FROM called)) AS share \
           FROM other WHERE is_older OR related = 1), \
         place AS (SELECT id, created_at, share, row_number() OVER \
             (PARTITION BY is_older ORDER BY share DESC, created_at, id) AS place \
           FROM share WHERE share >= 0.5) \
         SELECT id, created_at FROM place WHERE place <= :limit \
         ORDER BY share DESC, created_at, id",
        visible = visibility_condition("r")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut called = connection.prepare_cached(rows::WORKING_CALLS)?;
    let mut found = Vec::new();
    let mut all = statement.query(named_params! {
        ":fqdn": fqdn.as_str(),
        ":org": viewer.scope.org,
        ":project": viewer.scope.project,
        ":user": viewer.user,
        ":limit": to_sql_integer(limit),
    })?;
    while let Some(row) = all.next()? {
        let id: String = row.get(0)?;
        found.push(Sharing {
            fqdn: rows::fqdn(&id)?,
            created_at: row.get(1)?,
            calls: rows::texts(&mut called, [&id])?,
        });
    }
    Ok(found)
}

/// Records what code has in common with other code. Does nothing the second time.
pub(crate) fn relate(
    connection: &Connection,
    viewer: &Viewer,
    fqdn: &Fqdn,
    observations: &[Observation],
    at: Timestamp,
) -> StoreResult<Learned> {
    if node::find_visible(connection, viewer, &fqdn.clone().into())?.is_none() {
        return Ok(Learned::default());
    }
    let sql = "UPDATE capability_records SET related = 1 WHERE id = ?1 AND related = 0";
    let first = connection.prepare_cached(sql)?.execute([fqdn.as_str()])?;
    match first {
        0 => Ok(Learned::default()),
        _ => learn::add_observations(connection, viewer, None, observations, at),
    }
}
