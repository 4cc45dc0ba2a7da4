//! Chains: each service has its own order of writes, its own pauses and its own refusals.

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::{Bench, project, service};

fn codes(chain: &Value) -> Vec<&str> {
    let results = chain["results"].as_array().unwrap().iter();
    results
        .map(|step| step["error"]["code"].as_str().unwrap_or("ok"))
        .collect()
}

#[tokio::test]
async fn a_limit_of_one_service_holds_up_nobody_else() {
    let limited = Server::start(|number, _| match number {
        0 => Reply::json(429, json!({"message": "slow down"})).with("Retry-After", "7"),
        _ => Reply::ok(project("late")),
    })
    .await;
    let other = Server::start(|_, _| Reply::ok(project("y"))).await;
    let github = Server::start(|_, _| Reply::ok(json!({"login": "maya"}))).await;
    let bench = Bench::beside(
        Some(&github),
        [service("gitlab", &limited), service("shop", &other)],
    );
    let chain = bench
        .chain([
            ("gitlab.project.view", json!({"id": 7})),
            ("shop.project.view", json!({"id": 7})),
            ("hub.user.view", json!({})),
        ])
        .await;
    assert_eq!(chain["status"], "success", "{chain}");
    assert_eq!(bench.clock.sleeps().len(), 1);
    assert_eq!(bench.clock.sleeps()[0].as_secs_f64().round(), 7.0);
    assert_eq!(
        [&limited, &other, &github].map(|it| it.received().len()),
        [2, 1, 1]
    );
}

#[tokio::test]
async fn a_pause_beyond_the_deadline_refuses_calls_of_that_service_only() {
    let limited =
        Server::start(|_, _| Reply::json(429, json!({})).with("Retry-After", "3600")).await;
    let other = Server::start(|_, _| Reply::ok(project("y"))).await;
    let bench = Bench::new([service("gitlab", &limited), service("shop", &other)]);
    let first = bench.run("gitlab.project.view", json!({"id": 7})).await;
    assert_eq!(first["error"]["code"], "RATE_LIMIT", "{first}");
    let again = bench.run("gitlab.project.view", json!({"id": 8})).await;
    let message = again["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("not sent: gitlab asks to wait 3"),
        "{message}"
    );
    assert_eq!(limited.received().len(), 1);
    let other = bench.run("shop.project.view", json!({"id": 7})).await;
    assert_eq!(other["ok"], true, "{other}");
    bench.clock.skip(Duration::from_secs(3601));
    bench.run("gitlab.project.view", json!({"id": 8})).await;
    assert_eq!(limited.received().len(), 2);
}

#[tokio::test]
async fn writes_to_one_service_keep_their_order() {
    let server = Server::start(|number, _| Reply::json(201, json!({"id": number}))).await;
    let bench = Bench::new([service("gitlab", &server)]);
    let create = |name: &str| ("gitlab.project.create", json!({"name": name}));
    let chain = bench.chain([create("a"), create("b"), create("c")]).await;
    assert_eq!(chain["status"], "success", "{chain}");
    let names: Vec<_> = server
        .received()
        .iter()
        .map(|it| it.json()["name"].clone())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_write_in_doubt_stops_later_writes_of_its_service_only() {
    let lost = Server::start(|_, _| Reply::Lost).await;
    let other = Server::start(|number, _| Reply::json(201, json!({"id": number}))).await;
    let bench = Bench::new([service("gitlab", &lost), service("shop", &other)]);
    let chain = bench
        .chain([
            ("gitlab.project.create", json!({"name": "a"})),
            ("gitlab.project.create", json!({"name": "b"})),
            ("shop.project.create", json!({"name": "c"})),
        ])
        .await;
    assert_eq!(codes(&chain), ["NETWORK", "CANCELLED", "ok"], "{chain}");
    assert_eq!([&lost, &other].map(|it| it.received().len()), [1, 1]);
}

#[tokio::test]
async fn a_refused_secret_bars_its_service_only() {
    let refusing = Server::start(|_, _| Reply::json(401, json!({"message": "no"}))).await;
    let other = Server::start(|number, _| Reply::json(201, json!({"id": number}))).await;
    let bench = Bench::new([service("gitlab", &refusing), service("shop", &other)]);
    let create = |service: &'static str| (service, json!({"name": "x"}));
    let chain = bench
        .chain([
            create("gitlab.project.create"),
            create("gitlab.project.create"),
            create("shop.project.create"),
            create("shop.project.create"),
        ])
        .await;
    assert_eq!(codes(&chain), ["AUTH", "AUTH", "ok", "ok"], "{chain}");
    assert_eq!(refusing.received().len(), 1);
}
