//! Code that ran with success becomes a capability, or counts as a use of the one it is.

use capstan_core::code::{Capability, EventKind, Fqdn, Statistics, Visibility};
use capstan_core::port::NewCapability;
use rusqlite::Connection;

use super::find::fqdn_by_hash;
use super::pattern::{self, Content};
use super::visibility::set_visibility;
use super::{identity, record, rows, usage};
use crate::fault::Outcome;
use crate::traces;

pub(crate) fn register(connection: &Connection, new: &NewCapability) -> Outcome<Capability> {
    let fqdn = match fqdn_by_hash(connection, &new.scope, &new.hash)? {
        Some(fqdn) => {
            usage::count(connection, &fqdn, &new.used)?;
            share(connection, &fqdn, new)?;
            fqdn
        }
        None => add(connection, new)?,
    };
    if let Some(trace) = &new.trace {
        // Only here it is known what the code is called.
        traces::add_of(connection, trace, &fqdn)?;
    }
    rows::capability(connection, &fqdn)
}

/// What two people of a project wrote is no secret of the first.
fn share(connection: &Connection, fqdn: &Fqdn, new: &NewCapability) -> Outcome<()> {
    let record = rows::record(connection, fqdn)?;
    if record.visibility == Visibility::Private && record.owner != new.owner {
        set_visibility(connection, fqdn, Visibility::Project, new.used.at)?;
    }
    Ok(())
}

fn add(connection: &Connection, new: &NewCapability) -> Outcome<Fqdn> {
    let at = new.used.at;
    let content = Content {
        hash: &new.hash,
        code: &new.code,
        intent: &new.intent,
        parameters: &new.parameters,
        calls: &new.calls,
    };
    let pattern = pattern::ensure(connection, &content, at)?;
    let name = identity::unnamed(connection, &new.scope, &new.hash)?;
    record::add(
        connection,
        &record::New {
            scope: &new.scope,
            namespace: &new.namespace,
            pattern: &pattern,
            hash: &new.hash,
            name: &name,
            visibility: Visibility::default(),
            owner: &new.owner,
            statistics: Statistics::default().with(&usage::sane(&new.used)),
            at,
            origin: EventKind::Created,
        },
    )
}
