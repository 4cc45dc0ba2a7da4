//! What one server was told the next one knows, and validators stay good.

use super::server::Server;
use crate::cli::harness::Place;

const PATHS: [&str; 5] = [
    "/api/capabilities",
    "/api/capabilities/issue.view/dependencies",
    "/api/graph/hypergraph",
    "/api/graph/snapshot",
    "/api/search?q=close+an+issue",
];

#[test]
fn a_restart_changes_nothing() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    for (from, to, kind) in [
        ("issue.list", "issue.view", "sequence"),
        ("issue.view", "issue.close", "sequence"),
        ("issue.view", "issue.list", "dependency"),
        ("pr.view", "pr.list", "contains"),
    ] {
        assert_eq!(server.relate(from, to, kind).status, 201);
    }
    let before = PATHS.map(|path| server.get(path));
    assert_eq!(server.stop(&place, "-TERM"), Some(0));

    let server = Server::start(&place, &[]);
    for (path, before) in PATHS.iter().zip(&before) {
        let tag = before.header("etag").unwrap();
        let request = format!("GET {path}");
        let same = server.ask(&request, &[("If-None-Match", tag)], "");
        assert_eq!((same.status, &*same.body), (304, ""), "{path}");
        assert_eq!(server.get(path).body, before.body, "{path}");
    }
    // What somebody else does is seen at once.
    let removed = place.line("dep rm issue.view issue.list");
    assert_eq!(removed.code, 0, "{removed:?}");
    for (path, before) in PATHS.iter().zip(&before).take(4) {
        let tag = before.header("etag").unwrap();
        let request = format!("GET {path}");
        let other = server.ask(&request, &[("If-None-Match", tag)], "");
        assert_eq!(other.status, 200, "{path}");
    }
    assert_eq!(server.stop(&place, "-INT"), Some(0));
}

/// What was acknowledged is on the disk.
#[test]
fn a_kill_takes_nothing_back() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    assert_eq!(
        server.relate("issue.list", "issue.view", "sequence").status,
        201
    );
    assert_eq!(server.stop(&place, "-KILL"), None);
    let server = Server::start(&place, &[]);
    let list = server.json("/api/capabilities/issue.list/dependencies");
    assert_eq!(list["total"], 1);
}
