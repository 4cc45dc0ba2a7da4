//! A request to one of the two APIs, read but not yet acted upon.

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION};
use http::request::Parts;
use serde_json::Value;

use super::classify;
use super::log::SeenRequest;
use super::rate_limit::Resource;
use crate::graphql;

/// A request to one of the two APIs.
pub(super) struct Call {
    pub(super) parts: Parts,
    pub(super) seen: SeenRequest,
    pub(super) api: Api,
    /// A body that is not JSON.
    pub(super) unreadable: bool,
}

pub(super) enum Api {
    Graphql(graphql::Request),
    Rest {
        path: String,
        enterprise: bool,
        /// Null if there is none, or none that can be read.
        body: Value,
    },
}

impl Call {
    pub(super) fn graphql(parts: Parts, body: &Bytes) -> Self {
        let json = serde_json::from_slice(body);
        let unreadable = json.is_err();
        let request = graphql::Request::read(json.unwrap_or(Value::Null));
        let seen = classify::graphql(&parts.method, path_and_query(&parts), &request);
        Self {
            parts,
            seen,
            api: Api::Graphql(request),
            unreadable,
        }
    }

    pub(super) fn rest(parts: Parts, path: String, enterprise: bool, body: &Bytes) -> Self {
        let json = if body.is_empty() {
            Ok(Value::Null)
        } else {
            serde_json::from_slice(body)
        };
        let seen = classify::rest(&parts.method, path_and_query(&parts));
        let unreadable = json.is_err();
        let body = json.unwrap_or(Value::Null);
        Self {
            parts,
            seen,
            api: Api::Rest {
                path,
                enterprise,
                body,
            },
            unreadable,
        }
    }

    pub(super) fn resource(&self) -> Resource {
        match &self.api {
            Api::Graphql(_) => Resource::Graphql,
            Api::Rest { path, .. } if path.starts_with("/search/") => Resource::Search,
            Api::Rest { .. } => Resource::Core,
        }
    }

    pub(super) fn header(&self, name: http::HeaderName) -> &str {
        let value = self.parts.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    pub(super) fn accepts_gzip(&self) -> bool {
        self.header(ACCEPT_ENCODING)
            .split(',')
            .any(|coding| coding.trim().split(';').next() == Some("gzip"))
    }

    pub(super) fn token(&self) -> Option<&str> {
        let (scheme, token) = self.header(AUTHORIZATION).split_once(' ')?;
        let known = scheme.eq_ignore_ascii_case("token") || scheme.eq_ignore_ascii_case("bearer");
        let token = token.trim();
        (known && !token.is_empty()).then_some(token)
    }
}

fn path_and_query(parts: &Parts) -> &str {
    parts
        .uri
        .path_and_query()
        .map_or("/", http::uri::PathAndQuery::as_str)
}
