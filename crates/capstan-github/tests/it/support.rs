//! Requests and adapters for tests.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure, RouteAdapter};
use capstan_core::{GraphqlRequest, Method, RestRequest, RouteRequest, Secret};
use capstan_github::{Endpoint, GithubHost, GraphqlAdapter, HttpClient, RestAdapter, TokenSource};
use serde_json::{Map, Value};

pub(crate) const TOKEN: &str = "sesame-open-sesame";

/// Long enough for a slow machine, and short enough to notice a test that waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// For requests that are expected to run out of time.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

pub(crate) fn client(base: &str) -> Arc<HttpClient> {
    let host = GithubHost::from_url(&capstan_http::parse_base_url(base).unwrap()).unwrap();
    let endpoint = Endpoint::from_urls(base, &format!("{base}/graphql"), &host).unwrap();
    Arc::new(HttpClient::new(
        endpoint,
        TokenSource::from_token(Secret::new(TOKEN)),
    ))
}

pub(crate) fn rest(base: &str) -> RestAdapter {
    RestAdapter::new(client(base))
}

pub(crate) fn graphql(base: &str) -> GraphqlAdapter {
    GraphqlAdapter::new(client(base))
}

pub(crate) fn get(path: &str) -> RouteRequest {
    RouteRequest::Rest(RestRequest::new(Method::Get, path))
}

pub(crate) fn post(path: &str, body: Value) -> RouteRequest {
    RouteRequest::Rest(RestRequest {
        body: Some(body),
        ..RestRequest::new(Method::Post, path)
    })
}

pub(crate) fn delete(path: &str) -> RouteRequest {
    RouteRequest::Rest(RestRequest::new(Method::Delete, path))
}

pub(crate) fn mutation() -> RouteRequest {
    RouteRequest::Graphql(GraphqlRequest {
        operation_name: "Close".to_owned(),
        document: "mutation Close($id: ID!) { closeIssue(input: {issueId: $id}) { issue { id } } }"
            .to_owned(),
        variables: Map::from_iter([("id".to_owned(), Value::from("I_1"))]),
        operation: Operation::Write,
    })
}

/// Sends with a generous deadline.
pub(crate) async fn send(
    adapter: &dyn RouteAdapter,
    request: &RouteRequest,
) -> Result<Answer, Failure> {
    let started = Instant::now();
    let result = adapter.send(request, started + PATIENCE).await;
    assert!(started.elapsed() < PATIENCE, "it waited for the deadline");
    result
}

/// Sends with a short deadline and checks that it was kept.
pub(crate) async fn send_briefly(
    adapter: &dyn RouteAdapter,
    request: &RouteRequest,
) -> Result<Answer, Failure> {
    let started = Instant::now();
    let result = adapter.send(request, started + SHORT).await;
    let late = started.elapsed().saturating_sub(SHORT);
    assert!(late < Duration::from_secs(2), "{late:?} late");
    result
}

/// Polls until another process has done something, because it cannot notify us.
pub(crate) async fn eventually<T, F>(mut look: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let started = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "it never happened");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
