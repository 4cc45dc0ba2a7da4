//! Raw REST calls that must not be sent.

use capstan_core::ErrorCode;
use serde_json::json;

use super::bench::{message, rest};
use crate::support::Bench;

#[tokio::test]
async fn paths_lead_nowhere_else() {
    let bench = Bench::demo().await;
    let path = |path: &str| json!({"path": path});
    for (input, expected) in [
        (path(""), "`path` is missing"),
        (json!({}), "`path` is missing"),
        (path("/repos/../user"), "no `.` or `..`"),
        (path("/repos/%2e%2E/user"), "no `.` or `..`"),
        (path("/repos/a%2f..%2fuser"), "no `.` or `..`"),
        (path("/repos/a%5C..%5Cuser"), "no `.` or `..`"),
        (path("/repos//user"), "no empty parts"),
        (path("//evil.example.org/x"), "is not a path"),
        (path("/x\\y"), "is not a path"),
        (path("/x#y"), "is not a path"),
        (path("/x\ny"), "is not a path"),
        (
            path("https://evil.example.org/repos/a/b"),
            "is not an address of this GitHub",
        ),
        (
            path("https://api.github.com@evil.example.org/user"),
            "is not an address",
        ),
        (path("https://{params}/user"), "is not an address"),
        (
            path("ftp://api.github.com/user"),
            "is not an address of this GitHub",
        ),
        (
            path("/repos/{owner}/{repo}"),
            "`{owner}`, which has no value: give `owner`",
        ),
        (
            path("/gists/{id}"),
            "`{id}`, which has no value: give it in `params`",
        ),
        (path("/gists/{i d}"), "expected a name"),
        (path("/gists/{id"), "never closed"),
        (path("/gists/id}"), "closes nothing"),
        (path("/graphql"), "use `github.graphql`"),
        (path("$0.data.path"), "cannot refer to a step"),
        (
            json!({"path": "/user", "params": {"x": 1}}),
            "`params.x` is not in the path",
        ),
        (
            json!({"path": "/user", "owner": "acme"}),
            "`owner` is not in the path",
        ),
        (
            json!({"path": "/user", "method": "PURGE"}),
            "`method` cannot be `PURGE`: expected GET",
        ),
        (
            json!({"path": "/user", "method": "$0.data.x"}),
            "cannot refer to a step",
        ),
        (
            json!({"path": "/user", "body": {}}),
            "`body` cannot be sent with GET",
        ),
        (
            json!({"path": "/user", "query": "a=1"}),
            "`query` is not an object",
        ),
        (
            json!({"path": "/user", "query": {"a": {"b": 1}}}),
            "`query.a` is not a value",
        ),
        (
            json!({"path": "/user?a=1", "query": {"a": 2}}),
            "is also in `path`",
        ),
        (
            json!({"path": "/user", "accept": "x\r\nAuthorization: y"}),
            "not a media type",
        ),
        (
            json!({"path": "/user", "method": "DELETE", "first": 3}),
            "is for lists",
        ),
        (json!({"path": "/user", "first": 0}), "`first` is"),
        (
            json!({"path": "/user", "page": 2}),
            "`page` is not an input",
        ),
        (
            json!({"path": "/user", "after": "Y3Vyc29y"}),
            "GraphQL cursor",
        ),
    ] {
        let error = rest(&bench, input.clone()).await;
        let code = error.error.as_ref().map(|it| it.code).unwrap();
        assert!(
            matches!(code, ErrorCode::Validation | ErrorCode::AdapterUnsupported),
            "{input}: {code}"
        );
        let message = message(error);
        assert!(message.contains(expected), "{input}: {message}");
    }
    assert!(bench.sim.requests().is_empty());
}
