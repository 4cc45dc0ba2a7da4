//! The names that new code gets, made of as many digits of its hash as are needed to be unique.
//! Other code may begin with the same digits, and other users of the scope may have the same code
//! as their own.

use capstan_core::code::{CodeHash, DisplayName, Fqdn, Scope};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::names::holder;
use crate::fault::{Fault, StoreResult};

/// How many digits are added when a shorter name is taken.
const ADDED_DIGITS: usize = 4;
const ALL_DIGITS: usize = 64;

/// How often the hash is hashed again when all of its prefixes are taken. Each round provides about
/// fifteen names for users of a scope who have the same code.
const ROUNDS: usize = 1000;

/// Returns `exec_` and at least eight digits that no other record of the scope has.
pub(super) fn unique_action(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> StoreResult<String> {
    let action = |digits: &str| format!("exec_{digits}");
    let sql = "SELECT EXISTS (SELECT 1 FROM capability_records \
               WHERE org = ?1 AND project = ?2 AND action = ?3)";
    let digits = shortest_free(hash, 8, |hash, digits| {
        is_free(connection, sql, scope, &action(hash.short(digits)))
    })?;
    Ok(action(&digits))
}

/// Returns the hash for a fully qualified name: at least four digits that no other record of the
/// scope has.
pub(super) fn unique_record_hash(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> StoreResult<String> {
    let sql = "SELECT EXISTS (SELECT 1 FROM capability_records \
               WHERE org = ?1 AND project = ?2 AND hash = ?3)";
    shortest_free(hash, 4, |hash, digits| {
        is_free(connection, sql, scope, hash.short(digits))
    })
}

/// Builds a fully qualified name; refuses parts with which it could not be parsed again.
pub(super) fn checked_fqdn(
    scope: &Scope,
    namespace: &str,
    action: &str,
    hash: &str,
) -> StoreResult<Fqdn> {
    let fqdn = Fqdn::new(scope, namespace, action, hash);
    Fqdn::parse(fqdn.as_str()).map_err(|_| {
        Fault::refused(format!(
            "`{scope}.{namespace}` cannot be the beginning of a name: expected an org, a project \
             and a namespace of letters, digits, `_`, `-` and `:`"
        ))
    })
}

/// Returns `unnamed_` and at least eight digits, free in the scope.
pub(super) fn unique_display_name(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> StoreResult<DisplayName> {
    let mut free = None;
    shortest_free(hash, 8, |hash, digits| {
        let name = DisplayName::unnamed(hash, digits);
        let is_free = holder(connection, scope, &name)?.is_none();
        free = is_free.then_some(name);
        Ok(is_free)
    })?;
    free.ok_or(Fault::RolledBack)
}

fn shortest_free(
    hash: &CodeHash,
    min_digits: usize,
    mut is_free: impl FnMut(&CodeHash, usize) -> StoreResult<bool>,
) -> StoreResult<String> {
    let mut current = hash.clone();
    for _ in 0..ROUNDS {
        for digits in (min_digits..=ALL_DIGITS).step_by(ADDED_DIGITS) {
            if is_free(&current, digits)? {
                return Ok(current.short(digits).to_owned());
            }
        }
        current = CodeHash::from_bytes(Sha256::digest(current.as_str()).into());
    }
    Err(Fault::refused(format!(
        "every name that can be made of the hash {hash} is taken: rename the capabilities that have them"
    )))
}

/// Returns whether no record of the scope has this text.
fn is_free(connection: &Connection, sql: &str, scope: &Scope, text: &str) -> StoreResult<bool> {
    let mut statement = connection.prepare_cached(sql)?;
    let params = [scope.org.as_str(), &scope.project, text];
    let is_taken: bool = statement.query_row(params, |row| row.get(0))?;
    Ok(!is_taken)
}
