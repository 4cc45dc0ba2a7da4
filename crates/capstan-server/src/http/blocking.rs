//! Runs expensive work on the blocking thread pool, so that other requests are served meanwhile.

use std::future::Future;

use tokio::runtime::Handle;

use capstan_core::ResultError;

use super::error::ApiError;

/// Runs `work` on a blocking thread. If it panics, the client gets an internal error.
pub(super) async fn run_blocking<T: Send + 'static>(
    work: impl Future<Output = Result<T, ResultError>> + Send + 'static,
) -> Result<T, ApiError> {
    let runtime = Handle::current();
    let joined = tokio::task::spawn_blocking(move || runtime.block_on(work)).await;
    match joined {
        Ok(result) => Ok(result?),
        Err(_) => Err(ApiError::internal(
            "internal error in Capstan; please report it",
        )),
    }
}
