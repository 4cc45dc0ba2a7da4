//! A REST request taken apart: path segments, query parameters and body fields.

use http::Method;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::reply::Failure;
use crate::world::Viewer;

#[derive(Debug)]
pub(crate) struct RestRequest<'r> {
    pub(crate) method: &'r Method,
    /// The path as sent, without an Enterprise prefix.
    pub(crate) path: &'r str,
    /// Decoded path segments.
    pub(crate) segments: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: &'r Value,
    /// The media types that the client asks for.
    pub(crate) accept: &'r str,
    /// The API root as the client addressed it.
    pub(crate) base: String,
    pub(crate) viewer: &'r Viewer,
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
            segments: path
                .split('/')
                .filter(|segment| !segment.is_empty())
                .map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned())
                .collect(),
            query: url::form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
            body,
            accept,
            base,
            viewer,
        }
    }

    /// A query parameter that is there and not empty.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// A positive number in the query; anything else counts as absent, as GitHub does.
    pub(crate) fn number_param(&self, name: &str) -> Option<usize> {
        self.param(name)?.parse().ok().filter(|number| *number > 0)
    }

    /// A text field of the body; null counts as absent.
    pub(crate) fn text(&self, resource: &str, field: &str) -> Result<Option<&'r str>, Failure> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Failure::invalid(resource, field)),
        }
    }

    /// A text field of the body without which the request makes no sense.
    pub(crate) fn required_text(&self, resource: &str, field: &str) -> Result<&'r str, Failure> {
        match self.text(resource, field)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(Failure::missing(resource, field)),
        }
    }

    pub(crate) fn flag(&self, resource: &str, field: &str) -> Result<Option<bool>, Failure> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(Failure::invalid(resource, field)),
        }
    }

    /// A list of texts in the body. Label lists may hold objects with a `name`.
    pub(crate) fn texts(
        &self,
        resource: &str,
        field: &str,
    ) -> Result<Option<Vec<String>>, Failure> {
        match self.body.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(list) => text_list(list)
                .map(Some)
                .ok_or_else(|| Failure::invalid(resource, field)),
        }
    }
}

/// Reads `["a", {"name": "b"}]`.
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

/// A number in the path; GitHub answers 404 for anything else.
pub(crate) fn path_number(segment: &str) -> Result<u64, Failure> {
    segment.parse().map_err(|_| Failure::NotFound)
}
