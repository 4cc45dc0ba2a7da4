//! Which address is which resource.

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;

use capstan_core::ErrorCode;
use capstan_core::code::shown_name;

use super::api::Api;
use super::failure::Failure;
use super::{capabilities, dependencies, door, finish, graph, health, index, search};

pub(super) fn router(api: Api) -> Router {
    let of_one = get(dependencies::list).post(dependencies::add);
    let of_two = get(dependencies::show)
        .patch(dependencies::update)
        .delete(dependencies::remove);
    Router::new()
        .route("/", get(index::show))
        .route(health::PATH, get(health::show))
        .route("/api/capabilities", get(capabilities::list))
        .route("/api/capabilities/{id}/dependencies", of_one)
        .route("/api/capabilities/{id}/dependencies/{to}", of_two)
        .route("/api/graph/hypergraph", get(graph::hypergraph::show))
        .route("/api/graph/snapshot", get(graph::snapshot::show))
        .route("/api/graph/path", get(graph::path::show))
        .route("/api/graph/neighbors", get(graph::neighbors::show))
        .route("/api/search", get(search::find))
        .fallback(nothing_there)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(api.clone(), door::check))
        .layer(from_fn_with_state(api.clone(), finish::finish))
        .with_state(api)
}

async fn nothing_there(request: Request) -> Failure {
    nothing_at(request.uri().path())
}

pub(super) fn nothing_at(path: &str) -> Failure {
    let path = shown_name(path);
    let message = format!("there is nothing at `{path}`: `/` says what there is");
    Failure::new(StatusCode::NOT_FOUND, ErrorCode::NotFound, message)
}

async fn wrong_method(request: Request) -> Failure {
    let (method, path) = (request.method(), shown_name(request.uri().path()));
    let message = format!("`{method}` cannot be done at `{path}`: `Allow` says what can");
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::Validation,
        message,
    )
}
