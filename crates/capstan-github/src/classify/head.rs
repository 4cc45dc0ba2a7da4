//! Status and headers of an HTTP answer.

use http::{HeaderMap, StatusCode};

/// Status and headers of an answer, whether it came over HTTP or from `gh`.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
}

impl Head {
    /// Returns a header without surrounding spaces; `None` if it is absent or not text.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }
}
