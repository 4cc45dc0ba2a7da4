//! The responses of each resource.

use serde_json::{Value, json};

use super::server::{ServerSetup, TestServer};

#[tokio::test]
async fn relations_are_added_listed_shown_and_removed() {
    let server = TestServer::new().await;
    let reply = server
        .add_relation("issue.close", "issue.view", "dependency")
        .await;
    assert_eq!(reply.status, 201);
    assert_eq!(
        reply.header("location"),
        Some("/api/capabilities/issue.close/dependencies/issue.view")
    );
    insta::assert_snapshot!(reply.body, @r#"{"created":true,"dependency":{"from_capability_id":"issue.close","to_capability_id":"issue.view","observed_count":1,"confidence_score":1.0,"edge_type":"dependency","edge_source":"manual","created_at":"2026-09-21T14:13:20Z","last_observed":"2026-09-21T14:13:20Z"}}"#);
    let listed = server
        .get("/api/capabilities/issue.view/dependencies")
        .await;
    insta::assert_snapshot!(listed.body, @r#"{"capability_id":"issue.view","dependencies":[{"from_capability_id":"issue.close","to_capability_id":"issue.view","observed_count":1,"confidence_score":1.0,"edge_type":"dependency","edge_source":"manual","created_at":"2026-09-21T14:13:20Z","last_observed":"2026-09-21T14:13:20Z"}],"total":1}"#);
    let one = reply.header("location").unwrap();
    let shown = server.json(one).await;
    assert_eq!(shown["dependency"], reply.json()["dependency"]);
    assert_eq!(shown["observations"], json!([]));
    let removed = server.ask(&format!("DELETE {one}")).await;
    assert_eq!(removed.status, 200);
    assert_eq!(removed.json()["removed"], true);
    assert_eq!(removed.json()["dependency"], reply.json()["dependency"]);
    for request in ["DELETE", "GET"] {
        let again = server.ask(&format!("{request} {one}")).await;
        assert_eq!(again.status, 404);
        let (code, message) = again.error();
        assert_eq!(code, "NOT_FOUND");
        assert_eq!(
            message,
            "there is no relation from `issue.close` to `issue.view`"
        );
    }
    let left = server
        .json("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(left["total"], 0);
}

#[tokio::test]
async fn counting_observations_makes_a_relation_observed() {
    let server = TestServer::new().await;
    let one = "/api/capabilities/issue.close/dependencies/issue.view";
    let missing = server.send(&format!("PATCH {one}"), &json!({})).await;
    assert_eq!(missing.status, 404);
    let stated = json!({"to_capability_id": "issue.view", "edge_type": "dependency", "edge_source": "template"});
    server
        .post("/api/capabilities/issue.close/dependencies", &stated)
        .await;
    for (body, source, count) in [
        (json!({}), "inferred", 2),
        (json!({"increment_by": 1}), "observed", 3),
        (json!({"increment_by": 4}), "observed", 7),
    ] {
        let counted = server.send(&format!("PATCH {one}"), &body).await;
        assert_eq!(counted.status, 200, "{counted:?}");
        let dependency = &counted.json()["dependency"];
        assert_eq!(dependency["edge_source"], source, "{counted:?}");
        assert_eq!(dependency["observed_count"], count, "{counted:?}");
        assert_eq!(server.json(one).await["dependency"], *dependency);
    }
    for (body, problem) in [
        (json!({"increment_by": 0}), "from 1 to 1000000"),
        (json!({"increment_by": -1}), "from 1 to 1000000"),
        (json!({"increment_by": "many"}), "from 1 to 1000000"),
        (
            json!({"increment_by": "2"}),
            "from 1 to 1000000, not the string \"2\"",
        ),
        (json!({"by": 2}), "increment_by"),
    ] {
        let refused = server.send(&format!("PATCH {one}"), &body).await;
        assert_eq!(refused.status, 400, "{refused:?}");
        assert!(refused.error().1.contains(problem), "{refused:?}");
    }
}

#[tokio::test]
async fn search_can_leave_out_dependencies() {
    let server = TestServer::with_relations().await;
    let with = server.json("/api/search?q=close+an+issue&limit=1").await;
    assert_eq!(
        with["capabilities"][0]["dependencies"],
        json!(["issue.view"])
    );
    let without = server
        .json("/api/search?q=close+an+issue&limit=1&deps=false")
        .await;
    assert!(without["capabilities"][0].get("dependencies").is_none());
    let wrong = server.get("/api/search?q=close&deps=maybe").await;
    assert_eq!(wrong.status, 400, "{wrong:?}");
}

#[tokio::test]
async fn another_type_replaces_a_relation_and_cycles_are_warned_about() {
    let server = TestServer::new().await;
    server
        .add_relation("issue.list", "issue.view", "sequence")
        .await;
    let replaced = server
        .add_relation("issue.list", "issue.view", "contains")
        .await;
    assert_eq!(replaced.status, 200);
    assert_eq!(replaced.json()["replaced"], "sequence");
    let back = server
        .add_relation("issue.view", "issue.list", "contains")
        .await;
    assert_eq!(back.status, 201);
    let warnings = &back.json()["warnings"];
    let warning = warnings[0].as_str().unwrap();
    assert!(warning.starts_with("this contains itself: "), "{warning}");
    assert!(warning.contains(" → "), "{warning}");
    let itself = server
        .add_relation("issue.view", "issue.view", "contains")
        .await;
    assert_eq!(itself.status, 400);
    assert_eq!(itself.error().0, "VALIDATION");
}

#[tokio::test]
async fn an_existing_relation_is_not_created_and_a_weaker_one_is_ignored_with_a_warning() {
    let server = TestServer::new().await;
    let first = server
        .add_relation("issue.list", "issue.view", "dependency")
        .await;
    assert_eq!(
        (first.status, &first.json()["created"]),
        (201, &json!(true))
    );
    let path = "/api/capabilities/issue.list/dependencies";
    let inferred = json!({"to_capability_id": "issue.view", "edge_type": "sequence", "edge_source": "inferred"});
    let weaker = server.post(path, &inferred).await;
    assert_eq!(weaker.status, 200, "{weaker:?}");
    assert_eq!(weaker.header("location"), None);
    let body = weaker.json();
    assert_eq!(body["created"], false);
    assert_eq!(body["dependency"]["edge_type"], "dependency");
    assert_eq!(
        body["warnings"],
        json!([
            "this stays dependency (manual), not sequence (inferred): the known relation is stronger, and only the source `manual` changes it"
        ])
    );
    let stated = server
        .add_relation("issue.list", "issue.view", "sequence")
        .await;
    assert_eq!(stated.json()["warnings"], Value::Null);
}

#[tokio::test]
async fn a_relation_has_the_source_that_was_sent() {
    let server = TestServer::new().await;
    for (source, confidence) in [
        ("template", 0.25),
        ("inferred", 0.35),
        ("observed", 0.5),
        ("manual", 0.5),
    ] {
        let body = json!({"to_capability_id": "issue.view", "edge_type": "sequence", "edge_source": source});
        let reply = server
            .post("/api/capabilities/pr.list/dependencies", &body)
            .await;
        assert_eq!(reply.status, 201, "{reply:?}");
        let made = &reply.json()["dependency"];
        assert_eq!(made["edge_source"], source);
        assert_eq!(made["confidence_score"], confidence);
        server
            .ask("DELETE /api/capabilities/pr.list/dependencies/issue.view")
            .await;
    }
}

#[tokio::test]
async fn relations_are_filtered_and_paged() {
    let server = TestServer::with_relations().await;
    let ends = |list: &Value| -> Vec<(String, String)> {
        let rows = list["dependencies"].as_array().unwrap().iter();
        let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
        rows.map(|row| {
            (
                text(row, "from_capability_id"),
                text(row, "to_capability_id"),
            )
        })
        .collect()
    };
    let path = "/api/capabilities/issue.view/dependencies";
    for (query, total) in [
        ("", 4),
        ("?direction=both", 4),
        ("?direction=from", 1),
        ("?direction=to", 3),
        ("?edge_type=sequence", 2),
        ("?type=sequence,dependency", 3),
        ("?edge_type=contains", 0),
        ("?edge_source=manual", 4),
        ("?edge_source=observed,inferred", 0),
        ("?min_confidence=0.6", 2),
        ("?min_confidence=1", 1),
        ("?direction=to&edge_type=sequence&min_confidence=0.5", 1),
        ("?direction=&edge_type=&edge_source=&limit=", 4),
        ("?limit=1", 4),
        ("?offset=100", 4),
    ] {
        let list = server.json(&format!("{path}{query}")).await;
        assert_eq!(list["total"], total, "{query}");
    }
    let whole = ends(&server.json(path).await);
    let mut paged = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let page = server
            .json(&format!("{path}?limit=3&offset={offset}"))
            .await;
        paged.extend(ends(&page));
        next = page["next_offset"].as_u64();
    }
    assert_eq!(paged, whole);
}

#[tokio::test]
async fn capabilities_show_how_many_relations_they_have() {
    let server = TestServer::with_relations().await;
    let mut all = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let page = server
            .json(&format!("/api/capabilities?limit=20&offset={offset}"))
            .await;
        all.extend(page["capabilities"].as_array().unwrap().clone());
        next = page["next_offset"].as_u64();
        assert!(next.is_none_or(|next| next == offset + 20));
        let total = page["total"].as_u64().unwrap();
        assert!(next.is_some() || all.len() as u64 == total);
    }
    let count = |id: &str| {
        let row = all.iter().find(|row| row["id"] == id).unwrap();
        row["dependencies_count"].as_u64().unwrap()
    };
    assert_eq!(count("issue.view"), 4);
    assert_eq!(count("issue.close"), 2);
    assert_eq!(count("pr.view"), 1);
    assert_eq!(count("pr.merge"), 0);
    let cards = server
        .json("/api/capabilities?domain=issue&kind=card&limit=2")
        .await;
    let rows = cards["capabilities"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(row["kind"], "card");
        assert!(row["id"].as_str().unwrap().starts_with("issue."));
        assert!(["READ", "WRITE"].contains(&row["operation"].as_str().unwrap()));
        assert!(!row["description"].as_str().unwrap().is_empty());
    }
    assert_eq!(cards["next_offset"], 2);
    let none = server.json("/api/capabilities?domain=nobody").await;
    assert_eq!(none, json!({"capabilities": [], "total": 0}));
}

#[tokio::test]
async fn the_graph_is_returned_whole_and_in_pages() {
    let server = TestServer::with_relations().await;
    let whole = server.json("/api/graph/snapshot").await;
    assert_eq!(
        (&whole["total_nodes"], &whole["total_edges"]),
        (&json!(4), &json!(4))
    );
    assert_eq!(whole["next_cursor"], Value::Null);
    for node in whole["nodes"].as_array().unwrap() {
        assert_eq!(node["kind"], "card");
        assert!(node["rank"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(
        whole["edges"][0],
        json!({"from_capability_id": "issue.close", "to_capability_id": "issue.view", "observed_count": 1, "confidence_score": 1.0, "edge_type": "dependency", "edge_source": "manual", "declared": false})
    );
    let mut edges = Vec::new();
    let mut query = "?limit=3".to_owned();
    loop {
        let page = server.json(&format!("/api/graph/snapshot{query}")).await;
        edges.extend(page["edges"].as_array().unwrap().clone());
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        query = format!("?limit=3&cursor={cursor}");
    }
    assert_eq!(Value::Array(edges), whole["edges"]);
    for (query, total) in [
        ("?prefix=issue.", 3),
        ("?type=alternative", 1),
        ("?edge_type=alternative,dependency", 2),
        ("?source=observed", 0),
        ("?min_confidence=0.6", 2),
    ] {
        for resource in ["snapshot", "hypergraph"] {
            let part = server.json(&format!("/api/graph/{resource}{query}")).await;
            assert_eq!(part["total_edges"], total, "{resource}{query}");
        }
    }
}

#[tokio::test]
async fn the_hypergraph_has_edges_and_zones() {
    let server = TestServer::with_relations().await;
    server.add_relation("pr.view", "pr.list", "contains").await;
    let graph = server.json("/api/graph/hypergraph").await;
    let whole = server.json("/api/graph/snapshot").await;
    for part in ["nodes", "edges", "total_nodes", "total_edges"] {
        assert_eq!(graph[part], whole[part], "{part}");
    }
    assert_eq!(
        graph["zones"],
        json!([{"id": "pr.view", "label": "pr.view", "kind": "card", "members": ["pr.list"]}])
    );
    assert_eq!(graph["digest"].as_str().unwrap().len(), 32);
}

#[tokio::test]
async fn paths_and_neighbors_are_found() {
    let server = TestServer::with_relations().await;
    let path = server
        .json("/api/graph/path?from=issue.list&to=issue.close")
        .await;
    assert_eq!(
        path["path"],
        json!(["issue.list", "issue.view", "issue.close"])
    );
    assert_eq!(path["cost"], 4.0);
    assert_eq!(path["edges"].as_array().unwrap().len(), 2);
    let none = server
        .get("/api/graph/path?from=issue.close&to=issue.list")
        .await;
    assert_eq!(none.status, 404);
    assert_eq!(
        none.error().1,
        "no relations lead from `issue.close` to `issue.list`"
    );
    for alone in ["issue.view", "pr.merge"] {
        let path = format!("/api/graph/path?from={alone}&to={alone}");
        let here = json!({"path": [alone], "cost": 0.0, "edges": []});
        assert_eq!(server.json(&path).await, here);
    }
    let nobody = server.get("/api/graph/path?from=nobody&to=nobody").await;
    assert_eq!(nobody.status, 404);

    let near = server
        .json("/api/graph/neighbors?capability=issue.list&depth=2")
        .await;
    let neighbors = near["neighbors"].as_array().unwrap().iter();
    let ids: Vec<_> = neighbors.map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids[0], "issue.view");
    assert_eq!(ids.len(), 3);
    assert_eq!(near["has_more"], false);
    assert_eq!(near["neighbors"][0]["distance"], 1);
    assert_eq!(near["neighbors"][0]["via"]["edge_type"], "sequence");
    let first = server
        .json("/api/graph/neighbors?capability=issue.view&direction=to&limit=1")
        .await;
    assert_eq!(first["neighbors"][0]["id"], "issue.close");
    assert_eq!(first["has_more"], true);
    let alone = server
        .json("/api/graph/neighbors?capability=pr.merge")
        .await;
    assert_eq!(alone["neighbors"], json!([]));
    let unknown = server
        .get("/api/graph/neighbors?capability=issue.veiw")
        .await;
    assert_eq!(unknown.status, 404);
    assert!(unknown.error().1.contains("issue.view"), "{unknown:?}");
}

#[tokio::test]
async fn capabilities_are_found_by_what_they_do() {
    let server = TestServer::new().await;
    let found = server
        .json("/api/search?q=close+an%20issue&limit=3&kind=card&domain=issue")
        .await;
    assert_eq!(found["query"], "close an issue");
    assert_eq!(found["capabilities"][0]["id"], "issue.close");
    assert_eq!(found["capabilities"].as_array().unwrap().len(), 3);
    assert!(found["capabilities"][0]["score"].as_f64().unwrap() > 0.0);
    assert!(found["total"].as_u64().unwrap() >= 3);
    // AC 7: the dependencies of a match are part of the result.
    assert!(found["capabilities"][0].get("dependencies").is_none());
    let body = json!({"to_capability_id": "issue.view", "edge_type": "dependency"});
    let path = "/api/capabilities/issue.close/dependencies";
    assert_eq!(server.post(path, &body).await.status, 201);
    let found = server.json("/api/search?q=close+an%20issue&limit=1").await;
    assert_eq!(
        found["capabilities"][0]["dependencies"],
        json!(["issue.view"])
    );
}

#[tokio::test]
async fn the_index_lists_only_existing_resources() {
    let server = TestServer::new().await;
    let reply = server.get("/").await;
    assert_eq!(
        reply.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    for line in reply.body.lines().filter(|line| line.contains(" /")) {
        let words: Vec<_> = line.split_whitespace().collect();
        let path = words[1]
            .replace("{id}", "issue.view")
            .replace("{from}", "issue.view")
            .replace("{to}", "pr.view");
        // Each listed resource exists: the request may fail, but not because the path is unknown.
        let asked = server.ask(&format!("{} {path}", words[0])).await;
        assert!(
            asked.status != 405 && !asked.body.contains("no resource at"),
            "{line}: {asked:?}"
        );
    }
    assert_eq!(server.json("/health").await, json!({"ok": true}));
}

#[tokio::test]
async fn names_may_contain_any_characters() {
    let server = TestServer::new().await;
    // The error shows the decoded name.
    for (encoded, decoded) in [
        ("files%3Aread%2Fall", "files:read/all"),
        ("a%20b%25c", "a b%c"),
        ("%C3%A4%22", "ä\""),
        ("issue.view%2F..%2F..", "issue.view/../.."),
        ("dependencies", "dependencies"),
        ("%00", "\0"),
    ] {
        let path = format!("/api/capabilities/{encoded}/dependencies");
        let reply = server.get(&path).await;
        assert_eq!(reply.status, 404, "{reply:?}");
        assert!(reply.error().1.contains(decoded), "{encoded}: {reply:?}");
    }
    let dotted = server
        .get("/api/capabilities/issue%2Eview/dependencies")
        .await;
    assert_eq!(dotted.json()["capability_id"], "issue.view");
}

#[tokio::test]
async fn without_a_store_there_are_no_relations() {
    let server = TestServer::with(ServerSetup {
        without_store: true,
        ..ServerSetup::default()
    })
    .await;
    let all = server.json("/api/capabilities").await;
    assert_eq!(all["capabilities"][0]["dependencies_count"], 0);
    let reply = server
        .get("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(reply.status, 501);
    assert_eq!(reply.error().0, "ADAPTER_UNSUPPORTED");
}
