//! Registers code that succeeded as a capability, or counts a use of the capability that it already
//! is.

use std::collections::BTreeSet;

use capstan_core::code::{Capability, EventKind, Fqdn, Statistics, Trace, Visibility};
use capstan_core::port::NewCapability;
use rusqlite::Connection;

use super::find::fqdn_by_hash;
use super::pattern::PatternContent;
use super::{identity, record, rows, usage};
use crate::fault::StoreResult;
use crate::traces;

pub(crate) fn register(connection: &Connection, new: &NewCapability) -> StoreResult<Capability> {
    let fqdn = match fqdn_by_hash(connection, &new.by, &new.hash)? {
        Some(fqdn) => {
            usage::record_use(connection, &fqdn, &new.used)?;
            fqdn
        }
        None => add(connection, new)?,
    };
    if let Some(trace) = &new.trace {
        // Only now the name of the code is known.
        traces::add_for_code(connection, &new.by, trace, &fqdn)?;
    }
    rows::capability(connection, &fqdn)
}

fn add(connection: &Connection, new: &NewCapability) -> StoreResult<Fqdn> {
    let at = new.used.at;
    let failed_calls = new.trace.as_ref().map(failed_calls).unwrap_or_default();
    let content = PatternContent {
        hash: &new.hash,
        code: &new.code,
        intent: &new.intent,
        parameters: &new.parameters,
        calls: &new.calls,
        failed_calls: &failed_calls,
    };
    let scope = &new.by.scope;
    let name = identity::unique_display_name(connection, scope, &new.hash)?;
    record::add(
        connection,
        &record::NewRecord {
            scope,
            namespace: &new.namespace,
            content,
            name: &name,
            visibility: Visibility::default(),
            owner: &new.by.user,
            statistics: Statistics::default().with(&usage::with_valid_latency(&new.used)),
            at,
            origin: EventKind::Created,
        },
    )
}

/// Returns the capabilities that were called and never succeeded.
fn failed_calls(trace: &Trace) -> Vec<String> {
    let calls_with = |ok: bool| -> BTreeSet<&String> {
        let calls = trace.calls.iter().filter(|call| call.ok == ok);
        calls.map(|call| &call.capability).collect()
    };
    let failed = calls_with(false).into_iter();
    let succeeded = calls_with(true);
    failed
        .filter(|call| !succeeded.contains(call))
        .cloned()
        .collect()
}
