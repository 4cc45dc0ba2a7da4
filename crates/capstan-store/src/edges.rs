//! Relations between capabilities. There is one from each to each other; its kind and source are the
//! strongest that were said of it.

use capstan_core::code::{EdgeKind, EdgeSource, Fqdn, Timestamp};
use capstan_core::port::{Edge, NewEdge};
use rusqlite::{Connection, Params, params};

use crate::capabilities::rows;
use crate::fault::{Fault, Outcome};
use crate::json;
use crate::number::{count, number};

pub(crate) fn add_edge(connection: &Connection, new: &NewEdge) -> Outcome<Edge> {
    if new.from == new.to {
        return Err(Fault::refused(format!(
            "`{}` cannot be related to itself: name two capabilities",
            new.from
        )));
    }
    for end in [&new.from, &new.to] {
        rows::record(connection, end)?;
    }
    let relation = Relation {
        from: new.from.clone(),
        to: new.to.clone(),
        kind: new.kind,
        source: new.source,
        observed: 1,
        since: new.at,
        last: new.at,
    };
    Ok(add(connection, relation)?.into_edge())
}

/// Those from it, then those to it.
pub(crate) fn edges(connection: &Connection, fqdn: &Fqdn) -> Outcome<Vec<Edge>> {
    let which = "from_capability_id = ?1 OR to_capability_id = ?1 \
                 ORDER BY from_capability_id <> ?1, to_capability_id, from_capability_id";
    let found = relations(connection, which, [fqdn.as_str()])?;
    Ok(found.into_iter().map(Relation::into_edge).collect())
}

/// Gives the relations of one capability to another. Those between the two are gone, and those that
/// both have are summed.
pub(crate) fn move_all(connection: &Connection, from: &Fqdn, into: &Fqdn) -> Outcome<()> {
    let which = "from_capability_id = ?1 OR to_capability_id = ?1 \
                 ORDER BY from_capability_id, to_capability_id";
    let found = relations(connection, which, [from.as_str()])?;
    let sql = "DELETE FROM capability_dependency \
               WHERE from_capability_id = ?1 OR to_capability_id = ?1";
    connection.prepare_cached(sql)?.execute([from.as_str()])?;

    let moved = |end: Fqdn| {
        if end == *from { into.clone() } else { end }
    };
    for relation in found {
        let relation = Relation {
            from: moved(relation.from),
            to: moved(relation.to),
            ..relation
        };
        if relation.from != relation.to {
            add(connection, relation)?;
        }
    }
    Ok(())
}

/// What was inferred this often was observed.
const OBSERVED_AT: u64 = 3;

struct Relation {
    from: Fqdn,
    to: Fqdn,
    kind: EdgeKind,
    source: EdgeSource,
    observed: u64,
    since: Timestamp,
    last: Timestamp,
}

impl Relation {
    /// What a person states stands, the newest last; else the stronger kind and the better source.
    fn joined(self, newer: &Self) -> Self {
        let by_hand = |it: &Self| it.source == EdgeSource::Manual;
        let certain = |kind: EdgeKind| kind.confidence(EdgeSource::Observed);
        let sure = |source: EdgeSource| EdgeKind::Dependency.confidence(source);
        let (kind, source) = if by_hand(newer) || by_hand(&self) {
            let stated = if by_hand(newer) { newer } else { &self };
            (stated.kind, EdgeSource::Manual)
        } else {
            let kind = if certain(newer.kind) > certain(self.kind) {
                newer.kind
            } else {
                self.kind
            };
            let source = if sure(newer.source) > sure(self.source) {
                newer.source
            } else {
                self.source
            };
            (kind, source)
        };
        Self {
            kind,
            source,
            observed: self.observed.saturating_add(newer.observed),
            since: self.since.min(newer.since),
            last: self.last.max(newer.last),
            ..self
        }
    }

    /// Seen often enough, a guess is none any more.
    fn settled(self) -> Self {
        let source = match self.source {
            EdgeSource::Inferred if self.observed >= OBSERVED_AT => EdgeSource::Observed,
            source => source,
        };
        Self { source, ..self }
    }

    fn into_edge(self) -> Edge {
        Edge {
            confidence: self.kind.confidence(self.source),
            from: self.from,
            to: self.to,
            kind: self.kind,
            source: self.source,
            observed: self.observed,
        }
    }
}

fn add(connection: &Connection, new: Relation) -> Outcome<Relation> {
    let which = "from_capability_id = ?1 AND to_capability_id = ?2";
    let known = relations(connection, which, [new.from.as_str(), new.to.as_str()])?.pop();
    let relation = match known {
        Some(known) => known.joined(&new),
        None => new,
    };
    let relation = relation.settled();
    let sql = "INSERT OR REPLACE INTO capability_dependency \
               (from_capability_id, to_capability_id, observed_count, confidence_score, \
                edge_type, edge_source, created_at, last_observed) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    connection.prepare_cached(sql)?.execute(params![
        relation.from.as_str(),
        relation.to.as_str(),
        number(relation.observed),
        relation.kind.confidence(relation.source),
        relation.kind.as_str(),
        relation.source.as_str(),
        relation.since,
        relation.last,
    ])?;
    Ok(relation)
}

fn relations(connection: &Connection, which: &str, params: impl Params) -> Outcome<Vec<Relation>> {
    let sql = format!(
        "SELECT from_capability_id, to_capability_id, edge_type, edge_source, observed_count, \
         created_at, last_observed FROM capability_dependency WHERE {which}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut all = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = all.next()? {
        found.push(Relation {
            from: rows::fqdn(&row.get::<_, String>(0)?)?,
            to: rows::fqdn(&row.get::<_, String>(1)?)?,
            kind: json::from_word(&row.get::<_, String>(2)?)?,
            source: json::from_word(&row.get::<_, String>(3)?)?,
            observed: count(row.get(4)?),
            since: row.get(5)?,
            last: row.get(6)?,
        });
    }
    Ok(found)
}
