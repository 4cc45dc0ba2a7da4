//! The capability names in a URL path, percent-decoded.

use axum::extract::{FromRequestParts, Path, RawPathParams};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::router::no_resource_at;

/// The path parameters of a route, none of which is blank.
#[derive(Debug)]
pub(super) struct PathNames<T>(pub(super) T);

impl<T, S> FromRequestParts<S> for PathNames<T>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // No capability has a blank name, so such a path is not found. Similar names would not help.
        if let Ok(raw) = RawPathParams::from_request_parts(parts, state).await
            && raw.iter().any(|(_, name)| name.trim().is_empty())
        {
            return Err(no_resource_at(parts.uri.path()));
        }
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(names)) => Ok(Self(names)),
            Err(_) => Err(ApiError::validation(
                "a name in the URL path cannot be decoded: expected percent-encoded UTF-8",
            )),
        }
    }
}
