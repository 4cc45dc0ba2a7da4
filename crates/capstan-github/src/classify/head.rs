//! The head of an HTTP answer.

use http::{HeaderMap, StatusCode};

/// Status and headers of an answer, wherever it came from.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
}

impl Head {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }
}
