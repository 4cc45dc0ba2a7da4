//! Tokens, headers, path styles, compression, sockets and the control endpoint.

use std::net::SocketAddr;

use github_sim::world::{Token, World};
use github_sim::{Operation, Sim, Transport};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};

use crate::client::{Host, parse, write_request};

#[tokio::test]
async fn a_token_is_required_in_either_scheme() {
    let host = Host::demo().await;
    for headers in [
        &[][..],
        &["authorization: Basic eA=="],
        &["authorization: Bearer "],
    ] {
        let reply = host.send_with("GET", "/user", headers, None).await.unwrap();
        assert_eq!(reply.status, 401, "{headers:?}");
        assert_eq!(reply.json()["message"], "Requires authentication");
    }
    for header in [
        "authorization: token x",
        "authorization: Bearer x",
        "Authorization: bearer x",
    ] {
        let reply = host
            .send_with("GET", "/user", &[header], None)
            .await
            .unwrap();
        assert_eq!(reply.status, 200, "{header}");
        assert_eq!(reply.json()["login"], "maya-chen");
    }
    let reply = host
        .send_with(
            "POST",
            "/graphql",
            &[],
            Some(json!({ "query": "{ viewer { login } }" })),
        )
        .await;
    assert_eq!(reply.unwrap().status, 401);
}

#[tokio::test]
async fn registered_tokens_have_their_own_viewer_and_scopes() {
    let host = Host::demo().await;
    host.sim.world(|world| {
        world.only_registered_tokens = true;
        world.tokens.insert(
            "weak".to_owned(),
            Token {
                login: "tomas-silva".to_owned(),
                scopes: vec!["gist".to_owned()],
            },
        );
    });
    let reply = host.get("/user").await;
    assert_eq!(reply.status, 401);
    assert_eq!(reply.json()["message"], "Bad credentials");

    let weak = &["authorization: token weak"];
    let reply = host.send_with("GET", "/user", weak, None).await.unwrap();
    assert_eq!(reply.json()["login"], "tomas-silva");
    assert_eq!(reply.header("x-oauth-scopes"), Some("gist"));
    let reply = host
        .send_with(
            "POST",
            "/repos/acme/rocket/issues/1/comments",
            weak,
            Some(json!({ "body": "hi" })),
        )
        .await
        .unwrap();
    assert_eq!(reply.status, 403);
    assert_eq!(
        reply.json()["message"],
        "Resource not accessible by personal access token"
    );
    // Without the scope, a private repository is not found.
    let reply = host
        .send_with("GET", "/repos/acme/launchpad", weak, None)
        .await
        .unwrap();
    assert_eq!(reply.status, 404);
}

#[tokio::test]
async fn every_response_has_githubs_headers() {
    let host = Host::demo().await;
    let first = host.get("/repos/acme/rocket").await;
    let second = host.get("/repos/acme/nope").await;
    assert_eq!((first.status, second.status), (200, 404));
    for (reply, used) in [(&first, "1"), (&second, "2")] {
        assert_eq!(reply.header("x-ratelimit-limit"), Some("5000"));
        assert_eq!(reply.header("x-ratelimit-used"), Some(used));
        assert_eq!(reply.header("x-ratelimit-resource"), Some("core"));
        assert!(
            reply
                .header("x-ratelimit-reset")
                .unwrap()
                .parse::<i64>()
                .unwrap()
                > 1_700_000_000
        );
        assert!(reply.header("x-github-request-id").is_some());
        assert_eq!(
            reply.header("x-oauth-scopes"),
            Some("gist, read:org, repo, workflow")
        );
        assert_eq!(
            reply.header("content-type"),
            Some("application/json; charset=utf-8")
        );
    }
    let graphql = host.graphql("{ rateLimit { used remaining } }").await;
    assert_eq!(graphql.header("x-ratelimit-resource"), Some("graphql"));
    assert_eq!(
        graphql.json()["data"]["rateLimit"],
        json!({ "used": 1, "remaining": 4999 })
    );
    let limits = host.get("/rate_limit").await.json();
    assert_eq!(limits["resources"]["core"]["used"], 2);
    assert_eq!(limits["resources"]["graphql"]["remaining"], 4999);
}

#[tokio::test]
async fn enterprise_paths_reach_the_same_world() {
    let host = Host::demo().await;
    assert_eq!(
        host.get("/api/v3/repos/acme/rocket").await.json()["full_name"],
        "acme/rocket"
    );
    let link = host
        .get("/api/v3/repos/acme/rocket/labels?per_page=5")
        .await;
    let expected = format!(
        "<http://{}/api/v3/repos/acme/rocket/labels?per_page=5&page=2>",
        host.address()
    );
    assert!(link.header("link").unwrap().starts_with(&expected));
    let body = json!({ "query": "{ viewer { login } }" });
    let reply = host.call("POST", "/api/graphql", body).await;
    assert_eq!(reply.json()["data"]["viewer"]["login"], "maya-chen");
}

#[tokio::test]
async fn bodies_are_gzipped_on_request() {
    let host = Host::demo().await;
    let path = "/repos/acme/rocket/issues";
    let headers = &["authorization: token x", "accept-encoding: br, gzip;q=0.8"];
    let packed = host.send_with("GET", path, headers, None).await.unwrap();
    let plain = host.get(path).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(plain.header("content-encoding"), None);
    assert!(packed.body.len() * 3 < plain.body.len());
    assert_eq!(packed.json(), plain.json());
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let host = Host::demo().await;
    let mut stream = TcpStream::connect(host.address()).await.unwrap();
    for _ in 0..3 {
        write_request(
            &mut stream,
            "sim",
            "GET",
            "/user",
            &["authorization: token x"],
            None,
        )
        .await
        .unwrap();
        let mut bytes = Vec::new();
        let reply = loop {
            stream.read_buf(&mut bytes).await.unwrap();
            if let Ok(reply) = parse(&bytes) {
                break reply;
            }
        };
        assert_eq!(reply.status, 200);
    }
}

#[tokio::test]
async fn the_same_world_is_served_on_a_unix_socket_until_the_server_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sim.sock");
    let sim = Sim::demo();
    let server = sim.serve_unix(&path).await.unwrap();
    assert_eq!(server.url(), format!("unix:{}", path.display()));
    let mut stream = UnixStream::connect(&path).await.unwrap();
    let headers = ["authorization: token x", "connection: close"];
    write_request(
        &mut stream,
        "api.github.com",
        "GET",
        "/repos/acme/rocket/issues?per_page=1",
        &headers,
        None,
    )
    .await
    .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let reply = parse(&bytes).unwrap();
    assert_eq!(reply.status, 200);
    assert!(
        reply
            .header("link")
            .unwrap()
            .starts_with("<https://api.github.com/repos/acme/rocket/issues?")
    );

    let mut idle = UnixStream::connect(&path).await.unwrap();
    drop(server);
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap_or(0), 0);
    assert!(!path.exists());
    assert!(UnixStream::connect(&path).await.is_err());
}

#[tokio::test]
async fn a_request_with_an_incomplete_body_changes_nothing() {
    let host = Host::demo().await;
    let mut stream = TcpStream::connect(host.address()).await.unwrap();
    let head = "POST /repos/acme/rocket/issues/1/comments HTTP/1.1\r\nhost: sim\r\nauthorization: token x\r\ncontent-length: 100\r\n\r\n{\"body\"";
    stream.write_all(head.as_bytes()).await.unwrap();
    drop(stream);
    // A later request on another connection is served, and only it is in the log.
    host.get("/user").await;
    let seen = host.sim.requests();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].path, "/user");
}

#[tokio::test]
async fn the_log_records_each_request_and_its_effect() {
    let host = Host::demo().await;
    host.get("/repos/acme/rocket/issues/1").await;
    host.call(
        "POST",
        "/repos/acme/rocket/issues/1/comments",
        json!({ "body": "hello" }),
    )
    .await;
    host.call(
        "POST",
        "/repos/acme/rocket/issues/999/comments",
        json!({ "body": "hello" }),
    )
    .await;
    // Closing a closed issue is a write that changes nothing.
    host.call(
        "PATCH",
        "/repos/acme/rocket/issues/4",
        json!({ "state": "closed" }),
    )
    .await;
    let seen = host.sim.requests();
    let facts: Vec<_> = seen
        .iter()
        .map(|r| (r.transport, r.operation, r.status, r.applied))
        .collect();
    let rest = Transport::Rest;
    assert_eq!(
        facts,
        [
            (rest, Operation::Read, Some(200), false),
            (rest, Operation::Write, Some(201), true),
            (rest, Operation::Write, Some(404), false),
            (rest, Operation::Write, Some(200), false),
        ]
    );
    host.sim.clear_requests();
    assert!(host.sim.requests().is_empty());
}

#[tokio::test]
async fn graphql_requests_are_logged_by_operation_and_root_field() {
    let host = Host::demo().await;
    let id = host.get("/repos/acme/rocket/issues/1").await.json()["node_id"].clone();
    host.sim.clear_requests();
    let body = json!({
        "query": "query One { viewer { login } } mutation Two($id: ID!) { ...both } fragment both on Mutation { closeIssue(input: {issueId: $id}) { issue { state } } }",
        "operationName": "Two",
        "variables": { "id": id },
    });
    let reply = host.call("POST", "/graphql", body).await;
    assert_eq!(
        reply.json()["data"]["closeIssue"]["issue"]["state"],
        "CLOSED",
        "{}",
        reply.text()
    );
    let seen = host.sim.requests();
    assert_eq!(seen[0].transport, Transport::Graphql);
    assert_eq!(seen[0].operation, Operation::Write);
    assert_eq!(seen[0].operation_name.as_deref(), Some("Two"));
    assert_eq!(seen[0].root_fields, ["closeIssue"]);
    assert!(seen[0].applied);
}

#[tokio::test]
async fn the_control_endpoint_injects_faults_and_lists_requests() {
    let host = Host::demo().await;
    let fault = json!({ "kind": "status_429", "retry_after": 3, "filter": { "transport": "rest", "name": "/labels" }, "times": 2 });
    let reply = host
        .send_with("POST", "/_sim/faults", &[], Some(fault))
        .await
        .unwrap();
    assert_eq!(reply.status, 201);
    let waiting = host
        .send_with("GET", "/_sim/faults", &[], None)
        .await
        .unwrap()
        .json();
    assert_eq!(waiting[0]["kind"], "status_429");
    assert_eq!(waiting[0]["times"], 2);

    assert_eq!(host.get("/user").await.status, 200);
    let limited = host.get("/repos/acme/rocket/labels").await;
    assert_eq!(
        (limited.status, limited.header("retry-after")),
        (429, Some("3"))
    );
    let reply = host
        .send_with("DELETE", "/_sim/faults", &[], None)
        .await
        .unwrap();
    assert_eq!(reply.status, 204);
    assert_eq!(host.get("/repos/acme/rocket/labels").await.status, 200);

    let seen = host
        .send_with("GET", "/_sim/requests", &[], None)
        .await
        .unwrap()
        .json();
    let statuses: Vec<_> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["status"].clone())
        .collect();
    assert_eq!(statuses, [200, 429, 200]);
    assert_eq!(seen[1]["operation"], "read");
    host.send_with("DELETE", "/_sim/requests", &[], None)
        .await
        .unwrap();
    assert!(host.sim.requests().is_empty());

    for wrong in [
        json!({ "kind": "no_such_kind" }),
        json!({ "kind": "status_500", "filter": { "transports": "rest" } }),
        json!({ "kind": "status_429", "retry_afer": 3 }),
        json!("status_500"),
    ] {
        let reply = host
            .send_with("POST", "/_sim/faults", &[], Some(wrong.clone()))
            .await
            .unwrap();
        assert_eq!(reply.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn two_servers_can_share_one_world() {
    let sim = Sim::new(World::empty());
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let (first, second) = (
        sim.serve_tcp(any).await.unwrap(),
        sim.serve_tcp(any).await.unwrap(),
    );
    assert_ne!(first.url(), second.url());
    sim.world(|world| world.add_repository("octocat", "hello"));
    for server in [first, second] {
        let host = Host {
            sim: sim.clone(),
            server,
        };
        assert_eq!(host.get("/repos/octocat/hello").await.status, 200);
    }
}

#[tokio::test]
async fn an_answer_that_is_made_up_says_so() {
    let host = Host::demo().await;
    let reply = host
        .graphql("{ enterprise(slug: \"initech\") { id slug } }")
        .await;
    assert_eq!(reply.header("x-sim-answer"), Some("schema"));
    let enterprise = &reply.json()["data"]["enterprise"];
    assert_eq!(
        *enterprise,
        json!({"id": "Enterprise:initech", "slug": "initech"})
    );
    let modelled = host.graphql("{ viewer { login } }").await;
    assert_eq!(modelled.header("x-sim-answer"), None);
}
