//! How a service wants to be told who calls it, as far as the description says so.

use serde_json::Value;

use crate::description::Document;

/// Where a service expects the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Authorization {
    Bearer,
    Basic,
    Header { name: String },
    Query { name: String },
    ClientCredentials { token_url: String },
}

/// Returns the best of the ways that the description names. `None` if it names none.
pub(super) fn authorization_of(document: &Document) -> Option<Authorization> {
    let schemes = document.at("/components/securitySchemes")?.as_object()?;
    let known = schemes.values().filter_map(|scheme| read(document, scheme));
    known.min_by_key(rank)
}

/// Returns how much a way is worth; the best is first. A secret in a header stays out of logs of servers.
fn rank(authorization: &Authorization) -> u8 {
    match authorization {
        Authorization::Bearer => 0,
        Authorization::Header { .. } => 1,
        Authorization::ClientCredentials { .. } => 2,
        Authorization::Basic => 3,
        Authorization::Query { .. } => 4,
    }
}

fn read(document: &Document, scheme: &Value) -> Option<Authorization> {
    let scheme = match scheme.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.at(reference.strip_prefix('#')?)?,
        None => scheme,
    };
    let text = |key: &str| scheme.get(key).and_then(Value::as_str);
    match text("type")? {
        "http" => match text("scheme")?.to_ascii_lowercase().as_str() {
            "bearer" => Some(Authorization::Bearer),
            "basic" => Some(Authorization::Basic),
            _ => None,
        },
        "apiKey" => {
            let name = text("name")?.to_owned();
            match text("in")? {
                "header" => Some(Authorization::Header { name }),
                "query" => Some(Authorization::Query { name }),
                _ => None,
            }
        }
        "oauth2" => {
            let flows = scheme.get("flows")?;
            let token_url = flows.pointer("/clientCredentials/tokenUrl");
            let token_url = token_url.and_then(Value::as_str);
            Some(match token_url.filter(|url| url.starts_with("https://")) {
                Some(url) => Authorization::ClientCredentials {
                    token_url: url.to_owned(),
                },
                None => Authorization::Bearer,
            })
        }
        "openIdConnect" => Some(Authorization::Bearer),
        _ => None,
    }
}
