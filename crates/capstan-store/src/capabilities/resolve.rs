//! What a name means to a viewer.

use capstan_core::code::{Capability, Record, Scope};
use capstan_core::port::{Resolved, Via, Viewer};
use rusqlite::Connection;

use super::rows::capabilities;
use crate::fault::StoreResult;

pub(crate) fn resolve(
    connection: &Connection,
    viewer: &Viewer,
    name: &str,
) -> StoreResult<Resolved> {
    // Only fully qualified names have dots.
    let found = if name.contains('.') {
        by_fqdn(connection, name)?
    } else {
        let mut found = by_id(connection, name)?;
        found.extend(by_name(connection, name)?);
        found
    };
    Ok(nearest(viewer, found))
}

type Candidate = (Capability, Via);

fn by_id(connection: &Connection, name: &str) -> StoreResult<Vec<Candidate>> {
    let found = capabilities(connection, "WHERE r.action = ?1", [name])?;
    Ok(found.into_iter().map(|it| (it, Via::Id)).collect())
}

fn by_fqdn(connection: &Connection, name: &str) -> StoreResult<Vec<Candidate>> {
    let parts: Vec<&str> = name.split('.').collect();
    let found = match parts[..] {
        [_, _, _, _, _] => capabilities(connection, "WHERE r.id = ?1", [name])?,
        [org, project, namespace, action] => capabilities(
            connection,
            "WHERE r.org = ?1 AND r.project = ?2 AND r.namespace = ?3 AND r.action = ?4",
            [org, project, namespace, action],
        )?,
        _ => Vec::new(),
    };
    Ok(found.into_iter().map(|it| (it, Via::Fqdn)).collect())
}

fn by_name(connection: &Connection, name: &str) -> StoreResult<Vec<Candidate>> {
    let which = "WHERE r.id IN (SELECT fqdn FROM capability_names WHERE name = ?1)";
    let found = capabilities(connection, which, [name])?;
    let via = |record: &Record| {
        if record.name.as_str() == name {
            Via::Name
        } else {
            Via::Alias(name.to_owned())
        }
    };
    Ok(found
        .into_iter()
        .map(|it| {
            let via = via(&it.record);
            (it, via)
        })
        .collect())
}

/// Picks the candidate in the nearest scope; the way in which a name matched counts second. So
/// nobody elsewhere can change what a name of the viewer's own project means.
fn nearest(viewer: &Viewer, mut found: Vec<Candidate>) -> Resolved {
    let rank = |(it, via): &Candidate| {
        let match_rank = match via {
            Via::Id | Via::Fqdn => 0,
            Via::Name => 1,
            Via::Alias(_) => 2,
        };
        (distance(&viewer.scope, &it.record.scope), match_rank)
    };
    found.retain(|(it, _)| viewer.sees(&it.record));
    let Some(best) = found.iter().map(rank).min() else {
        return Resolved::Nothing;
    };
    found.retain(|it| rank(it) == best);
    match (found.pop(), found.is_empty()) {
        (Some((capability, via)), true) => Resolved::Found(Box::new(capability), via),
        (last, _) => {
            let all = found.into_iter().chain(last);
            let mut names: Vec<_> = all.map(|(it, _)| it.record.fqdn).collect();
            names.sort();
            Resolved::Several(names)
        }
    }
}

fn distance(viewer: &Scope, other: &Scope) -> u8 {
    if viewer == other {
        0
    } else if viewer.org == other.org {
        1
    } else {
        2
    }
}
