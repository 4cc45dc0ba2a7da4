//! The names in an address, decoded.

use axum::extract::{FromRequestParts, Path, RawPathParams};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::failure::Failure;
use super::router::nothing_at;

#[derive(Debug)]
pub(super) struct Names<T>(pub(super) T);

impl<T, S> FromRequestParts<S> for Names<T>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        // Nothing has no name, so nothing can be near it.
        if let Ok(raw) = RawPathParams::from_request_parts(parts, state).await
            && raw.iter().any(|(_, name)| name.trim().is_empty())
        {
            return Err(nothing_at(parts.uri.path()));
        }
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(names)) => Ok(Self(names)),
            Err(_) => Err(Failure::refused(
                "a name in the address cannot be read: expected UTF-8 with percent signs",
            )),
        }
    }
}
