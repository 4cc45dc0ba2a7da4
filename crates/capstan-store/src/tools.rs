//! The tools of downstream servers as last seen.

use capstan_core::code::{CodeHash, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::fault::StoreResult;
use crate::json;

pub(crate) fn known_tools(
    connection: &Connection,
    server: &str,
    configuration: &str,
) -> StoreResult<Option<Value>> {
    let sql = "SELECT tools FROM known_tools WHERE server = ?1 AND configuration_hash = ?2";
    let tools: Option<String> = connection
        .prepare_cached(sql)?
        .query_row([server, &hash(configuration)], |row| row.get(0))
        .optional()?;
    let read = |text: String| json::read(&text, "tools of a server");
    tools.map(read).transpose()
}

/// Replaces the known tools of the server.
pub(crate) fn remember_tools(
    connection: &Connection,
    server: &str,
    configuration: &str,
    tools: &Value,
    at: Timestamp,
) -> StoreResult<()> {
    let sql = "INSERT OR REPLACE INTO known_tools (server, configuration_hash, tools, seen_at) \
               VALUES (?1, ?2, ?3, ?4)";
    let tools = json::write_shallow(tools, "the tools of a server")?;
    connection
        .prepare_cached(sql)?
        .execute(params![server, hash(configuration), tools, at])?;
    Ok(())
}

/// Hashes a configuration. Configurations may contain secrets, which must not be stored.
fn hash(configuration: &str) -> String {
    let digest = Sha256::digest(configuration.as_bytes());
    CodeHash::from_bytes(digest.into()).to_string()
}
