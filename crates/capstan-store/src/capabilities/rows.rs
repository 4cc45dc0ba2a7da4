//! Rows as records and patterns.

use std::collections::BTreeMap;

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Fqdn, Pattern, Record, Scope, Statistics,
};
use capstan_core::port::CodeSummary;
use rusqlite::{Connection, Params, Row, Statement};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::fault::{Fault, Outcome};
use crate::json;
use crate::number::count;

/// Which records, in the words of SQL, with `r` for the record and `w` for its pattern.
pub(super) fn capabilities(
    connection: &Connection,
    which: &str,
    params: impl Params,
) -> Outcome<Vec<Capability>> {
    // Records first: where all are wanted in some order, it is theirs.
    let sql = format!(
        "SELECT {RECORD}, {PATTERN} FROM capability_records r \
         CROSS JOIN workflow_pattern w ON w.pattern_id = r.id {which}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut names = connection.prepare_cached(ALIASES)?;
    let mut called = connection.prepare_cached(CALLS)?;
    let mut failed = connection.prepare_cached(FAILED_CALLS)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut record = read_record(row)?;
        record.aliases = aliases(&mut names, &record)?;
        let mut pattern = read_pattern(row)?;
        pattern.calls = texts(&mut called, [record.fqdn.as_str()])?;
        pattern.failed_calls = texts(&mut failed, [record.fqdn.as_str()])?;
        found.push(Capability { record, pattern });
    }
    Ok(found)
}

/// The same, of which only what a list shows is read.
pub(super) fn summaries(
    connection: &Connection,
    which: &str,
    params: impl Params,
) -> Outcome<Vec<CodeSummary>> {
    let sql = format!(
        "SELECT {RECORD}, w.intent, w.parameters_schema FROM capability_records r \
         CROSS JOIN workflow_pattern w ON w.pattern_id = r.id {which}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut names = connection.prepare_cached(ALIASES)?;
    let mut called = connection.prepare_cached(CALLS)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut record = read_record(row)?;
        record.aliases = aliases(&mut names, &record)?;
        let calls = texts(&mut called, [record.fqdn.as_str()])?;
        let schema = row.get_ref(RECORD_COLUMNS + 1)?;
        let schema = schema.as_str().map_err(rusqlite::Error::from)?;
        // Only an object has properties; a schema may also be a mere `true`.
        let schema: Schema = match schema.starts_with('{') {
            true => serde_json::from_str(schema).unwrap_or_default(),
            false => Schema::default(),
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
struct Schema {
    #[serde(default)]
    properties: BTreeMap<String, IgnoredAny>,
}

/// A record that has to be there.
pub(crate) fn record(connection: &Connection, fqdn: &Fqdn) -> Outcome<Record> {
    let sql = format!("SELECT {RECORD} FROM capability_records r WHERE r.id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([fqdn.as_str()])?;
    let row = rows
        .next()?
        .ok_or_else(|| Fault::not_found(fqdn.as_str()))?;
    let mut record = read_record(row)?;
    record.aliases = aliases(&mut *connection.prepare_cached(ALIASES)?, &record)?;
    Ok(record)
}

/// A record that has to be there, with its pattern.
pub(super) fn capability(connection: &Connection, fqdn: &Fqdn) -> Outcome<Capability> {
    let mut found = capabilities(connection, "WHERE r.id = ?1", [fqdn.as_str()])?;
    found.pop().ok_or_else(|| Fault::not_found(fqdn.as_str()))
}

/// A column of texts.
pub(crate) fn texts(statement: &mut Statement<'_>, params: impl Params) -> Outcome<Vec<String>> {
    let rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A name from the database.
pub(crate) fn fqdn(text: &str) -> Outcome<Fqdn> {
    Fqdn::parse(text).map_err(|error| Fault::Damaged(error.to_string()))
}

const RECORD: &str = "r.id, r.org, r.project, r.namespace, r.action, \
    r.display_name, r.visibility, r.owner, r.usage_count, r.success_count, r.mean_latency_ms, \
    r.last_used_at, r.created_at, r.updated_at";

const PATTERN: &str = "w.code_hash, w.code_snippet, w.intent, w.parameters_schema, w.created_at";

/// Names of a record other than its display name.
const ALIASES: &str =
    "SELECT name FROM capability_names WHERE fqdn = ?1 AND name <> ?2 ORDER BY id";

/// What a pattern calls, in the order in which it stands there.
pub(crate) const CALLS: &str =
    "SELECT capability FROM pattern_call WHERE pattern_id = ?1 ORDER BY position";

/// Of those, what is not known to have worked.
pub(crate) const FAILED_CALLS: &str =
    "SELECT capability FROM pattern_call WHERE pattern_id = ?1 AND failed = 1 ORDER BY position";

/// Of those, what is known to have worked.
pub(crate) const WORKING_CALLS: &str =
    "SELECT capability FROM pattern_call WHERE pattern_id = ?1 AND failed = 0 ORDER BY position";

/// The columns of `RECORD`, which the columns of `PATTERN` follow.
const RECORD_COLUMNS: usize = 14;

/// Without its aliases.
fn read_record(row: &Row<'_>) -> Outcome<Record> {
    Ok(Record {
        fqdn: fqdn(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?,
        scope: Scope {
            org: row.get(1)?,
            project: row.get(2)?,
        },
        namespace: row.get(3)?,
        action: row.get(4)?,
        name: name(&row.get::<_, String>(5)?)?,
        aliases: Vec::new(),
        visibility: json::from_word(&row.get::<_, String>(6)?)?,
        owner: row.get(7)?,
        statistics: Statistics {
            usage_count: count(row.get(8)?),
            success_count: count(row.get(9)?),
            mean_latency_ms: row.get(10)?,
            last_used_at: row.get(11)?,
        },
        created_at: row.get(12)?,
        updated_at: row.get(13)?,
    })
}

/// Without its calls.
fn read_pattern(row: &Row<'_>) -> Outcome<Pattern> {
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

fn aliases(statement: &mut Statement<'_>, record: &Record) -> Outcome<Vec<DisplayName>> {
    let names = texts(statement, [record.fqdn.as_str(), record.name.as_str()])?;
    names.iter().map(|text| name(text)).collect()
}

fn name(text: &str) -> Outcome<DisplayName> {
    DisplayName::parse(text).map_err(|error| Fault::Damaged(error.to_string()))
}
