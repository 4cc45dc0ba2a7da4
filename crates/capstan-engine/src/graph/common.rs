//! What new code has in common with other code: what both call, and what both are for.

use std::collections::BTreeSet;

use capstan_core::ResultError;
use capstan_core::code::{Fqdn, Observation};
use capstan_core::port::{Resolved, Sharing, Store};
use capstan_graph::{CodeFacts, related};

use crate::Capstan;
use crate::capability::broken;

/// With how many others it is compared: those that call most of the same.
const MOST: u64 = 20;

pub(super) async fn with_others(
    capstan: &Capstan,
    store: &dyn Store,
    fqdn: &Fqdn,
) -> Result<Vec<Observation>, ResultError> {
    let viewer = capstan.viewer();
    let found = store.resolve(viewer, fqdn.as_str()).await;
    let Resolved::Found(code, _) = found.map_err(|error| broken(&error))? else {
        return Ok(Vec::new());
    };
    let new = CodeFacts {
        fqdn: fqdn.clone(),
        calls: code.pattern.calls.into_iter().collect(),
        created_at: code.record.created_at,
        similarity: None,
    };
    let sharing = store.sharing(viewer, fqdn, MOST).await;
    let sharing = sharing.map_err(|error| broken(&error))?;
    let others: Vec<_> = sharing.into_iter().map(facts).collect();
    Ok(related(&new, &others))
}

fn facts(other: Sharing) -> CodeFacts {
    let calls: BTreeSet<String> = other.calls.into_iter().collect();
    CodeFacts {
        fqdn: other.fqdn,
        calls,
        created_at: other.created_at,
        similarity: None,
    }
}
