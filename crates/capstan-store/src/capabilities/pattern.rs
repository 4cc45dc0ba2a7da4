//! Patterns: the content of code capabilities.

use capstan_core::code::{CodeHash, Fqdn, Relaxation, Timestamp};
use rusqlite::{Connection, params};
use serde_json::Value;

use super::rows;
use crate::fault::StoreResult;
use crate::json;

/// The content of a new pattern.
pub(super) struct PatternContent<'a> {
    pub(super) hash: &'a CodeHash,
    pub(super) code: &'a str,
    pub(super) intent: &'a str,
    pub(super) parameters: &'a Value,
    pub(super) calls: &'a [String],
    /// Those of `calls` that never succeeded.
    pub(super) failed_calls: &'a [String],
}

pub(super) fn add(
    connection: &Connection,
    fqdn: &Fqdn,
    content: &PatternContent<'_>,
    at: Timestamp,
) -> StoreResult<()> {
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

/// Relaxes the parameters as they are now, in the caller's transaction.
pub(crate) fn relax_parameters(
    connection: &Connection,
    fqdn: &Fqdn,
    by: &Relaxation,
) -> StoreResult<()> {
    let mut parameters = rows::capability(connection, fqdn)?.pattern.parameters;
    if !by.apply(&mut parameters) {
        return Ok(());
    }
    let parameters = json::write_shallow(&parameters, "the parameters")?;
    let sql = "UPDATE workflow_pattern SET parameters_schema = ?2 WHERE pattern_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![fqdn.as_str(), parameters])?;
    Ok(())
}
