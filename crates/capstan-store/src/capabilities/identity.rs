//! How things are called that nobody named: by as many digits of their hash as it takes. Other code
//! may begin with the same digits, and others of the scope may have the same code for themselves.

use capstan_core::code::{CodeHash, DisplayName, Fqdn, Scope};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::names::holder;
use crate::fault::{Fault, Outcome};

/// The digits that are added when fewer are taken.
const STEP: usize = 4;
const ALL: usize = 64;

/// How often the hash of the hash is taken when all of its digits are taken too: for each fifteen or
/// so of a scope who have the same code.
const ROUNDS: usize = 1000;

/// `exec_` and at least eight digits that no other record of the scope has.
pub(super) fn action(connection: &Connection, scope: &Scope, hash: &CodeHash) -> Outcome<String> {
    let action = |digits: &str| format!("exec_{digits}");
    let sql = "SELECT EXISTS (SELECT 1 FROM capability_records \
               WHERE org = ?1 AND project = ?2 AND action = ?3)";
    let digits = shortest(hash, 8, |hash, digits| {
        is_free(connection, sql, scope, &action(hash.short(digits)))
    })?;
    Ok(action(&digits))
}

/// The hash in a fully qualified name: at least four digits that no other record of the scope has.
pub(super) fn record_hash(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> Outcome<String> {
    let sql = "SELECT EXISTS (SELECT 1 FROM capability_records \
               WHERE org = ?1 AND project = ?2 AND hash = ?3)";
    shortest(hash, 4, |hash, digits| {
        is_free(connection, sql, scope, hash.short(digits))
    })
}

/// Refuses parts that would make it something else.
pub(super) fn fqdn(scope: &Scope, namespace: &str, action: &str, hash: &str) -> Outcome<Fqdn> {
    let fqdn = Fqdn::new(scope, namespace, action, hash);
    Fqdn::parse(fqdn.as_str()).map_err(|_| {
        Fault::refused(format!(
            "`{scope}.{namespace}` cannot be the beginning of a name: expected an org, a project \
             and a namespace of letters, digits, `_`, `-` and `:`"
        ))
    })
}

/// `unnamed_` and at least eight digits.
pub(super) fn unnamed(
    connection: &Connection,
    scope: &Scope,
    hash: &CodeHash,
) -> Outcome<DisplayName> {
    let mut free = None;
    shortest(hash, 8, |hash, digits| {
        let name = DisplayName::unnamed(hash, digits);
        let is_free = holder(connection, scope, &name)?.is_none();
        free = is_free.then_some(name);
        Ok(is_free)
    })?;
    free.ok_or(Fault::Undone)
}

fn shortest(
    hash: &CodeHash,
    least: usize,
    mut is_free: impl FnMut(&CodeHash, usize) -> Outcome<bool>,
) -> Outcome<String> {
    let mut current = hash.clone();
    for _ in 0..ROUNDS {
        for digits in (least..=ALL).step_by(STEP) {
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

/// Whether nothing of the scope is called so.
fn is_free(connection: &Connection, sql: &str, scope: &Scope, text: &str) -> Outcome<bool> {
    let mut statement = connection.prepare_cached(sql)?;
    let params = [scope.org.as_str(), &scope.project, text];
    let is_taken: bool = statement.query_row(params, |row| row.get(0))?;
    Ok(!is_taken)
}
