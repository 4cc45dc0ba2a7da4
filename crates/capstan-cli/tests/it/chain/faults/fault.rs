//! What goes wrong in the fault matrix.

use github_sim::{Cut, FaultKind};
use serde_json::Value;

use super::target::Target;

/// What `Retry-After` says, and after how long a spent budget comes back.
const RETRY_AFTER: u64 = 7;
const RESET_IN: u64 = 11;

/// Every fault by its name, as it hits this chain.
pub(super) fn all(target: Target) -> Vec<(&'static str, FaultKind)> {
    let victim = target.victim();
    let heading = if target.hits_writes() {
        "mutation"
    } else {
        "query"
    };
    let retry_after = Some(RETRY_AFTER);
    let mut faults = vec![
        ("hang_before", FaultKind::HangBefore),
        ("hang_after", FaultKind::HangAfter),
        ("reset_before", FaultKind::ResetBefore),
        ("reset_after", FaultKind::ResetAfter),
        ("401", FaultKind::Status401),
        ("403_scope", FaultKind::Status403Scope),
        (
            "403_secondary",
            FaultKind::Status403Secondary { retry_after },
        ),
        (
            "403_secondary_bare",
            FaultKind::Status403Secondary { retry_after: None },
        ),
        ("429", FaultKind::Status429 { retry_after }),
        ("500", FaultKind::Status500),
        ("502", FaultKind::Status502Html),
        ("503", FaultKind::Status503),
        ("truncated", FaultKind::Truncated),
        ("not_json", FaultKind::NotJson),
        ("data_string", FaultKind::DataString),
        ("partial_error", FaultKind::PartialError { field: None }),
        (
            "primary_limit",
            FaultKind::PrimaryLimit { reset_in: RESET_IN },
        ),
        ("node_limit", graphql("MAX_NODE_LIMIT_EXCEEDED", None)),
        ("scopes", graphql("INSUFFICIENT_SCOPES", None)),
        ("internal", graphql("INTERNAL", None)),
        ("alias_forbidden", graphql("FORBIDDEN", Some(&[&victim]))),
        ("alias_limited", graphql("RATE_LIMITED", Some(&[&victim]))),
        (
            "alias_unavailable",
            graphql("SERVICE_UNAVAILABLE", Some(&[&victim])),
        ),
        (
            "alias_headed",
            graphql("FORBIDDEN", Some(&[heading, &victim])),
        ),
        ("numeric_path", numeric()),
        (
            "root_failure",
            FaultKind::RootFailure {
                name: victim.clone(),
            },
        ),
        ("pathless", pathless(None)),
        ("pathless_null", pathless(Some(&victim))),
    ];
    if target.hits_writes() {
        for (name, then) in [
            ("cut_hang", Cut::Hang),
            ("cut_reset", Cut::Reset),
            ("cut_502", Cut::Status502),
        ] {
            faults.push((name, FaultKind::CutAfterWrites { writes: 1, then }));
        }
    }
    faults
}

/// Whether the client has to run out of time.
pub(super) fn hangs(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::HangBefore
            | FaultKind::HangAfter
            | FaultKind::CutAfterWrites {
                then: Cut::Hang,
                ..
            }
    )
}

fn graphql(error_type: &str, path: Option<&[&str]>) -> FaultKind {
    let path = path.map(|path| path.iter().map(|it| Value::from(*it)).collect());
    FaultKind::GraphqlError {
        error_type: error_type.to_owned(),
        message: "so it is".to_owned(),
        path,
    }
}

fn numeric() -> FaultKind {
    FaultKind::GraphqlError {
        error_type: "FORBIDDEN".to_owned(),
        message: "so it is".to_owned(),
        path: Some(vec![1.into(), "issue".into()]),
    }
}

fn pathless(name: Option<&str>) -> FaultKind {
    FaultKind::PathlessError {
        error_type: "SERVICE_UNAVAILABLE".to_owned(),
        message: "so it is".to_owned(),
        name: name.map(str::to_owned),
    }
}
