//! A parsed request to one of the two APIs.

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION};
use http::request::Parts;
use serde_json::Value;

use super::classify;
use super::log::SeenRequest;
use super::rate_limit::Resource;
use crate::graphql;

/// A parsed request to one of the two APIs.
pub(super) struct Call {
    pub(super) parts: Parts,
    pub(super) seen: SeenRequest,
    pub(super) api: Api,
    /// Whether the body is not valid JSON.
    pub(super) has_invalid_json: bool,
}

/// The API that a request addresses, with the parsed body.
pub(super) enum Api {
    Graphql(graphql::Request),
    Rest {
        path: String,
        enterprise: bool,
        /// Null if the body is empty or not JSON.
        body: Value,
        /// The body as it was sent.
        payload: Bytes,
        /// Whether the request was sent to the host for uploads.
        is_upload: bool,
    },
    /// The host that serves downloads.
    Storage,
}

impl Call {
    pub(super) fn graphql(parts: Parts, body: &Bytes) -> Self {
        let json = serde_json::from_slice(body);
        let has_invalid_json = json.is_err();
        let request = graphql::Request::parse(json.unwrap_or(Value::Null));
        let seen = classify::graphql(&parts.method, path_and_query(&parts), &request);
        Self {
            parts,
            seen,
            api: Api::Graphql(request),
            has_invalid_json,
        }
    }

    /// A request to the API, or to the host for uploads, which takes bodies of any kind.
    pub(super) fn rest(
        parts: Parts,
        path: String,
        enterprise: bool,
        is_upload: bool,
        payload: &Bytes,
    ) -> Self {
        let body = payload;
        let is_raw = is_upload || path == "/markdown/raw";
        let json = if body.is_empty() || is_raw {
            Ok(Value::Null)
        } else {
            serde_json::from_slice(body)
        };
        let seen = classify::rest(&parts.method, &path, path_and_query(&parts));
        let has_invalid_json = json.is_err();
        let body = json.unwrap_or(Value::Null);
        Self {
            parts,
            seen,
            api: Api::Rest {
                path,
                enterprise,
                body,
                payload: payload.clone(),
                is_upload,
            },
            has_invalid_json,
        }
    }

    pub(super) fn storage(parts: Parts) -> Self {
        let seen = classify::storage(&parts.method, path_and_query(&parts));
        Self {
            parts,
            seen,
            api: Api::Storage,
            has_invalid_json: false,
        }
    }

    /// Returns the rate limit that the request counts against.
    pub(super) fn resource(&self) -> Resource {
        match &self.api {
            Api::Graphql(_) => Resource::Graphql,
            Api::Rest { path, .. } if path.starts_with("/search/") => Resource::Search,
            Api::Rest { .. } | Api::Storage => Resource::Core,
        }
    }

    /// Returns a request header; empty if it is absent or not text.
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

    /// Returns the token of the `Authorization` header, if it has one.
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
