//! What was promised about the API for relations, one test for each promise.

use serde_json::{Value, json};

use super::server::Server;
use crate::cli::harness::Place;

/// With the code `build`, `test` and `deploy`. Gives their full names.
fn workshop() -> (Place, [String; 3]) {
    let place = Place::new();
    let fqdns = [("build", 1), ("test", 2), ("deploy", 3)].map(|(name, number)| {
        let (code, intent) = (format!("return {number}"), format!("{name} the app"));
        let ran = place.run(&["--demo", "exec", "-e", &code, "--intent", &intent]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let ran = ran.json();
        let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
        let named = place.run(&["--demo", "cap", "name", &fqdn, name]);
        assert_eq!(named.code, 0, "{named:?}");
        fqdn
    });
    (place, fqdns)
}

fn serve(place: &Place) -> Server {
    Server::start(place, &["--demo"])
}

fn row<'a>(list: &'a Value, id: &str) -> &'a Value {
    let rows = list["capabilities"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap()
}

/// AC 8: `GET /api/capabilities` includes `dependencies_count` for each capability.
#[test]
fn capabilities_have_the_count_of_their_relations() {
    let (place, [build, _, deploy]) = workshop();
    let server = serve(&place);
    server.relate("deploy", "build", "contains");
    server.relate("deploy", "test", "contains");
    server.relate("test", "build", "sequence");
    let code = server.json("/api/capabilities?kind=code");
    assert_eq!(code["total"], 3);
    for (name, count) in [("build", 2), ("test", 2), ("deploy", 2)] {
        assert_eq!(row(&code, name)["dependencies_count"], count, "{name}");
    }
    assert_eq!(row(&code, "build")["fqdn"], build.as_str());
    server.relate("deploy", "issue.close", "sequence");
    let all = server.json("/api/capabilities?limit=200");
    for row in all["capabilities"].as_array().unwrap() {
        let expected = match row["id"].as_str().unwrap() {
            "deploy" => 3,
            "build" | "test" => 2,
            "issue.close" => 1,
            _ => 0,
        };
        assert_eq!(row["dependencies_count"], expected, "{row}");
    }
    assert_eq!(row(&all, "deploy")["fqdn"], deploy.as_str());
}

/// What a skill declares counts, whether or not it ever ran, and is in the list of its relations.
#[test]
fn relations_that_skills_declare_are_counted() {
    let place = Place::new();
    let skill = "id: look\nlevel: 1\ndescription: One issue as it is\ncard: issue.view\n";
    let file = place.write("look.yaml", skill);
    let server = Server::start(&place, &["--demo", "--skills", file.to_str().unwrap()]);
    let all = server.json("/api/capabilities?limit=200");
    for (id, count) in [("look", 1), ("issue.view", 1), ("issue.close", 0)] {
        assert_eq!(row(&all, id)["dependencies_count"], count, "{id}");
    }
    let list = server.json("/api/capabilities/issue.view/dependencies?direction=to");
    assert_eq!(
        list["dependencies"][0]["from_capability_id"], "look",
        "{list}"
    );
}

/// AC 9: `GET /api/capabilities/:id/dependencies` gives the relations, with a filter for the direction.
#[test]
fn relations_are_given_by_direction() {
    let (place, [build, test, deploy]) = workshop();
    let server = serve(&place);
    server.relate("deploy", "test", "contains");
    server.relate("test", "build", "sequence");
    // By its name and by its full name.
    for id in ["test", &test] {
        let path = format!("/api/capabilities/{id}/dependencies");
        for (query, expected) in [
            ("?direction=from", vec![(&test, &build)]),
            ("?direction=to", vec![(&deploy, &test)]),
            ("?direction=both", vec![(&test, &build), (&deploy, &test)]),
            ("", vec![(&test, &build), (&deploy, &test)]),
        ] {
            let list = server.json(&format!("{path}{query}"));
            assert_eq!(list["capability_id"], test.as_str());
            assert_eq!(list["total"], expected.len());
            let rows = list["dependencies"].as_array().unwrap();
            for (row, (from, to)) in rows.iter().zip(expected) {
                assert_eq!(row["from_capability_id"], from.as_str(), "{list}");
                assert_eq!(row["to_capability_id"], to.as_str(), "{list}");
            }
        }
    }
    let list = server.json("/api/capabilities/build/dependencies");
    let row = list["dependencies"][0].as_object().unwrap();
    let fields: Vec<_> = row.keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        [
            "from_capability_id",
            "to_capability_id",
            "observed_count",
            "confidence_score",
            "edge_type",
            "edge_source",
            "created_at",
            "last_observed"
        ]
    );
    let when = row["created_at"].as_str().unwrap();
    assert!(when.len() == 20 && when.ends_with('Z'), "{when}");
    let unknown = server.get("/api/capabilities/nobody/dependencies");
    assert_eq!(unknown.status, 404);
}

/// AC 10: `POST /api/capabilities/:id/dependencies` makes a relation (201 Created).
#[test]
fn relations_are_made() {
    let (place, [build, _, deploy]) = workshop();
    let server = serve(&place);
    let path = format!("/api/capabilities/{deploy}/dependencies");
    let body = json!({"to_capability_id": build, "edge_type": "dependency"});
    let reply = server.post(&path, &body);
    assert_eq!(reply.status, 201, "{reply:?}");
    let made = reply.json();
    assert_eq!(made["created"], true);
    let made = &made["dependency"];
    assert_eq!(made["from_capability_id"], deploy.as_str());
    assert_eq!(made["to_capability_id"], build.as_str());
    assert_eq!(made["edge_type"], "dependency");
    assert_eq!(made["edge_source"], "manual");
    assert_eq!(made["confidence_score"], 1.0);
    assert_eq!(made["observed_count"], 1);
    // Whoever asks in another way sees the same.
    let listed = server.json(&path);
    assert_eq!(&listed["dependencies"][0], made);
    let told = place.run(&["--demo", "dep", "list", "deploy"]).json();
    assert_eq!(told["data"]["dependencies"][0]["type"], "dependency");
    let location = reply.header("location").unwrap();
    assert_eq!(&server.json(location)["dependency"], made);
}

/// AC 11: `DELETE /api/capabilities/:from/dependencies/:to` removes a relation.
#[test]
fn relations_are_removed() {
    let (place, [build, _, deploy]) = workshop();
    let server = serve(&place);
    server.relate("deploy", "build", "contains");
    server.relate("deploy", "test", "contains");
    let request = format!("DELETE /api/capabilities/{deploy}/dependencies/{build}");
    let reply = server.ask(&request, &[], "");
    assert_eq!(reply.status, 200, "{reply:?}");
    let removed = reply.json();
    assert_eq!(removed["removed"], true);
    assert_eq!(removed["dependency"]["to_capability_id"], build.as_str());
    let left = server.json("/api/capabilities/deploy/dependencies");
    assert_eq!(left["total"], 1);
    assert_eq!(server.ask(&request, &[], "").status, 404);
}

/// AC 12: `/api/graph/hypergraph` includes the edges between capabilities.
#[test]
fn a_hypergraph_has_the_edges_between_capabilities() {
    let (place, [build, test, deploy]) = workshop();
    let server = serve(&place);
    server.relate("deploy", "build", "contains");
    server.relate("deploy", "test", "contains");
    server.relate("test", "build", "sequence");
    let graph = server.json("/api/graph/hypergraph");
    let mut edges: Vec<_> = graph["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| {
            let text = |field: &str| edge[field].as_str().unwrap().to_owned();
            let ends = (text("from_capability_id"), text("to_capability_id"));
            (ends.0, ends.1, text("edge_type"))
        })
        .collect();
    edges.sort();
    let mut expected = vec![
        (deploy.clone(), build.clone(), "contains".to_owned()),
        (deploy.clone(), test.clone(), "contains".to_owned()),
        (test, build, "sequence".to_owned()),
    ];
    expected.sort();
    assert_eq!(edges, expected);
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 3);
    assert!(nodes.iter().all(|node| node["kind"] == "code"), "{graph}");
    let zone = &graph["zones"][0];
    assert_eq!(zone["id"], deploy.as_str());
    assert_eq!(zone["label"], "deploy");
    assert_eq!(zone["members"].as_array().unwrap().len(), 2);

    // Another name is another picture, though the relations are the same.
    let tag = server.get("/api/graph/hypergraph");
    let tag = tag.header("etag").unwrap().to_owned();
    place.run(&["--demo", "cap", "rename", "deploy", "ship"]);
    let request = "GET /api/graph/hypergraph";
    let reply = server.ask(request, &[("If-None-Match", &tag)], "");
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["zones"][0]["label"], "ship");
}

/// What was executed is there, with where it was seen.
#[test]
fn what_was_learned_is_told_with_its_observations() {
    let place = Place::new();
    let code = "return (await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 })).number";
    let ran = place.run(&["--demo", "exec", "-e", code, "--intent", "view the first"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = ran.json();
    let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap();
    let server = serve(&place);
    let one = format!("/api/capabilities/{fqdn}/dependencies/issue.view");
    let shown = server.json(&one);
    assert_eq!(shown["dependency"]["edge_type"], "contains");
    let seen = &shown["observations"][0];
    assert_eq!(seen["edge_type"], "contains");
    assert_eq!(seen["evidence"], "called");
    assert_eq!(seen["times"], 1);
    assert!(seen["trace_id"].is_string(), "{shown}");
    let list = server.json("/api/capabilities/issue.view/dependencies?direction=to");
    assert_eq!(list["dependencies"][0], shown["dependency"]);
}

/// AC 13: from one to another and back is allowed.
#[test]
fn both_directions_are_allowed() {
    let (place, [build, test, _]) = workshop();
    let server = serve(&place);
    assert_eq!(server.relate("build", "test", "sequence").status, 201);
    assert_eq!(server.relate("test", "build", "sequence").status, 201);
    let there = server.json(&format!("/api/graph/path?from={build}&to={test}"));
    let back = server.json(&format!("/api/graph/path?from={test}&to={build}"));
    assert_eq!(there["path"], json!([build, test]));
    assert_eq!(back["path"], json!([test, build]));
}

/// A server that saw code go and come back shows what one shows that began just now.
#[test]
fn code_that_comes_back_is_called_again() {
    let place = Place::new();
    let exec = |name: &str, code: &str| {
        let ran = place.run(&["--demo", "exec", "-e", code, "--intent", name]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let fqdn = ran.json()["meta"]["capability_fqdn"].clone();
        let named = place.run(&["--demo", "cap", "name", fqdn.as_str().unwrap(), name]);
        assert_eq!(named.code, 0, "{named:?}");
    };
    exec("inner", "return 1");
    exec("outer", "return await caps.inner({})");
    let server = serve(&place);
    let edges = |server: &Server| server.json("/api/graph/snapshot")["total_edges"].clone();
    assert_eq!(edges(&server), 1);
    let gone = place.run(&["--demo", "cap", "delete", "inner"]);
    assert_eq!(gone.code, 0, "{gone:?}");
    assert_eq!(edges(&server), 0);
    exec("inner", "return 1");
    assert_eq!(edges(&server), 1);
    assert_eq!(edges(&serve(&place)), 1);
}
