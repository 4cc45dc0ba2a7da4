//! Endpoints that answer well, badly, late and not at all.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use capstan_core::port::{BoxFuture, Clock, Embedder as _};
use capstan_core::{ErrorCode, ResultError, Secret};
use capstan_embed::{Endpoint, EndpointSettings};
use serde_json::{Value, json};

use crate::server::{Server, ok, status, vectors};

const KEY: &str = "sesame-open-sesame";

#[tokio::test]
async fn texts_go_in_batches_and_vectors_come_back_in_order() {
    let server = Server::start(|_, seen| vectors(seen)).await;
    let (endpoint, _) = endpoint(&server);
    let texts: Vec<_> = (1..=7).map(|length| "a".repeat(length)).collect();
    let made = endpoint.embed(&texts).await.unwrap();
    for (text, vector) in texts.iter().zip(&made) {
        let length = text.len() as f32;
        assert!(
            (vector[0] / vector[1] - length).abs() < 1e-4,
            "{text}: {vector:?}"
        );
        let square: f32 = vector.iter().map(|x| x * x).sum();
        assert!((square - 1.0).abs() < 1e-5, "{vector:?}");
    }
    let seen = server.seen();
    let sizes: Vec<_> = seen.iter().map(|seen| seen.inputs().len()).collect();
    assert_eq!(sizes, [3, 3, 1]);
    assert_eq!(seen[0].line, "POST /v1/embeddings");
    assert_eq!(seen[0].body["model"], "small");
    assert_eq!(
        seen[0].authorization.as_deref(),
        Some("Bearer sesame-open-sesame")
    );
}

#[tokio::test]
async fn nothing_is_asked_before_there_are_texts() {
    let server = Server::start(|_, seen| vectors(seen)).await;
    let (endpoint, _) = endpoint(&server);
    assert_eq!(
        endpoint.model(),
        format!("small of {}/embeddings", server.base())
    );
    assert!(endpoint.embed(&[]).await.unwrap().is_empty());
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn long_texts_are_cut_and_empty_ones_are_sent_as_something() {
    let server = Server::start(|_, seen| vectors(seen)).await;
    let (endpoint, _) = endpoint(&server);
    let texts = ["é".repeat(100_000), " \n".to_owned()];
    assert_eq!(endpoint.embed(&texts).await.unwrap().len(), 2);
    let seen = server.seen();
    assert_eq!(seen[0].inputs(), ["é".repeat(8_000).as_str(), "-"]);
}

#[tokio::test]
async fn a_busy_server_is_asked_once_more_after_the_wait_it_names() {
    for (code, header, waited) in [
        (429, Some(("retry-after", "2")), 2),
        (429, None, 1),
        (503, Some(("retry-after", "0")), 0),
        (500, None, 1),
    ] {
        let server = Server::start(move |number, seen| match number {
            0 => status(code, header.as_slice(), &json!({})),
            _ => vectors(seen),
        })
        .await;
        let (endpoint, clock) = endpoint(&server);
        assert_eq!(endpoint.embed(&["a".to_owned()]).await.unwrap().len(), 1);
        assert_eq!(clock.slept(), [Duration::from_secs(waited)]);
        assert_eq!(server.seen().len(), 2);
    }
}

#[tokio::test]
async fn a_server_that_stays_busy_is_given_up() {
    let server = Server::start(|_, _| status(429, &[("retry-after", "2")], &json!({}))).await;
    let error = fails(&server).await;
    assert_eq!(server.seen().len(), 2);
    assert_eq!(error.code, ErrorCode::RateLimit);
    assert!(error.retryable);
    assert_eq!(error.details["retry_after_s"], 2);

    let server = Server::start(|_, _| status(503, &[("retry-after", "7")], &json!({}))).await;
    let error = fails(&server).await;
    assert_eq!(server.seen().len(), 1, "somebody waits for a search");
    assert_eq!(error.code, ErrorCode::Server);
    assert_eq!(error.details["retry_after_s"], 7);
}

#[tokio::test]
async fn refusals_say_what_to_do_and_never_the_key() {
    for (code, expected, hint) in [
        (401, ErrorCode::Auth, "check the key"),
        (403, ErrorCode::Auth, "check the key"),
        (404, ErrorCode::NotFound, "name of the model"),
        (400, ErrorCode::Validation, "with 400"),
        (413, ErrorCode::Validation, "with 413"),
        (418, ErrorCode::Validation, "with 418"),
        (307, ErrorCode::Unknown, "with 307"),
    ] {
        let server = Server::start(move |_, _| {
            let words = format!("Incorrect API key provided: {KEY}");
            let away = [("location", "http://127.0.0.1:9/v1/embeddings")];
            status(code, &away, &json!({ "error": { "message": words } }))
        })
        .await;
        let error = fails(&server).await;
        assert_eq!(error.code, expected);
        assert!(!error.retryable);
        assert!(error.message.contains(hint), "{}", error.message);
        assert!(
            error.message.contains("Incorrect API key"),
            "{}",
            error.message
        );
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
        assert_eq!(server.seen().len(), 1, "it is not asked again");
    }
    let server = Server::start(|_, seen| vectors(seen)).await;
    assert!(!format!("{:?}", endpoint(&server).0).contains(KEY));
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused() {
    let bodies: [(Value, &str); 4] = [
        (json!({ "data": [] }), "0 vectors for 1 texts"),
        (
            json!({ "data": [{ "index": 1, "embedding": [1] }] }),
            "text 1",
        ),
        (
            json!({ "data": [{ "embedding": [0, 0] }] }),
            "without a direction",
        ),
        (json!("what?"), "not a list of embeddings"),
    ];
    for (body, why) in bodies {
        let server = Server::start(move |_, _| ok(&body)).await;
        let error = fails(&server).await;
        assert_eq!(error.code, ErrorCode::Server);
        assert!(error.message.contains(why), "{}", error.message);
    }
}

#[tokio::test]
async fn vectors_of_one_time_have_one_length() {
    let server = Server::start(|number, _| {
        ok(&json!({ "data": [{ "index": 0, "embedding": vec![1; number + 2] }] }))
    })
    .await;
    let settings = EndpointSettings {
        batch: 1,
        ..EndpointSettings::new(server.base(), "small")
    };
    let endpoint = Endpoint::new(settings, Arc::new(TestClock::default())).unwrap();
    let text = "a".to_owned();
    // The next call may reach another model.
    for length in [2, 3] {
        let made = endpoint.embed(std::slice::from_ref(&text)).await;
        assert_eq!(made.unwrap()[0].len(), length);
    }
    let error = endpoint.embed(&[text.clone(), text]).await.unwrap_err();
    assert!(
        error.message.contains("5 numbers where others have 4"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_given_up() {
    let server = Server::start(|_, _| None).await;
    let settings = EndpointSettings {
        time_limit: Duration::from_millis(200),
        ..EndpointSettings::new(server.base(), "small")
    };
    let endpoint = Endpoint::new(settings, Arc::new(TestClock::default())).unwrap();
    let error = endpoint.embed(&["a".to_owned()]).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    assert!(error.message.contains("within 0.2 s"), "{}", error.message);
    assert!(
        server
            .seen()
            .iter()
            .all(|seen| seen.authorization.is_none())
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told() {
    let settings = EndpointSettings::new("http://127.0.0.1:1/v1", "small");
    let endpoint = Endpoint::new(settings, Arc::new(TestClock::default())).unwrap();
    let error = endpoint.embed(&["a".to_owned()]).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    assert!(error.retryable);
    assert!(error.message.contains("refused"), "{}", error.message);
}

#[tokio::test]
async fn a_key_that_cannot_be_one_is_told() {
    let server = Server::start(|_, seen| vectors(seen)).await;
    let settings = EndpointSettings {
        key: Some(Secret::new("sesame\nopen")),
        ..EndpointSettings::new(server.base(), "small")
    };
    let endpoint = Endpoint::new(settings, Arc::new(TestClock::default())).unwrap();
    let error = endpoint.embed(&["a".to_owned()]).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Auth);
    assert!(!error.message.contains("sesame"), "{}", error.message);
    assert!(server.seen().is_empty());
}

async fn fails(server: &Server) -> ResultError {
    endpoint(server)
        .0
        .embed(&["a".to_owned()])
        .await
        .unwrap_err()
}

fn endpoint(server: &Server) -> (Endpoint, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let settings = EndpointSettings {
        key: Some(Secret::new(KEY)),
        batch: 3,
        ..EndpointSettings::new(server.base(), "small")
    };
    let shared: Arc<dyn Clock> = clock.clone();
    (Endpoint::new(settings, shared).unwrap(), clock)
}

/// A clock that never waits, and records the requested waits.
#[derive(Default)]
struct TestClock(Mutex<Vec<Duration>>);

impl TestClock {
    fn slept(&self) -> Vec<Duration> {
        self.0.lock().unwrap().clone()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.0.lock().unwrap().push(duration);
        Box::pin(std::future::ready(()))
    }
}
