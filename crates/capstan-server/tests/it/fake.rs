//! An engine with a fake route that performs the steps of the test.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::Catalog;
use capstan_core::port::{
    Answer, BoxFuture, Clock, Failure, PartialError, Preflight, RouteAdapter,
};
use capstan_core::{ErrorCode, Outcome, Redactor, ResultError, Route, RouteRequest, Secret};
use capstan_engine::{Capstan, DefaultRepository, Services, Settings};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// A secret that must never appear in a response.
pub(crate) const TOKEN: &str = "sesame-open-sesame";

/// What the fake route does with the next request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Answer(Value),
    Fail(ErrorCode, &'static str),
    /// Waits, then answers.
    Slow(Duration, Value),
    /// Answers with an error: the issue in the root field of this name does not exist.
    Missing(Value, &'static str),
    /// Never answers.
    Hang,
}

/// What happened to a request on the fake route.
#[derive(Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a test has few of them")]
pub(crate) enum Event {
    Sent(RouteRequest),
    /// The request was dropped before it was answered.
    Dropped,
}

pub(crate) struct FakeRoute {
    steps: Mutex<VecDeque<Step>>,
    events: mpsc::UnboundedSender<Event>,
}

/// Returns an engine with the built-in cards and the fake route, and the events on that route.
pub(crate) fn engine(
    steps: impl IntoIterator<Item = Step>,
) -> (Arc<Capstan>, mpsc::UnboundedReceiver<Event>) {
    engine_with(steps, Services::default())
}

/// Like [`engine`], with further services.
pub(crate) fn engine_with(
    steps: impl IntoIterator<Item = Step>,
    services: Services,
) -> (Arc<Capstan>, mpsc::UnboundedReceiver<Event>) {
    let (capstan, events) = build(steps, Settings::default(), services);
    (Arc::new(capstan), events)
}

/// Like [`engine`], with a default repository.
pub(crate) fn engine_in(
    steps: impl IntoIterator<Item = Step>,
    repository: DefaultRepository,
) -> (Arc<Capstan>, mpsc::UnboundedReceiver<Event>) {
    let settings = Settings {
        repository,
        ..Settings::default()
    };
    let (capstan, events) = build(steps, settings, Services::default());
    (Arc::new(capstan), events)
}

fn build(
    steps: impl IntoIterator<Item = Step>,
    settings: Settings,
    services: Services,
) -> (Capstan, mpsc::UnboundedReceiver<Event>) {
    let (sender, events) = mpsc::unbounded_channel();
    let route = FakeRoute {
        steps: Mutex::new(steps.into_iter().collect()),
        events: sender,
    };
    let capstan = Capstan::new(
        Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED),
        vec![Arc::new(route)],
        Arc::new(TestClock),
        Redactor::new([Secret::new(TOKEN)]),
        settings,
        services,
    );
    (capstan, events)
}

/// Returns GraphQL's answer to `issue.view`.
pub(crate) fn issue(number: u64, title: &str) -> Value {
    json!({"repository": {"issue": {
        "id": format!("I_{number}"),
        "number": number,
        "title": title,
        "state": "OPEN",
        "stateReason": null,
        "url": format!("https://github.com/acme/rocket/issues/{number}"),
        "author": {"login": "mona"},
        "body": "It leaks.",
        "labels": {"nodes": [{"name": "bug"}]},
        "assignees": {"nodes": []},
        "milestone": null,
        "comments": {"totalCount": 0},
        "createdAt": "2026-01-02T03:04:05Z",
        "updatedAt": "2026-01-02T03:04:05Z",
        "closedAt": null
    }}})
}

/// Returns GraphQL's answer to a chain of `issue.view` steps, one for each number.
pub(crate) fn issues(numbers: impl IntoIterator<Item = u64>) -> Value {
    let parts = numbers.into_iter().enumerate().map(|(step, number)| {
        let title = format!("Leak {number}");
        let part = issue(number, &title)["repository"].clone();
        (format!("issue_view_{step}"), part)
    });
    Value::Object(parts.collect())
}

impl RouteAdapter for FakeRoute {
    fn route(&self) -> Route {
        Route::Graphql
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(async { Preflight::Ready })
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let step = self.steps.lock().unwrap().pop_front();
            self.events.send(Event::Sent(request.clone())).ok();
            let mut guard = DropGuard(Some(&self.events));
            let answer = match step.expect("the test has no step for this request") {
                Step::Answer(body) => answer(body),
                Step::Slow(time, body) => {
                    tokio::time::sleep(time).await;
                    answer(body)
                }
                Step::Missing(body, alias) => answer(body).map(|found| Answer {
                    errors: vec![missing(alias)],
                    ..found
                }),
                Step::Hang => std::future::pending().await,
                Step::Fail(code, message) => {
                    let error = ResultError::new(code, message);
                    Err(Failure::new(error, Outcome::Unknown))
                }
            };
            guard.0 = None;
            answer
        })
    }
}

fn answer(body: Value) -> Result<Answer, Failure> {
    Ok(Answer::of(body))
}

fn missing(alias: &str) -> PartialError {
    let error = ResultError::new(ErrorCode::NotFound, "there is no such issue");
    PartialError {
        failure: Box::new(Failure::new(error, Outcome::NotApplied)),
        path: vec![alias.to_owned(), "issue".to_owned()],
    }
}

/// Records [`Event::Dropped`] when it is dropped, unless it was disarmed by setting it to `None`.
struct DropGuard<'a>(Option<&'a mpsc::UnboundedSender<Event>>);

impl Drop for DropGuard<'_> {
    fn drop(&mut self) {
        if let Some(events) = self.0 {
            events.send(Event::Dropped).ok();
        }
    }
}

struct TestClock;

impl Clock for TestClock {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
