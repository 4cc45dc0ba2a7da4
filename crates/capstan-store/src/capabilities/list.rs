//! Lists the code that a viewer sees.

use capstan_core::code::Capability;
use capstan_core::port::{CodeFilter, CodeSummary, Viewer};
use rusqlite::{Connection, ToSql, named_params};

use super::rows;
use crate::fault::{Fault, StoreResult};
use crate::integer::to_sql_integer;

pub(crate) fn list(
    connection: &Connection,
    viewer: &Viewer,
    filter: &CodeFilter,
) -> StoreResult<Vec<Capability>> {
    read_visible(viewer, filter, |which, params| {
        rows::capabilities(connection, which, params)
    })
}

pub(crate) fn summaries(
    connection: &Connection,
    viewer: &Viewer,
    filter: &CodeFilter,
) -> StoreResult<Vec<CodeSummary>> {
    read_visible(viewer, filter, |which, params| {
        rows::summaries(connection, which, params)
    })
}

/// Calls `read` with the condition and its parameters.
fn read_visible<T>(
    viewer: &Viewer,
    filter: &CodeFilter,
    read: impl FnOnce(&str, &[(&str, &dyn ToSql)]) -> StoreResult<T>,
) -> StoreResult<T> {
    let visible = visibility_condition("r");
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
    let glob = filter.glob.as_deref().map(escape_glob).transpose()?;
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
            ":limit": filter.limit.map_or(-1, to_sql_integer),
            ":offset": to_sql_integer(filter.offset),
        },
    )
}

/// Returns `Viewer::sees` as a condition on the record with this alias, so that the database can
/// count and skip rows. It has the parameters `:org`, `:project` and `:user`.
pub(crate) fn visibility_condition(row: &str) -> String {
    format!(
        "({row}.visibility = 'public' \
         OR ({row}.visibility = 'org' AND {row}.org = :org) \
         OR ({row}.org = :org AND {row}.project = :project \
             AND ({row}.visibility = 'project' \
                  OR ({row}.visibility = 'private' AND {row}.owner = :user))))"
    )
}

/// The condition `DisplayName::is_unnamed`.
const UNNAMED: &str = "r.display_name GLOB 'unnamed_????????*' \
    AND substr(r.display_name, 9) NOT GLOB '*[^0-9a-fA-F]*'";

/// The longest accepted pattern; longer than any name that it could match.
const MAX_GLOB_BYTES: usize = 1000;

/// Escapes a pattern: of SQLite's wild cards we support only `*` and `?`.
fn escape_glob(pattern: &str) -> StoreResult<String> {
    if pattern.len() > MAX_GLOB_BYTES {
        return Err(Fault::refused(format!(
            "the pattern has {} bytes: expected at most {MAX_GLOB_BYTES}",
            pattern.len()
        )));
    }
    Ok(pattern.replace('[', "[[]"))
}
