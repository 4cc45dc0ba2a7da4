//! Many clients at once, and several servers on one store.

use std::thread::scope;

use super::server::Server;
use crate::cli::harness::Place;

const CARDS: [&str; 8] = [
    "issue.view",
    "issue.list",
    "issue.close",
    "issue.create",
    "pr.view",
    "pr.list",
    "pr.merge",
    "repo.view",
];

#[test]
fn everybody_is_answered_and_nothing_is_lost() {
    let place = Place::new();
    let servers = [Server::start(&place, &[]), Server::start(&place, &[])];
    scope(|scope| {
        for (nth, from) in CARDS.iter().enumerate() {
            let server = &servers[nth % 2];
            scope.spawn(move || {
                for to in CARDS.iter().filter(|to| *to != from) {
                    assert_eq!(server.relate(from, to, "sequence").status, 201);
                    let path = format!("/api/capabilities/{from}/dependencies?direction=from");
                    assert!(server.json(&path)["total"].as_u64().unwrap() >= 1);
                    assert_eq!(server.get("/api/graph/snapshot").status, 200);
                }
                let gone = CARDS[(nth + 1) % CARDS.len()];
                let request = format!("DELETE /api/capabilities/{from}/dependencies/{gone}");
                assert_eq!(server.ask(&request, &[], "").status, 200);
            });
        }
    });
    let total = CARDS.len() * (CARDS.len() - 2);
    let mut tags = Vec::new();
    for server in &servers {
        let reply = server.get("/api/graph/snapshot");
        assert_eq!(reply.json()["total_edges"], total);
        tags.push(reply.header("etag").unwrap().to_owned());
    }
    assert_eq!(tags[0], tags[1], "both see the same graph");
}
