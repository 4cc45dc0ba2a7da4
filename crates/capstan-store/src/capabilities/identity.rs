//! How things are called that nobody named: by as many digits of their hash as it takes.

use capstan_core::code::{CodeHash, DisplayName, Fqdn, Scope};
use rusqlite::{Connection, Params};

use super::names::holder;
use crate::fault::{Fault, Outcome};

/// The digits that are added when fewer are taken.
const STEP: usize = 4;
const ALL: usize = 64;

/// `exec_` and at least eight digits.
pub(super) fn pattern_id(connection: &Connection, hash: &CodeHash) -> Outcome<String> {
    let id = |digits: &str| format!("exec_{digits}");
    let sql = "SELECT EXISTS (SELECT 1 FROM workflow_pattern WHERE pattern_id = ?1)";
    let digits = shortest(hash, 8, |digits| {
        Ok(!exists(connection, sql, [id(digits)])?)
    })?;
    Ok(id(digits))
}

/// The hash in a fully qualified name: at least four digits, and no other record of the scope has
/// them.
pub(super) fn record_hash<'a>(
    connection: &Connection,
    scope: &Scope,
    hash: &'a CodeHash,
) -> Outcome<&'a str> {
    let sql = "SELECT EXISTS (SELECT 1 FROM capability_records \
               WHERE org = ?1 AND project = ?2 AND hash = ?3)";
    shortest(hash, 4, |digits| {
        Ok(!exists(
            connection,
            sql,
            [&scope.org, &scope.project, digits],
        )?)
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
    let name = |digits: &str| DisplayName::unnamed(hash, digits.len());
    let digits = shortest(hash, 8, |digits| {
        Ok(holder(connection, scope, &name(digits))?.is_none())
    })?;
    Ok(name(digits))
}

fn shortest(
    hash: &CodeHash,
    least: usize,
    mut is_free: impl FnMut(&str) -> Outcome<bool>,
) -> Outcome<&str> {
    for digits in (least..=ALL).step_by(STEP) {
        if is_free(hash.short(digits))? {
            return Ok(hash.short(digits));
        }
    }
    Err(Fault::refused(format!(
        "every name that can be made of the hash {hash} is taken: rename the capabilities that have them"
    )))
}

fn exists(connection: &Connection, sql: &str, params: impl Params) -> Outcome<bool> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(params, |row| row.get(0))?)
}
