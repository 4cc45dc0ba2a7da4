//! Translates faults into changes to the execution of a GraphQL document.

use serde_json::Value;

use super::fault::{FaultKind, MatchedFault, MatchedFaults};
use super::log::SeenRequest;
use crate::graphql::{ErrorPath, ErrorTarget, INTERNAL_ERROR_MESSAGE, InjectedError, Interference};

/// Returns the changes that the faults make to the execution of `request`.
pub(crate) fn interference_for(faults: &MatchedFaults, request: &SeenRequest) -> Interference {
    let cut_after = match faults.whole.as_ref().map(|fault| &fault.kind) {
        Some(FaultKind::CutAfterWrites { writes, .. }) => Some(*writes),
        _ => None,
    };
    let partial = faults.partial.iter();
    Interference {
        errors: partial
            .filter_map(|fault| injected_error(fault, request))
            .collect(),
        cut_after,
    }
}

fn injected_error(fault: &MatchedFault, request: &SeenRequest) -> Option<InjectedError> {
    match &fault.kind {
        FaultKind::GraphqlError {
            error_type,
            message,
            path,
        } => {
            let path = path.as_deref().unwrap_or_default();
            Some(InjectedError {
                target: target_of(path, fault.applied, request),
                error_type: Some(error_type.clone()),
                message: message.clone(),
                path: ErrorPath::Given(path.to_vec()),
            })
        }
        FaultKind::PathlessError {
            error_type,
            message,
            name,
        } => Some(InjectedError {
            target: match name {
                Some(name) => root_target(request.aliases_of(name), fault.applied),
                None => ErrorTarget::Nowhere,
            },
            error_type: Some(error_type.clone()),
            message: message.clone(),
            path: ErrorPath::Absent,
        }),
        FaultKind::RootFailure { name } => Some(InjectedError {
            target: root_target(request.aliases_of(name), fault.applied),
            error_type: None,
            message: INTERNAL_ERROR_MESSAGE.to_owned(),
            path: ErrorPath::Actual,
        }),
        _ => None,
    }
}

/// Finds the part of the response data that a path points at. A leading `query` or `mutation` is ignored.
fn target_of(path: &[Value], applied: bool, request: &SeenRequest) -> ErrorTarget {
    let has_heading = path.first().and_then(Value::as_str).is_some_and(|first| {
        let word = first.split(' ').next().unwrap_or_default();
        matches!(word, "query" | "mutation") && !request.aliases.iter().any(|alias| alias == first)
    });
    let path = if has_heading { &path[1..] } else { path };
    match path {
        [] => ErrorTarget::Nowhere,
        [Value::String(alias)] if request.aliases.contains(alias) => {
            root_target(vec![alias.clone()], applied)
        }
        path => ErrorTarget::Inside(path.to_vec()),
    }
}

fn root_target(aliases: Vec<String>, applied: bool) -> ErrorTarget {
    ErrorTarget::Root {
        aliases,
        executed: applied,
    }
}
