//! Which host a listener stands for: the API, or the storage under another origin.

use http::HeaderMap;
use http::header::HOST;

/// What a listener is for, and where the storage host is.
#[derive(Debug)]
pub(crate) struct Listening {
    /// The origin of the storage host, for instance `http://127.0.0.1:4000`.
    pub(super) storage_url: String,
    storage_host: String,
    for_storage: bool,
}

impl Listening {
    pub(super) fn for_api(storage_host: &str) -> Self {
        Self {
            storage_url: format!("http://{storage_host}"),
            storage_host: storage_host.to_owned(),
            for_storage: false,
        }
    }

    pub(super) fn for_storage(storage_host: &str) -> Self {
        Self {
            for_storage: true,
            ..Self::for_api(storage_host)
        }
    }

    /// Returns whether a request is for the storage host. On a Unix socket only its `Host` header says so.
    pub(super) fn is_storage(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        self.for_storage || host == Some(&self.storage_host)
    }
}
