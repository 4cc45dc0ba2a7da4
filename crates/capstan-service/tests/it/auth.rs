//! Secrets: each source and each place; found once, renewed when refused, and sent to nobody else.

use std::time::Duration;

use capstan_service::{ClientCredentials, CredentialPlace, CredentialSource};
use serde_json::{Value, json};

use crate::server::{Received, Reply, Server};
use crate::support::{Bench, GITHUB_TOKEN, SECRET, bearer, project, service, variable};

async fn view(bench: &Bench) -> Value {
    bench.run("gitlab.project.view", json!({"id": 7})).await
}

#[tokio::test]
async fn the_secret_goes_where_the_configuration_says() {
    let header = |name: &'static str, scheme: Option<&str>| CredentialPlace::Header {
        name: http::HeaderName::from_static(name),
        scheme: scheme.map(str::to_owned),
    };
    for (place, name, expected) in [
        (bearer(), "authorization", format!("Bearer {SECRET}")),
        (
            header("authorization", Some("token")),
            "authorization",
            format!("token {SECRET}"),
        ),
        (
            header("private-token", None),
            "private-token",
            SECRET.to_owned(),
        ),
        // printf 'service-secret-5b4a3c2d1e' | base64
        (
            CredentialPlace::Basic,
            "authorization",
            "Basic c2VydmljZS1zZWNyZXQtNWI0YTNjMmQxZQ==".to_owned(),
        ),
    ] {
        let server = Server::start(|_, _| Reply::ok(project("x"))).await;
        let mut settings = service("gitlab", &server);
        settings.place = place;
        let envelope = view(&Bench::new([settings])).await;
        assert_eq!(envelope["ok"], true, "{envelope}");
        assert_eq!(server.received()[0].header(name), Some(&*expected));
    }
}

#[tokio::test]
async fn a_secret_in_the_query_is_in_no_output() {
    let server =
        Server::start(|_, request| Reply::json(400, json!({"message": request.target}))).await;
    let mut settings = service("gitlab", &server);
    settings.place = CredentialPlace::Query("api_key".to_owned());
    let envelope = view(&Bench::new([settings])).await;
    let received = &server.received()[0];
    assert_eq!(
        received.target,
        format!("/api/v4/projects/7?api_key={SECRET}")
    );
    assert_eq!(received.header("authorization"), None);
    assert!(!envelope.to_string().contains(SECRET), "{envelope}");
}

#[tokio::test]
async fn a_variable_that_is_not_set_is_named_when_it_is_needed() {
    let server = Server::start(|_, _| Reply::ok(project("x"))).await;
    let mut settings = service("gitlab", &server);
    settings.credential = CredentialSource::Variable(variable("GITLAB_TOKEN", ""));
    let envelope = view(&Bench::new([settings])).await;
    assert_eq!(envelope["error"]["code"], "AUTH", "{envelope}");
    let message = envelope["error"]["message"].as_str().unwrap();
    assert!(message.contains("GITLAB_TOKEN is not set"), "{message}");
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn wrong_credentials_are_an_auth_error_and_not_repeated() {
    let server =
        Server::start(|_, _| Reply::json(401, json!({"message": "401 Unauthorized"}))).await;
    let bench = Bench::new([service("gitlab", &server)]);
    let envelope = view(&bench).await;
    assert_eq!(envelope["error"]["code"], "AUTH", "{envelope}");
    assert_eq!(server.received().len(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_is_run_once_and_its_output_is_masked() {
    let folder =
        std::env::temp_dir().join(format!("capstan-service-command-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let log = folder.join("log");
    let server = Server::start(|_, request| {
        Reply::json(400, json!({"message": request.header("authorization")}))
    })
    .await;
    let mut settings = service("gitlab", &server);
    let script = format!(
        "echo run >> '{}'; echo printed-secret-77; echo more",
        log.display()
    );
    settings.credential =
        CredentialSource::Command(["sh", "-c", &script].map(str::to_owned).to_vec());
    let bench = Bench::new([settings]);
    assert!(!log.exists(), "nothing is run before the first call");
    for _ in 0..2 {
        let envelope = view(&bench).await;
        assert!(
            !envelope.to_string().contains("printed-secret"),
            "{envelope}"
        );
        assert_eq!(envelope["error"]["message"], "Bearer [redacted]");
    }
    assert_eq!(
        server.received()[1].header("authorization"),
        Some("Bearer printed-secret-77")
    );
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "run\n");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_that_fails_says_so_without_its_output() {
    let server = Server::start(|_, _| Reply::ok(project("x"))).await;
    for (script, said) in [
        ("echo hidden-text; exit 3", "failed (exit status: 3)"),
        ("true", "printed no text"),
    ] {
        let mut settings = service("gitlab", &server);
        settings.credential =
            CredentialSource::Command(["sh", "-c", script].map(str::to_owned).to_vec());
        let envelope = view(&Bench::new([settings])).await.to_string();
        assert!(
            envelope.contains(said) && !envelope.contains("hidden-text"),
            "{envelope}"
        );
    }
    let mut settings = service("gitlab", &server);
    settings.credential = CredentialSource::Command(vec!["/no/such/program".to_owned()]);
    let envelope = view(&Bench::new([settings])).await.to_string();
    assert!(envelope.contains("cannot be started"), "{envelope}");
    assert!(server.received().is_empty());
}

fn grant(server: &Server, in_body: bool) -> CredentialSource {
    CredentialSource::ClientCredentials(ClientCredentials {
        token_url: format!("{}/oauth/token", server.url()).parse().unwrap(),
        id: variable("CLIENT_ID", "the client"),
        secret: variable("CLIENT_SECRET", "client-secret-99"),
        scope: Some("api read".to_owned()),
        in_body,
    })
}

/// Issues `access-token-N` and accepts only tokens from `least` on.
fn oauth(least: usize) -> impl Fn(usize, &Received) -> Reply + Send + Sync + 'static {
    let issued = std::sync::atomic::AtomicUsize::new(0);
    move |_, request| {
        if request.target == "/oauth/token" {
            let number = issued.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let token = format!("access-token-{number}");
            return Reply::ok(
                json!({"access_token": token, "token_type": "bearer", "expires_in": 600}),
            );
        }
        let sent = request.header("authorization").unwrap_or_default();
        let number: usize = sent
            .strip_prefix("Bearer access-token-")
            .unwrap()
            .parse()
            .unwrap();
        if number < least {
            return Reply::json(401, json!({"message": format!("{sent} has expired")}));
        }
        Reply::ok(json!({"id": 7, "name": sent}))
    }
}

fn token_requests(server: &Server) -> usize {
    let targets = server.targets().into_iter();
    targets.filter(|target| target == "/oauth/token").count()
}

#[tokio::test]
async fn a_token_is_fetched_once_for_all_callers_until_it_expires() {
    let server = Server::start(oauth(0)).await;
    let mut settings = service("gitlab", &server);
    settings.credential = grant(&server, false);
    let bench = Bench::new([settings]);
    assert!(
        server.received().is_empty(),
        "nothing is sent before the first call"
    );
    let views = || ("gitlab.project.view", json!({"id": 7}));
    let chain = bench
        .chain([
            views(),
            ("gitlab.project.view", json!({"id": 8})),
            ("gitlab.project.view", json!({"id": 9})),
        ])
        .await;
    assert_eq!(chain["status"], "success", "{chain}");
    assert_eq!(token_requests(&server), 1);
    let request = &server.received()[0];
    assert_eq!(
        (request.method.as_str(), request.body.as_str()),
        ("POST", "grant_type=client_credentials&scope=api+read")
    );
    // printf 'the+client:client-secret-99' | base64
    assert_eq!(
        request.header("authorization"),
        Some("Basic dGhlK2NsaWVudDpjbGllbnQtc2VjcmV0LTk5")
    );
    bench.clock.skip(Duration::from_secs(560));
    view(&bench).await;
    assert_eq!(token_requests(&server), 1);
    bench.clock.skip(Duration::from_secs(15));
    view(&bench).await;
    assert_eq!(
        token_requests(&server),
        2,
        "it is replaced before it expires"
    );
    assert!(!chain.to_string().contains("access-token"), "{chain}");
}

#[tokio::test]
async fn a_refused_token_is_replaced_once() {
    for (capability, input) in [
        ("gitlab.project.view", json!({"id": 7})),
        // A write that was refused did not happen.
        ("gitlab.project.create", json!({"name": "x"})),
    ] {
        let server = Server::start(oauth(1)).await;
        let mut settings = service("gitlab", &server);
        settings.credential = grant(&server, true);
        let bench = Bench::new([settings]);
        let envelope = bench.run(capability, input.clone()).await;
        assert_eq!(envelope["ok"], true, "{envelope}");
        assert_eq!((server.received().len(), token_requests(&server)), (4, 2));
        let body = &server.received()[0].body;
        assert!(
            body.ends_with("&client_id=the+client&client_secret=client-secret-99"),
            "{body}"
        );

        let server = Server::start(oauth(9)).await;
        let mut settings = service("gitlab", &server);
        settings.credential = grant(&server, true);
        let envelope = Bench::new([settings]).run(capability, input).await;
        assert_eq!(envelope["error"]["code"], "AUTH", "{envelope}");
        assert_eq!((server.received().len(), token_requests(&server)), (4, 2));
        assert!(!envelope.to_string().contains("access-token"), "{envelope}");
    }
}

#[tokio::test]
async fn a_refused_client_is_an_auth_error() {
    let server = Server::start(|_, _| {
        Reply::json(
            401,
            json!({"error": "invalid_client", "error_description": "not client-secret-99"}),
        )
    })
    .await;
    let mut settings = service("gitlab", &server);
    settings.credential = grant(&server, false);
    let envelope = Bench::new([settings])
        .run("gitlab.project.create", json!({"name": "x"}))
        .await;
    assert_eq!(envelope["error"]["code"], "AUTH", "{envelope}");
    assert_eq!(envelope["error"]["details"]["outcome"], "not_applied");
    let message = envelope["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("invalid_client: not [redacted]"),
        "{message}"
    );
    assert_eq!(token_requests(&server), server.received().len());
}

#[tokio::test]
async fn every_server_gets_its_own_secret_only() {
    let github = Server::start(|_, _| Reply::ok(json!({"login": "maya"}))).await;
    let gitlab = Server::start(|_, _| Reply::ok(project("x"))).await;
    let shop = Server::start(|_, _| Reply::ok(project("y"))).await;
    let mut other = service("shop", &shop);
    other.credential = CredentialSource::Variable(variable("SHOP_TOKEN", "shop-secret-1234"));
    let bench = Bench::beside(Some(&github), [service("gitlab", &gitlab), other]);
    let steps = [
        ("gitlab.project.view", json!({"id": 7})),
        ("shop.project.view", json!({"id": 7})),
        ("hub.user.view", json!({})),
    ];
    let chain = bench.chain(steps).await;
    assert_eq!(chain["status"], "success", "{chain}");
    for (server, own) in [
        (&github, GITHUB_TOKEN),
        (&gitlab, SECRET),
        (&shop, "shop-secret-1234"),
    ] {
        assert_eq!(server.received().len(), 1);
        let head = &server.received()[0].head;
        for secret in [GITHUB_TOKEN, SECRET, "shop-secret-1234"] {
            assert_eq!(head.contains(secret), secret == own, "{head}");
        }
    }
}
