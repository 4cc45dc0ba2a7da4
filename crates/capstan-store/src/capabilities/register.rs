//! Code that ran with success becomes a capability, or counts as a use of the one it is.

use std::collections::BTreeSet;

use capstan_core::code::{Capability, EventKind, Fqdn, Statistics, Trace, Visibility};
use capstan_core::port::NewCapability;
use rusqlite::Connection;

use super::find::fqdn_by_hash;
use super::pattern::Content;
use super::{identity, record, rows, usage};
use crate::fault::Outcome;
use crate::traces;

pub(crate) fn register(connection: &Connection, new: &NewCapability) -> Outcome<Capability> {
    let fqdn = match fqdn_by_hash(connection, &new.by, &new.hash)? {
        Some(fqdn) => {
            usage::record_use(connection, &fqdn, &new.used)?;
            fqdn
        }
        None => add(connection, new)?,
    };
    if let Some(trace) = &new.trace {
        // Only here it is known what the code is called.
        traces::add_of(connection, &new.by, trace, &fqdn)?;
    }
    rows::capability(connection, &fqdn)
}

fn add(connection: &Connection, new: &NewCapability) -> Outcome<Fqdn> {
    let at = new.used.at;
    let failed_calls = new.trace.as_ref().map(failed_calls).unwrap_or_default();
    let content = Content {
        hash: &new.hash,
        code: &new.code,
        intent: &new.intent,
        parameters: &new.parameters,
        calls: &new.calls,
        failed_calls: &failed_calls,
    };
    let scope = &new.by.scope;
    let name = identity::unnamed(connection, scope, &new.hash)?;
    record::add(
        connection,
        &record::New {
            scope,
            namespace: &new.namespace,
            content,
            name: &name,
            visibility: Visibility::default(),
            owner: &new.by.user,
            statistics: Statistics::default().with(&usage::sane(&new.used)),
            at,
            origin: EventKind::Created,
        },
    )
}

/// What was called and never answered well.
fn failed_calls(trace: &Trace) -> Vec<String> {
    let of = |ok: bool| -> BTreeSet<&String> {
        let calls = trace.calls.iter().filter(|call| call.ok == ok);
        calls.map(|call| &call.capability).collect()
    };
    let failed = of(false).into_iter();
    let worked = of(true);
    failed
        .filter(|call| !worked.contains(call))
        .cloned()
        .collect()
}
