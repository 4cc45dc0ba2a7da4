//! What the user's configuration needs to say about a service, as far as its description tells.

use std::fmt::Write as _;

use capstan_core::ServiceName;
use serde_json::Value;

use super::authorization::{Authorization, authorization_of};
use super::paging::ServicePaging;
use crate::description::Document;

/// What stands for an address that the description does not have.
const UNKNOWN: &str = "https://FILL-IN";

/// The settings of a service.
#[derive(Clone, Debug)]
pub struct ServiceSuggestion {
    base_url: Option<String>,
    graphql_url: Option<String>,
    authorization: Option<Authorization>,
    paging: Option<ServicePaging>,
}

impl ServiceSuggestion {
    pub(super) fn of_description(document: &Document, paging: Option<ServicePaging>) -> Self {
        let base_url = base_url(document).unwrap_or_else(|| UNKNOWN.to_owned());
        Self {
            base_url: Some(base_url),
            graphql_url: None,
            authorization: authorization_of(document),
            paging,
        }
    }

    pub(super) fn of_schema() -> Self {
        Self {
            base_url: None,
            graphql_url: Some(UNKNOWN.to_owned()),
            authorization: Some(Authorization::Bearer),
            paging: None,
        }
    }

    /// Sets where the GraphQL API is.
    #[must_use]
    pub fn with_graphql_url(mut self, url: &str) -> Self {
        if self.graphql_url.is_some() {
            self.graphql_url = Some(url.to_owned());
        }
        self
    }

    /// Returns whether an address has to be filled in.
    pub fn is_incomplete(&self) -> bool {
        let mut urls = self.base_url.iter().chain(&self.graphql_url);
        urls.any(|url| url == UNKNOWN)
    }

    /// Returns the lines for the user's configuration. `cards` is the folder of the cards, if it is not the usual one.
    pub fn to_toml(&self, service: &ServiceName, cards: Option<&str>) -> String {
        let mut text = format!("[services.{service}]\n");
        let urls = [
            ("base_url", &self.base_url),
            ("graphql_url", &self.graphql_url),
        ];
        for (key, url) in urls {
            if let Some(url) = url {
                add(&mut text, key, url);
            }
        }
        if let Some(cards) = cards {
            add(&mut text, "cards", cards);
        }
        self.add_authorization(&mut text, service);
        self.add_paging(&mut text, service);
        text
    }

    fn add_authorization(&self, text: &mut String, service: &ServiceName) {
        let Some(authorization) = &self.authorization else {
            return;
        };
        let variable = service.as_str().to_ascii_uppercase();
        text.push_str(&format!("\n[services.{service}.auth]\n"));
        match authorization {
            Authorization::ClientCredentials { token_url } => {
                add(text, "token_url", token_url);
                add(text, "client_id_env", &format!("{variable}_CLIENT_ID"));
                add(
                    text,
                    "client_secret_env",
                    &format!("{variable}_CLIENT_SECRET"),
                );
                return;
            }
            Authorization::Basic => add(text, "scheme", "Basic"),
            Authorization::Header { name } => {
                add(text, "header", name);
                if name.eq_ignore_ascii_case("authorization") {
                    add(text, "scheme", "");
                }
            }
            Authorization::Query { name } => add(text, "query", name),
            Authorization::Bearer => {}
        }
        add(text, "env", &format!("{variable}_TOKEN"));
    }

    fn add_paging(&self, text: &mut String, service: &ServiceName) {
        let Some(paging) = &self.paging else {
            return;
        };
        // Links are what a service has that says nothing.
        if matches!(paging, ServicePaging::Links { .. }) {
            return;
        }
        text.push_str(&format!("\n[services.{service}.paging]\n"));
        let mut optional = |key: &str, value: &Option<String>| {
            if let Some(value) = value {
                add(text, key, value);
            }
        };
        let some = |text: &str| Some(text.to_owned());
        match paging {
            ServicePaging::Page { number, size } => {
                optional("style", &some("page"));
                optional("parameter", &some(number));
                optional("size", size);
            }
            ServicePaging::LastRow {
                parameter,
                field,
                size,
                rows,
                more,
            } => {
                optional("style", &some("cursor"));
                optional("parameter", &some(parameter));
                optional("last_row", &some(field));
                optional("size", size);
                optional("rows", rows);
                optional("more", more);
            }
            ServicePaging::Cursor { parameter, field } => {
                optional("style", &some("cursor"));
                optional("parameter", &some(parameter));
                optional("field", &some(field));
            }
            ServicePaging::Links { .. } => {}
        }
    }
}

/// Adds a key with a text. A text of JSON is one of TOML, too.
fn add(text: &mut String, key: &str, value: &str) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{key} = {}", Value::from(value));
}

/// Returns the address of the first server, with the usual values of its variables.
fn base_url(document: &Document) -> Option<String> {
    let server = document.at("/servers/0")?;
    let mut url = server.get("url")?.as_str()?.to_owned();
    let variables = server.get("variables").and_then(Value::as_object);
    for (name, variable) in variables.into_iter().flatten() {
        if let Some(usual) = variable.get("default").and_then(Value::as_str) {
            url = url.replace(&format!("{{{name}}}"), usual);
        }
    }
    let is_absolute = url.starts_with("https://") || url.starts_with("http://");
    let is_filled = !url.contains('{');
    (is_absolute && is_filled).then(|| url.trim_end_matches('/').to_owned())
}
