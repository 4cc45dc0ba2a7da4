//! A parsed REST request: path segments, query parameters and body fields.

use http::Method;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::result::RestError;
use crate::world::Viewer;

/// A parsed REST request.
#[derive(Debug)]
pub(crate) struct RestRequest<'r> {
    pub(crate) method: &'r Method,
    /// The path as sent, without the prefix of GitHub Enterprise.
    pub(crate) path: &'r str,
    /// The percent-decoded path segments.
    pub(crate) segments: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: &'r Value,
    /// The value of the `Accept` header.
    pub(crate) accept: &'r str,
    /// The API root under the host that the client used.
    pub(crate) base: String,
    pub(crate) viewer: &'r Viewer,
    /// The value of the `Content-Type` header.
    pub(crate) content_type: &'r str,
    /// The body as it was sent.
    pub(crate) payload: &'r [u8],
    /// The origin of the storage host.
    pub(crate) storage_url: &'r str,
    /// Whether the request was sent to the host for uploads.
    pub(crate) is_upload: bool,
}

impl<'r> RestRequest<'r> {
    pub(crate) fn new(
        method: &'r Method,
        path: &'r str,
        query: &str,
        body: &'r Value,
        accept: &'r str,
        base: String,
        viewer: &'r Viewer,
    ) -> Self {
        Self {
            method,
            path,
            segments: path_segments(path),
            query: url::form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
            body,
            accept,
            base,
            viewer,
            content_type: "",
            payload: &[],
            storage_url: "",
            is_upload: false,
        }
    }

    /// Sets the body as it was sent, and its type.
    #[must_use]
    pub(crate) fn with_payload(self, content_type: &'r str, payload: &'r [u8]) -> Self {
        Self {
            content_type,
            payload,
            ..self
        }
    }

    /// Sets where the storage host is, and whether this request was sent there to upload something.
    #[must_use]
    pub(crate) fn with_hosts(self, storage_url: &'r str, is_upload: bool) -> Self {
        Self {
            storage_url,
            is_upload,
            ..self
        }
    }

    /// Returns a query parameter if it is present and not empty.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// Returns a positive number in the query. Other values count as absent, as on GitHub.
    pub(crate) fn number_param(&self, name: &str) -> Option<usize> {
        self.param(name)?.parse().ok().filter(|number| *number > 0)
    }

    /// Returns a text field of the body; `None` if absent or null.
    pub(crate) fn text(&self, resource: &str, field: &str) -> Result<Option<&'r str>, RestError> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(RestError::invalid(resource, field)),
        }
    }

    /// Returns a text field of the body that must be present and not blank.
    pub(crate) fn required_text(&self, resource: &str, field: &str) -> Result<&'r str, RestError> {
        match self.text(resource, field)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(RestError::missing(resource, field)),
        }
    }

    /// Returns a boolean field of the body; `None` if absent or null.
    pub(crate) fn flag(&self, resource: &str, field: &str) -> Result<Option<bool>, RestError> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(RestError::invalid(resource, field)),
        }
    }

    /// Returns a list of texts in the body; `None` if absent or null. Items may be objects with a `name`.
    pub(crate) fn texts(
        &self,
        resource: &str,
        field: &str,
    ) -> Result<Option<Vec<String>>, RestError> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(list) => text_list(list)
                .map(Some)
                .ok_or_else(|| RestError::invalid(resource, field)),
        }
    }
}

/// Returns the percent-decoded segments of a path.
pub(crate) fn path_segments(path: &str) -> Vec<String> {
    path.split('/')
        .filter(|segment| !segment.is_empty())
        .map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect()
}

/// Returns whether a request changes nothing: GET, HEAD, and the few operations that are POST for their body.
pub(crate) fn is_read(method: &str, segments: &[String]) -> bool {
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match (method, segments.as_slice()) {
        ("GET" | "HEAD", _) => true,
        ("POST", path) => matches!(
            path,
            ["markdown"]
                | ["markdown", "raw"]
                | ["applications", _, "token"]
                | ["orgs" | "users", _, "attestations", "bulk-list"]
                | ["repos", _, _, "releases", "generate-notes"]
        ),
        _ => false,
    }
}

/// Parses a list such as `["a", {"name": "b"}]`.
pub(crate) fn text_list(list: &Value) -> Option<Vec<String>> {
    list.as_array()?
        .iter()
        .map(|item| {
            item.as_str()
                .or_else(|| item["name"].as_str())
                .map(str::to_owned)
        })
        .collect()
}

/// Parses a number in the path. For other segments GitHub answers 404.
pub(crate) fn path_number(segment: &str) -> Result<u64, RestError> {
    segment.parse().map_err(|_| RestError::NotFound)
}
