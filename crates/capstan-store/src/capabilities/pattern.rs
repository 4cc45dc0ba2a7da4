//! Patterns: the content behind records.

use capstan_core::code::{CodeHash, Fqdn, Timestamp};
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::fault::Outcome;
use crate::json;

/// What a pattern is made of.
pub(super) struct Content<'a> {
    pub(super) hash: &'a CodeHash,
    pub(super) code: &'a str,
    pub(super) intent: &'a str,
    pub(super) parameters: &'a Value,
    pub(super) calls: &'a [String],
    /// Of those, what only failed.
    pub(super) failed_calls: &'a [String],
}

pub(super) fn add(
    connection: &Connection,
    fqdn: &Fqdn,
    content: &Content<'_>,
    at: Timestamp,
) -> Outcome<()> {
    let parameters = json::write_shallow(content.parameters, "the parameters")?;
    let sql = "INSERT INTO workflow_pattern \
               (pattern_id, code_hash, code_snippet, intent, parameters_schema, created_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection.prepare_cached(sql)?.execute(params![
        fqdn.as_str(),
        content.hash.as_str(),
        content.code,
        content.intent,
        parameters,
        at
    ])?;
    let sql = "INSERT INTO pattern_call (pattern_id, position, capability, failed) \
               VALUES (?1, ?2, ?3, ?4)";
    let mut statement = connection.prepare_cached(sql)?;
    for (position, call) in content.calls.iter().enumerate() {
        let failed = content.failed_calls.contains(call);
        statement.execute(params![fqdn.as_str(), position as i64, call, failed])?;
    }
    Ok(())
}
