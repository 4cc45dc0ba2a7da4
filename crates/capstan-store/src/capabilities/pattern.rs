//! Patterns: the content behind records.

use capstan_core::code::{CodeHash, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use super::identity;
use crate::fault::Outcome;
use crate::json;

/// What a pattern is made of.
pub(super) struct Content<'a> {
    pub(super) hash: &'a CodeHash,
    pub(super) code: &'a str,
    pub(super) intent: &'a str,
    pub(super) parameters: &'a Value,
    pub(super) calls: &'a [String],
}

/// The id of the pattern with this hash. Content that is there stays as it is.
pub(super) fn ensure(
    connection: &Connection,
    content: &Content<'_>,
    at: Timestamp,
) -> Outcome<String> {
    let sql = "SELECT pattern_id FROM workflow_pattern WHERE code_hash = ?1";
    let known = connection
        .prepare_cached(sql)?
        .query_row([content.hash.as_str()], |row| row.get(0))
        .optional()?;
    match known {
        Some(id) => Ok(id),
        None => add(connection, content, at),
    }
}

/// Forgets a pattern, with its calls and edges, if no record has it any more.
pub(super) fn drop_if_unused(connection: &Connection, id: &str) -> Outcome<()> {
    let sql = "DELETE FROM workflow_pattern WHERE pattern_id = ?1 AND NOT EXISTS \
               (SELECT 1 FROM capability_records WHERE workflow_pattern_id = ?1)";
    connection.prepare_cached(sql)?.execute([id])?;
    Ok(())
}

fn add(connection: &Connection, content: &Content<'_>, at: Timestamp) -> Outcome<String> {
    let id = identity::pattern_id(connection, content.hash)?;
    let parameters = json::write_shallow(content.parameters, "the parameters")?;
    let sql = "INSERT INTO workflow_pattern \
               (pattern_id, code_hash, code_snippet, intent, parameters_schema, created_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection.prepare_cached(sql)?.execute(params![
        id,
        content.hash.as_str(),
        content.code,
        content.intent,
        parameters,
        at
    ])?;
    let sql = "INSERT INTO pattern_call (pattern_id, position, capability) VALUES (?1, ?2, ?3)";
    let mut statement = connection.prepare_cached(sql)?;
    for (position, call) in content.calls.iter().enumerate() {
        statement.execute(params![id, position as i64, call])?;
    }
    Ok(id)
}
