//! What somebody may see.

use capstan_core::code::Capability;
use capstan_core::port::{CodeSummary, Filter, Viewer};
use rusqlite::{Connection, ToSql, named_params};

use super::rows;
use crate::fault::{Fault, Outcome};
use crate::number::number;

pub(crate) fn list(
    connection: &Connection,
    viewer: &Viewer,
    filter: &Filter,
) -> Outcome<Vec<Capability>> {
    visible(viewer, filter, |which, params| {
        rows::capabilities(connection, which, params)
    })
}

pub(crate) fn summaries(
    connection: &Connection,
    viewer: &Viewer,
    filter: &Filter,
) -> Outcome<Vec<CodeSummary>> {
    visible(viewer, filter, |which, params| {
        rows::summaries(connection, which, params)
    })
}

/// Reads by what makes the condition, and by what is filled into it.
fn visible<T>(
    viewer: &Viewer,
    filter: &Filter,
    read: impl FnOnce(&str, &[(&str, &dyn ToSql)]) -> Outcome<T>,
) -> Outcome<T> {
    let visible = visible_as("r");
    let which = format!(
        "WHERE {visible} \
         AND (:namespace IS NULL OR r.namespace = :namespace) \
         AND (:visibility IS NULL OR r.visibility = :visibility) \
         AND (:calls IS NULL OR r.id IN \
              (SELECT pattern_id FROM pattern_call WHERE capability = :calls)) \
         AND (:named IS NULL OR :named <> ({UNNAMED})) \
         AND (:glob IS NULL OR r.id GLOB :glob OR EXISTS \
              (SELECT 1 FROM capability_names n WHERE n.fqdn = r.id AND n.name GLOB :glob)) \
         ORDER BY r.display_name, r.org, r.project LIMIT :limit OFFSET :offset"
    );
    let glob = filter.glob.as_deref().map(glob).transpose()?;
    read(
        &which,
        named_params! {
            ":org": viewer.scope.org,
            ":project": viewer.scope.project,
            ":user": viewer.user,
            ":namespace": filter.namespace,
            ":visibility": filter.visibility.map(|it| it.as_str()),
            ":calls": filter.calls,
            ":named": filter.named,
            ":glob": glob,
            ":limit": filter.limit.map_or(-1, number),
            ":offset": number(filter.offset),
        },
    )
}

/// `Viewer::sees` of a row that is called so, for the database to count and skip by. What is filled in are
/// `:org`, `:project` and `:user`.
pub(crate) fn visible_as(row: &str) -> String {
    format!(
        "({row}.visibility = 'public' \
         OR ({row}.visibility = 'org' AND {row}.org = :org) \
         OR ({row}.org = :org AND {row}.project = :project \
             AND ({row}.visibility = 'project' \
                  OR ({row}.visibility = 'private' AND {row}.owner = :user))))"
    )
}

/// `DisplayName::is_unnamed`.
const UNNAMED: &str = "r.display_name GLOB 'unnamed_????????*' \
    AND substr(r.display_name, 9) NOT GLOB '*[^0-9a-fA-F]*'";

/// Longer than any name that it could stand for.
const LONGEST_GLOB: usize = 1000;

/// Of the wild cards of SQLite only `*` and `?` are ours.
fn glob(pattern: &str) -> Outcome<String> {
    if pattern.len() > LONGEST_GLOB {
        return Err(Fault::refused(format!(
            "the pattern has {} bytes: expected at most {LONGEST_GLOB}",
            pattern.len()
        )));
    }
    Ok(pattern.replace('[', "[[]"))
}
