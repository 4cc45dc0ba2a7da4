//! Reads rows as records and patterns.

use std::collections::BTreeMap;

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Fqdn, Pattern, Record, Scope, Statistics,
};
use capstan_core::port::CodeSummary;
use rusqlite::{Connection, Params, Row, Statement};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::fault::{Fault, StoreResult};
use crate::integer::from_sql_integer;
use crate::json;

/// Reads the capabilities that an SQL clause selects. In it, `r` is the record and `w` its pattern.
pub(super) fn capabilities(
    connection: &Connection,
    which: &str,
    params: impl Params,
) -> StoreResult<Vec<Capability>> {
    // `CROSS JOIN` keeps records first: lists are sorted by their columns.
    let sql = format!(
        "SELECT {RECORD}, {PATTERN} FROM capability_records r \
         CROSS JOIN workflow_pattern w ON w.pattern_id = r.id {which}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut aliases_statement = connection.prepare_cached(ALIASES)?;
    let mut calls_statement = connection.prepare_cached(CALLS)?;
    let mut failed_statement = connection.prepare_cached(FAILED_CALLS)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut record = read_record(row)?;
        record.aliases = read_aliases(&mut aliases_statement, &record)?;
        let mut pattern = read_pattern(row)?;
        pattern.calls = texts(&mut calls_statement, [record.fqdn.as_str()])?;
        pattern.failed_calls = texts(&mut failed_statement, [record.fqdn.as_str()])?;
        found.push(Capability { record, pattern });
    }
    Ok(found)
}

/// Reads the same rows, but only what a list shows.
pub(super) fn summaries(
    connection: &Connection,
    which: &str,
    params: impl Params,
) -> StoreResult<Vec<CodeSummary>> {
    let sql = format!(
        "SELECT {RECORD}, w.intent, w.parameters_schema FROM capability_records r \
         CROSS JOIN workflow_pattern w ON w.pattern_id = r.id {which}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut aliases_statement = connection.prepare_cached(ALIASES)?;
    let mut calls_statement = connection.prepare_cached(CALLS)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut record = read_record(row)?;
        record.aliases = read_aliases(&mut aliases_statement, &record)?;
        let calls = texts(&mut calls_statement, [record.fqdn.as_str()])?;
        let schema_column = row.get_ref(RECORD_COLUMNS + 1)?;
        let schema_text = schema_column.as_str().map_err(rusqlite::Error::from)?;
        // Only an object has properties; a schema may also be just `true`.
        let schema: SchemaProperties = if schema_text.starts_with('{') {
            serde_json::from_str(schema_text).unwrap_or_default()
        } else {
            SchemaProperties::default()
        };
        found.push(CodeSummary {
            record,
            intent: row.get(RECORD_COLUMNS)?,
            parameters: schema.properties.into_keys().collect(),
            calls,
        });
    }
    Ok(found)
}

#[derive(Default, Deserialize)]
struct SchemaProperties {
    #[serde(default)]
    properties: BTreeMap<String, IgnoredAny>,
}

/// Reads a record; fails if it does not exist.
pub(crate) fn record(connection: &Connection, fqdn: &Fqdn) -> StoreResult<Record> {
    let sql = format!("SELECT {RECORD} FROM capability_records r WHERE r.id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([fqdn.as_str()])?;
    let row = rows
        .next()?
        .ok_or_else(|| Fault::not_found(fqdn.as_str()))?;
    let mut record = read_record(row)?;
    record.aliases = read_aliases(&mut *connection.prepare_cached(ALIASES)?, &record)?;
    Ok(record)
}

/// Reads a record with its pattern; fails if it does not exist.
pub(super) fn capability(connection: &Connection, fqdn: &Fqdn) -> StoreResult<Capability> {
    let mut found = capabilities(connection, "WHERE r.id = ?1", [fqdn.as_str()])?;
    found.pop().ok_or_else(|| Fault::not_found(fqdn.as_str()))
}

/// Reads one column of texts.
pub(crate) fn texts(
    statement: &mut Statement<'_>,
    params: impl Params,
) -> StoreResult<Vec<String>> {
    let rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Parses a name from the database.
pub(crate) fn fqdn(text: &str) -> StoreResult<Fqdn> {
    Fqdn::parse(text).map_err(|error| Fault::Damaged(error.to_string()))
}

const RECORD: &str = "r.id, r.org, r.project, r.namespace, r.action, \
    r.display_name, r.visibility, r.owner, r.usage_count, r.success_count, r.mean_latency_ms, \
    r.last_used_at, r.created_at, r.updated_at";

const PATTERN: &str = "w.code_hash, w.code_snippet, w.intent, w.parameters_schema, w.created_at";

/// Selects the names of a record other than its display name.
const ALIASES: &str =
    "SELECT name FROM capability_names WHERE fqdn = ?1 AND name <> ?2 ORDER BY id";

/// Selects what a pattern calls, in source order.
pub(crate) const CALLS: &str =
    "SELECT capability FROM pattern_call WHERE pattern_id = ?1 ORDER BY position";

/// Selects the calls that are not known to have succeeded.
pub(crate) const FAILED_CALLS: &str =
    "SELECT capability FROM pattern_call WHERE pattern_id = ?1 AND failed = 1 ORDER BY position";

/// Selects the calls that are known to have succeeded.
pub(crate) const WORKING_CALLS: &str =
    "SELECT capability FROM pattern_call WHERE pattern_id = ?1 AND failed = 0 ORDER BY position";

/// The number of columns in `RECORD`, after which the columns of `PATTERN` follow.
const RECORD_COLUMNS: usize = 14;

/// Reads a record without its aliases.
fn read_record(row: &Row<'_>) -> StoreResult<Record> {
    Ok(Record {
        fqdn: fqdn(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?,
        scope: Scope {
            org: row.get(1)?,
            project: row.get(2)?,
        },
        namespace: row.get(3)?,
        action: row.get(4)?,
        name: parse_name(&row.get::<_, String>(5)?)?,
        aliases: Vec::new(),
        visibility: json::from_word(&row.get::<_, String>(6)?)?,
        owner: row.get(7)?,
        statistics: Statistics {
            usage_count: from_sql_integer(row.get(8)?),
            success_count: from_sql_integer(row.get(9)?),
            mean_latency_ms: row.get(10)?,
            last_used_at: row.get(11)?,
        },
        created_at: row.get(12)?,
        updated_at: row.get(13)?,
    })
}

/// Reads a pattern without its calls.
fn read_pattern(row: &Row<'_>) -> StoreResult<Pattern> {
    let hash: String = row.get(RECORD_COLUMNS)?;
    let parameters: String = row.get(RECORD_COLUMNS + 3)?;
    Ok(Pattern {
        hash: CodeHash::parse(&hash).map_err(|error| Fault::Damaged(error.to_string()))?,
        code: row.get(RECORD_COLUMNS + 1)?,
        intent: row.get(RECORD_COLUMNS + 2)?,
        parameters: json::read(&parameters, "parameters of a pattern")?,
        calls: Vec::new(),
        failed_calls: Vec::new(),
        created_at: row.get(RECORD_COLUMNS + 4)?,
    })
}

fn read_aliases(statement: &mut Statement<'_>, record: &Record) -> StoreResult<Vec<DisplayName>> {
    let names = texts(statement, [record.fqdn.as_str(), record.name.as_str()])?;
    names.iter().map(|text| parse_name(text)).collect()
}

fn parse_name(text: &str) -> StoreResult<DisplayName> {
    DisplayName::parse(text).map_err(|error| Fault::Damaged(error.to_string()))
}
