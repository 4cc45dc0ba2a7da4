//! Work that may take long where there is much is done on a thread of its own: everybody else is answered
//! meanwhile.

use std::future::Future;

use axum::http::StatusCode;
use tokio::runtime::Handle;

use capstan_core::{ErrorCode, ResultError};

use super::failure::Failure;

pub(super) async fn aside<T: Send + 'static>(
    work: impl Future<Output = Result<T, ResultError>> + Send + 'static,
) -> Result<T, Failure> {
    let runtime = Handle::current();
    let done = tokio::task::spawn_blocking(move || runtime.block_on(work)).await;
    match done {
        Ok(done) => Ok(done?),
        Err(_) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            let message = "Capstan failed by a mistake of its own";
            Err(Failure::new(status, ErrorCode::Unknown, message))
        }
    }
}
