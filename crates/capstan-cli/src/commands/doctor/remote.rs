//! One cheap request with the token, on one route.

use std::time::{Duration, Instant};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure, RouteAdapter, TokenFacts};
use capstan_core::{
    CliAnswer, CliRequest, ErrorCode, GraphqlRequest, Method, RestRequest, ResultError, Route,
    RouteRequest,
};
use serde_json::{Map, Value};

/// A GitHub that does not answer in this time is out of reach.
const PATIENCE: Duration = Duration::from_secs(5);

/// What GitHub says about who asks.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    /// Nobody's, if the token belongs to an app.
    pub(super) login: Option<String>,
    pub(super) token: TokenFacts,
}

/// Asks who the token belongs to. A token that may not know that is asked for its budget, which
/// every valid token may know.
pub(super) async fn ask(adapter: &dyn RouteAdapter) -> Result<Remote, Box<Failure>> {
    let deadline = Instant::now() + PATIENCE;
    let send = async |request: RouteRequest| -> Result<Answer, Box<Failure>> {
        adapter.send(&request, deadline).await.map_err(Box::new)
    };
    match send(who(adapter.route())).await {
        Ok(answer) => told(answer),
        Err(failure) if failure.error.code == ErrorCode::Auth => {
            let Some(request) = budget(adapter.route()) else {
                return Err(failure);
            };
            // If that fails too, the first failure says more.
            let answer = send(request).await.map_err(|_| failure)?;
            Ok(Remote {
                login: None,
                token: answer.token,
            })
        }
        Err(failure) => Err(failure),
    }
}

/// What an answer says about who asks. One that names nobody is not GitHub's, or not whole.
fn told(answer: Answer) -> Result<Remote, Box<Failure>> {
    if let Some(named) = named(&answer.body) {
        return Ok(Remote {
            login: is_plain(named).then(|| named.to_owned()),
            token: answer.token,
        });
    }
    if let Some(partial) = answer.errors.into_iter().next() {
        return Err(partial.failure);
    }
    let message = "GitHub's answer does not say whose token this is";
    let error = ResultError::new(ErrorCode::Server, message);
    Err(Box::new(Failure::not_sent(error)))
}

fn who(route: Route) -> RouteRequest {
    match route {
        Route::Graphql => RouteRequest::Graphql(GraphqlRequest {
            operation_name: "WhoAmI".to_owned(),
            document: "query WhoAmI { viewer { login } }".to_owned(),
            variables: Map::new(),
            operation: Operation::Read,
        }),
        Route::Cli => gh("user"),
        _ => get("/user"),
    }
}

fn budget(route: Route) -> Option<RouteRequest> {
    match route {
        Route::Graphql => None,
        Route::Cli => Some(gh("rate_limit")),
        _ => Some(get("/rate_limit")),
    }
}

fn get(path: &str) -> RouteRequest {
    RouteRequest::Rest(RestRequest {
        method: Method::Get,
        path: path.to_owned(),
        body: None,
        accept: None,
    })
}

fn gh(path: &str) -> RouteRequest {
    RouteRequest::Cli(CliRequest {
        args: ["api", path, "--include"].map(str::to_owned).to_vec(),
        stdin: None,
        operation: Operation::Read,
        answer: CliAnswer::Http,
    })
}

fn named(body: &Value) -> Option<&str> {
    let login = body.get("login").or_else(|| body.pointer("/viewer/login"));
    login.and_then(Value::as_str).filter(|it| !it.is_empty())
}

/// Whether a login has nothing in it that a terminal could mistake.
fn is_plain(login: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '[' | ']');
    login.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_that_names_nobody_is_not_ready() {
        for body in [
            json!([]),
            json!({}),
            json!(null),
            json!("hello"),
            json!({"viewer": null}),
            json!({"viewer": {"login": null}}),
            json!({"login": ""}),
        ] {
            let failure = told(Answer::of(body.clone())).unwrap_err();
            assert_eq!(failure.error.code, ErrorCode::Server, "{body}");
        }
        let told_login = |body| told(Answer::of(body)).unwrap().login;
        assert_eq!(told_login(json!({"login": "ada"})).as_deref(), Some("ada"));
        let graphql = told_login(json!({"viewer": {"login": "app[bot]"}}));
        assert_eq!(graphql.as_deref(), Some("app[bot]"));
        assert_eq!(told_login(json!({"login": "\u{1b}[2J"})), None);
    }
}
