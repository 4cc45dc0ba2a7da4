//! Replaces `@me` in inputs that name people by the login of the token's user.

use serde_json::{Map, Value};

use capstan_core::card::Operation;
use capstan_core::port::Preflight;
use capstan_core::{GraphqlRequest, Method, RestRequest, Route, RouteRequest};

use super::Words;

/// What callers write for themselves.
const ME: &str = "@me";

/// Inputs that name people. In other inputs `@me` is an ordinary text.
const PEOPLE: [&str; 10] = [
    "assignee",
    "assignees",
    "add_assignees",
    "remove_assignees",
    "author",
    "mention",
    "reviewer",
    "reviewers",
    "user",
    "login",
];

/// Where the own login may come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoginSource {
    /// GitHub is asked once, when the login is first needed.
    GitHub,
    /// Nothing is sent: the login is known from an earlier call or not at all.
    Memory,
}

impl Words {
    /// Replaces `@me` in an input by the own login. If the login cannot be found out, returns the input unchanged.
    pub(crate) async fn with_own_login(
        &self,
        mut input: Map<String, Value>,
        source: LoginSource,
    ) -> Map<String, Value> {
        let names_me = |value: &Value| match value {
            Value::String(text) => text == ME,
            Value::Array(items) => items.iter().any(|item| item == ME),
            _ => false,
        };
        let needs_login =
            |(name, value): (&String, &Value)| PEOPLE.contains(&name.as_str()) && names_me(value);
        if !input.iter().any(needs_login) {
            return input;
        }
        let Some(login) = self.own_login(source).await else {
            return input;
        };
        for (_, value) in input
            .iter_mut()
            .filter(|(name, _)| PEOPLE.contains(&name.as_str()))
        {
            match value {
                Value::String(text) if text == ME => text.clone_from(&login),
                Value::Array(items) => items
                    .iter_mut()
                    .filter(|item| *item == ME)
                    .for_each(|item| *item = login.as_str().into()),
                _ => {}
            }
        }
        input
    }

    async fn own_login(&self, source: LoginSource) -> Option<String> {
        if let Some(known) = self.known_login.get() {
            return Some(known.clone());
        }
        if source == LoginSource::Memory {
            return None;
        }
        let deadline = self.shared.clock.now() + self.shared.settings.request_timeout;
        let requests = [
            RouteRequest::Graphql(GraphqlRequest {
                operation_name: "OwnLogin".to_owned(),
                document: "query OwnLogin { viewer { login } }".to_owned(),
                variables: Map::new(),
                operation: Operation::Read,
            }),
            RouteRequest::Rest(RestRequest::new(Method::Get, "/user")),
        ];
        for request in requests {
            let Some(adapter) = self.ready_adapter(request.route()).await else {
                continue;
            };
            let Ok(answer) = adapter.send(&request, deadline).await else {
                continue;
            };
            let login = answer.body.pointer("/viewer/login");
            let login = login.or_else(|| answer.body.get("login"));
            if let Some(login) = login.and_then(Value::as_str) {
                return Some(self.known_login.get_or_init(|| login.to_owned()).clone());
            }
        }
        None
    }

    async fn ready_adapter(&self, route: Route) -> Option<&dyn capstan_core::port::RouteAdapter> {
        let adapter = self
            .shared
            .executor
            .adapters()
            .iter()
            .find(|it| it.route() == route && it.service().is_none())?;
        let is_ready = adapter.preflight().await == Preflight::Ready;
        is_ready.then_some(&**adapter)
    }
}
