//! Asks GitHub on one route whose token this is.

use std::time::{Duration, Instant};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure, RouteAdapter, TokenFacts};
use capstan_core::{
    AnswerFormat, CliAnswer, CliRequest, ErrorCode, GraphqlRequest, Method, RestRequest,
    ResultError, Route, RouteRequest,
};
use serde_json::{Map, Value};

/// The time limit for both requests together.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What GitHub says about the token and its owner.
#[derive(Clone, Debug)]
pub(super) struct TokenOwner {
    /// The login of the owner. `None` if the token belongs to an app.
    pub(super) login: Option<String>,
    pub(super) token: TokenFacts,
}

/// Asks GitHub for the owner of the token. Tokens of apps may not ask that, so after an authentication failure the
/// rate limit is requested, which every valid token may read.
pub(super) async fn ask(adapter: &dyn RouteAdapter) -> Result<TokenOwner, Box<Failure>> {
    let deadline = Instant::now() + TIMEOUT;
    let send = async |request: RouteRequest| -> Result<Answer, Box<Failure>> {
        adapter.send(&request, deadline).await.map_err(Box::new)
    };
    match send(owner_request(adapter.route())).await {
        Ok(answer) => owner_in(answer),
        Err(failure) if failure.error.code == ErrorCode::Auth => {
            let Some(request) = rate_limit_request(adapter.route()) else {
                return Err(failure);
            };
            // If this fails too, the first failure is more helpful.
            let answer = send(request).await.map_err(|_| failure)?;
            Ok(TokenOwner {
                login: None,
                token: answer.token,
            })
        }
        Err(failure) => Err(failure),
    }
}

/// Reads the owner from an answer. An answer without a login is an error: it is incomplete, or not from GitHub.
fn owner_in(answer: Answer) -> Result<TokenOwner, Box<Failure>> {
    if let Some(login) = find_login(&answer.body) {
        return Ok(TokenOwner {
            login: is_plain(login).then(|| login.to_owned()),
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

fn owner_request(route: Route) -> RouteRequest {
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

fn rate_limit_request(route: Route) -> Option<RouteRequest> {
    match route {
        Route::Graphql => None,
        Route::Cli => Some(gh("rate_limit")),
        _ => Some(get("/rate_limit")),
    }
}

fn get(path: &str) -> RouteRequest {
    RouteRequest::Rest(RestRequest::new(Method::Get, path))
}

fn gh(path: &str) -> RouteRequest {
    RouteRequest::Cli(CliRequest {
        args: ["api", path, "--include"].map(str::to_owned).to_vec(),
        stdin: None,
        operation: Operation::Read,
        answer: CliAnswer::Http(AnswerFormat::Json),
    })
}

fn find_login(body: &Value) -> Option<&str> {
    let login = body.get("login").or_else(|| body.pointer("/viewer/login"));
    login.and_then(Value::as_str).filter(|it| !it.is_empty())
}

/// Whether a login has only the characters of logins, so that it is safe to print.
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
            let failure = owner_in(Answer::of(body.clone())).unwrap_err();
            assert_eq!(failure.error.code, ErrorCode::Server, "{body}");
        }
        let login_in = |body| owner_in(Answer::of(body)).unwrap().login;
        assert_eq!(login_in(json!({"login": "ada"})).as_deref(), Some("ada"));
        let graphql = login_in(json!({"viewer": {"login": "app[bot]"}}));
        assert_eq!(graphql.as_deref(), Some("app[bot]"));
        assert_eq!(login_in(json!({"login": "\u{1b}[2J"})), None);
    }
}
