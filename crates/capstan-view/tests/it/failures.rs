//! Failures: the code, the message, and what to send instead.

use capstan_core::ErrorCode;
use insta::assert_snapshot;
use serde_json::json;

use crate::samples::{failed, shown};

#[test]
fn each_kind_says_what_to_do() {
    let failures = [
        failed(
            ErrorCode::NotFound,
            "Could not resolve to an Issue\nwith the number of 999.",
            json!({"status": 200, "request_id": "51A0:0001", "scopes_needed": "repo",
                   "mend": {"tool": "execute", "arguments": {"capability": "issue.list"}}}),
        ),
        failed(
            ErrorCode::NotFound,
            "there is no capability `issue.lst`",
            json!({"near": ["issue.list", "issue.view"]}),
        ),
        failed(
            ErrorCode::Conflict,
            "`sum` matches 2 capabilities: name one, a.sum or b.sum",
            json!({"near": ["a.sum", "b.sum"]}),
        ),
        failed(
            ErrorCode::Validation,
            "bad input for issue.close: `issue` is unknown",
            json!({"fields": [{"field": "issue", "problem": "is unknown"}], "correction": "issue close 45 --reason not_planned"}),
        ),
        failed(
            ErrorCode::RateLimit,
            "GitHub asks to slow down",
            json!({"retry_after_s": 42}),
        ),
        failed(
            ErrorCode::Network,
            "the connection was reset",
            json!({"outcome": "unknown"}),
        ),
        failed(
            ErrorCode::Network,
            "the connection was reset; it may have happened: check before sending it again",
            json!({"outcome": "unknown"}),
        ),
        failed(
            ErrorCode::Server,
            "the answer was cut short",
            json!({"outcome": "applied"}),
        ),
        failed(
            ErrorCode::Network,
            "`127.0.0.1` refused the connection",
            json!({"outcome": "not_applied"}),
        ),
        failed(
            ErrorCode::Auth,
            "Resource not accessible by personal access token",
            json!({"sso": "required"}),
        ),
        failed(ErrorCode::Policy, "writes are not allowed here", json!({})),
    ];
    let texts: Vec<_> = failures
        .iter()
        .map(|it| shown(it, None, json!({})))
        .collect();
    assert_snapshot!(texts.join("\n---\n"));
}
