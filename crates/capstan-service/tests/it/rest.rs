//! REST: what is sent, what an answer means, and that a write is never sent twice if the first may have happened.

use capstan_core::{ErrorCode, Options, Route};
use capstan_service::ErrorShape;
use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::{Bench, GITHUB_TOKEN, SECRET, expr, project, service, task};

#[tokio::test]
async fn a_read_is_sent_below_the_base_address_with_the_secret() {
    let server = Server::start(|_, _| Reply::ok(project("x"))).await;
    let mut settings = service("gitlab", &server);
    settings
        .headers
        .insert("x-api-version", "2026-07".parse().unwrap());
    let bench = Bench::new([settings]);
    let envelope = bench.run("gitlab.project.view", json!({"id": 7})).await;
    assert_eq!(envelope["data"], json!({"name": "x"}), "{envelope}");
    let received = &server.received()[0];
    assert_eq!(received.target, "/api/v4/projects/7");
    assert_eq!(
        received.header("authorization"),
        Some(&*format!("Bearer {SECRET}"))
    );
    assert_eq!(received.header("x-api-version"), Some("2026-07"));
    assert_eq!(received.header("accept"), Some("application/json"));
}

#[tokio::test]
async fn a_refusal_is_told_in_the_words_of_the_service() {
    let cases: [(u16, Value, ErrorShape, &str, &str); 5] = [
        (
            404,
            json!({"message": "404 Project Not Found"}),
            ErrorShape::default(),
            "NOT_FOUND",
            "404 Project Not Found",
        ),
        (
            422,
            json!({"errors": [{"detail": "name is taken"}]}),
            ErrorShape::default(),
            "VALIDATION",
            "name is taken",
        ),
        (
            403,
            json!({"error": {"message": "no"}}),
            ErrorShape::default(),
            "AUTH",
            "no",
        ),
        (
            409,
            json!({}),
            ErrorShape::default(),
            "CONFLICT",
            "gitlab answered HTTP 409 (Conflict)",
        ),
        (
            400,
            json!({"why": {"text": "bad"}, "message": "other"}),
            ErrorShape {
                message: Some(expr("why.text")),
                code: Some(expr("why.code | default(\"E7\")")),
                when: None,
            },
            "VALIDATION",
            "bad",
        ),
    ];
    for (status, body, errors, code, message) in cases {
        let has_code = errors.code.is_some();
        let server = Server::start(move |_, _| Reply::json(status, body.clone())).await;
        let mut settings = service("gitlab", &server);
        settings.errors = errors;
        let bench = Bench::new([settings]);
        let envelope = bench
            .run("gitlab.project.create", json!({"name": "x"}))
            .await;
        let error = &envelope["error"];
        assert_eq!(error["code"], code, "{envelope}");
        assert_eq!(error["message"], message, "{envelope}");
        assert_eq!(error["details"]["outcome"], "not_applied");
        assert_eq!(error["details"]["status"], status);
        assert_eq!(error["details"].get("service_code").is_some(), has_code);
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test]
async fn an_error_with_a_success_status_is_an_error() {
    let server =
        Server::start(|_, _| Reply::ok(json!({"ok": false, "error": "channel_not_found"}))).await;
    let mut settings = service("gitlab", &server);
    settings.errors.when = Some(expr("ok == false"));
    let bench = Bench::new([settings]);
    let envelope = bench
        .run("gitlab.project.create", json!({"name": "x"}))
        .await;
    let message = envelope["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("channel_not_found"), "{envelope}");
    assert_eq!(envelope["error"]["details"]["outcome"], "unknown");
}

#[tokio::test]
async fn a_write_with_a_lost_answer_is_unknown_and_not_repeated() {
    for lost in [
        Reply::Lost,
        Reply::json(502, json!({"message": "bad gateway"})),
    ] {
        let reply = lost.clone();
        let server = Server::start(move |_, _| reply.clone()).await;
        let bench = Bench::new([service("gitlab", &server)]);
        let envelope = bench
            .run("gitlab.project.create", json!({"name": "x"}))
            .await;
        assert_eq!(
            envelope["error"]["details"]["outcome"], "unknown",
            "{envelope}"
        );
        assert_eq!(envelope["error"]["retryable"], false);
        assert_eq!(server.received().len(), 1, "{lost:?}");
    }
}

#[tokio::test]
async fn a_read_with_a_lost_answer_is_repeated() {
    let server = Server::start(|number, _| match number {
        0 => Reply::Lost,
        1 => Reply::json(503, json!({})),
        _ => Reply::ok(project("x")),
    })
    .await;
    let bench = Bench::new([service("gitlab", &server)]);
    let envelope = bench.run("gitlab.project.view", json!({"id": 7})).await;
    assert_eq!(envelope["data"]["name"], "x", "{envelope}");
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn nobody_is_there_so_a_write_did_not_happen() {
    let server = Server::start(|_, _| Reply::Lost).await;
    let mut settings = service("gitlab", &server);
    settings.base_url = Some("http://127.0.0.1:1/api".parse().unwrap());
    let bench = Bench::new([settings]);
    let envelope = bench
        .run("gitlab.project.create", json!({"name": "x"}))
        .await;
    assert_eq!(envelope["error"]["code"], "NETWORK", "{envelope}");
    assert_eq!(envelope["error"]["details"]["outcome"], "not_applied");
}

#[tokio::test]
async fn a_redirect_to_another_host_gets_nothing() {
    let thief = Server::start(|_, _| Reply::ok(project("stolen"))).await;
    let target = format!("{}/projects/7?x=1", thief.url());
    let server =
        Server::start(move |_, _| Reply::json(302, json!({})).with("Location", target.clone()))
            .await;
    let bench = Bench::new([service("gitlab", &server)]);
    let envelope = bench.run("gitlab.project.view", json!({"id": 7})).await;
    let message = envelope["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("another host, which must not get the token"),
        "{envelope}"
    );
    assert!(thief.received().is_empty());
}

#[tokio::test]
async fn a_redirect_on_the_same_host_is_followed_by_reads_only() {
    let server = Server::start(|_, request| match request.target.as_str() {
        "/api/v4/elsewhere" => Reply::ok(project("moved")),
        _ => Reply::json(307, json!({})).with("Location", "/api/v4/elsewhere"),
    })
    .await;
    let bench = Bench::new([service("gitlab", &server)]);
    let read = bench.run("gitlab.project.view", json!({"id": 7})).await;
    assert_eq!(read["data"]["name"], "moved", "{read}");
    let write = bench
        .run("gitlab.project.create", json!({"name": "x"}))
        .await;
    assert_eq!(
        write["error"]["details"]["outcome"], "not_applied",
        "{write}"
    );
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn a_service_that_is_not_configured_is_named() {
    let server = Server::start(|_, _| Reply::Lost).await;
    let bench = Bench::beside(Some(&server), []);
    let envelope = bench.run("gitlab.project.view", json!({"id": 7})).await;
    let message = envelope["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("`base_url` in `[services.gitlab]` of your own configuration"),
        "{message}"
    );
    assert!(server.received().is_empty(), "it must not go to GitHub");
}

#[tokio::test]
async fn the_repository_of_the_folder_is_not_a_services() {
    let server = Server::start(|_, _| Reply::ok(project("x"))).await;
    let bench = Bench::new([service("gitlab", &server)]);
    let envelope = bench.run("gitlab.file.view", json!({})).await;
    assert_eq!(envelope["error"]["code"], "VALIDATION", "{envelope}");
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_dry_run_and_an_explanation_send_nothing() {
    let server = Server::start(|_, _| Reply::Lost).await;
    let bench = Bench::new([service("gitlab", &server)]);
    let plan = bench
        .capstan
        .dry_run(&task("gitlab.project.create", json!({"name": "x"})))
        .await;
    let plan = serde_json::to_string(&plan.unwrap()).unwrap();
    assert!(
        plan.contains("\"path\":\"/projects\"") && !plan.contains(SECRET),
        "{plan}"
    );
    let forced = capstan_core::TaskRequest {
        options: Options {
            route: Some(Route::Cli),
            ..Options::default()
        },
        ..task("gitlab.project.view", json!({"id": 7}))
    };
    let envelope = bench.capstan.execute_task(&forced).await;
    assert_eq!(envelope.error.unwrap().code, ErrorCode::AdapterUnsupported);
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn an_echoed_secret_is_masked() {
    let server = Server::start(|_, request| {
        let echo = format!(
            "{} {}",
            request.header("authorization").unwrap(),
            request.target
        );
        Reply::json(400, json!({"message": echo}))
    })
    .await;
    let bench = Bench::new([service("gitlab", &server)]);
    let envelope = bench
        .run("gitlab.project.view", json!({"id": 7}))
        .await
        .to_string();
    assert!(envelope.contains("[redacted]"), "{envelope}");
    assert!(
        !envelope.contains(SECRET) && !envelope.contains(GITHUB_TOKEN),
        "{envelope}"
    );
}
