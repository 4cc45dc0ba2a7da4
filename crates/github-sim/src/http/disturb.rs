//! Faults that reach into a GraphQL execution, as the execution understands them.

use serde_json::Value;

use super::fault::{Blow, FaultKind, Struck};
use super::log::SeenRequest;
use crate::graphql::{ErrorPath, INTERNAL, Interference, Place, Planted};

/// What the faults do to the execution of a request.
pub(crate) fn disturb(struck: &Struck, request: &SeenRequest) -> Interference {
    let cut_after = match struck.blow.as_ref().map(|blow| &blow.kind) {
        Some(FaultKind::CutAfterWrites { writes, .. }) => Some(*writes),
        _ => None,
    };
    let planted = struck.errors.iter();
    Interference {
        planted: planted.filter_map(|blow| plant(blow, request)).collect(),
        cut_after,
    }
}

fn plant(blow: &Blow, request: &SeenRequest) -> Option<Planted> {
    match &blow.kind {
        FaultKind::GraphqlError {
            error_type,
            message,
            path,
        } => {
            let path = path.as_deref().unwrap_or_default();
            Some(Planted {
                place: place(path, blow.applied, request),
                error_type: Some(error_type.clone()),
                message: message.clone(),
                path: ErrorPath::Given(path.to_vec()),
            })
        }
        FaultKind::PathlessError {
            error_type,
            message,
            name,
        } => Some(Planted {
            place: match name {
                Some(name) => root(request.aliases_of(name), blow.applied),
                None => Place::Nowhere,
            },
            error_type: Some(error_type.clone()),
            message: message.clone(),
            path: ErrorPath::Absent,
        }),
        FaultKind::RootFailure { name } => Some(Planted {
            place: root(request.aliases_of(name), blow.applied),
            error_type: None,
            message: INTERNAL.to_owned(),
            path: ErrorPath::True,
        }),
        _ => None,
    }
}

/// What a path leads to in the answer, a heading such as `query` left out.
fn place(path: &[Value], applied: bool, request: &SeenRequest) -> Place {
    let headed = path.first().and_then(Value::as_str).is_some_and(|first| {
        let word = first.split(' ').next().unwrap_or_default();
        matches!(word, "query" | "mutation") && !request.aliases.iter().any(|alias| alias == first)
    });
    let path = if headed { &path[1..] } else { path };
    match path {
        [] => Place::Nowhere,
        [Value::String(alias)] if request.aliases.contains(alias) => {
            root(vec![alias.clone()], applied)
        }
        path => Place::Inside(path.to_vec()),
    }
}

fn root(aliases: Vec<String>, applied: bool) -> Place {
    Place::Root {
        aliases,
        carried_out: applied,
    }
}
