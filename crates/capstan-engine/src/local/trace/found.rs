//! Finds the trace that an input names.

use std::sync::atomic::Ordering;

use capstan_core::code::{Trace, shown_name};
use capstan_core::port::TraceFilter;
use capstan_core::{ErrorCode, ResultError};
use serde_json::json;

use crate::capability::store_error;
use crate::local::action::Work;

/// Returns the trace with this id or this beginning of an id.
pub(in crate::local) async fn named(work: &Work<'_>, id: &str) -> Result<Trace, ResultError> {
    let found = work.store.trace(work.viewer(), id).await;
    found.map_err(|error| store_error(&error))?.ok_or_else(|| {
        let shown = shown_name(id);
        let message = format!("there is no trace `{shown}`: trace.list shows the existing ones");
        let mend =
            json!({"tool": "execute", "arguments": {"capability": "trace.list", "input": {}}});
        ResultError::new(ErrorCode::NotFound, message).with_detail("mend", mend)
    })
}

/// Returns the newest trace, including one that is still being stored.
pub(in crate::local) async fn newest(work: &Work<'_>) -> Result<Trace, ResultError> {
    // Traces are stored in the background. A write that changes nothing waits for the writes before it; if it fails,
    // the traces that are there must do. Without any trace, do not write: that would create the file of the store.
    let has_stored = work.engine.shared.session.has_news.load(Ordering::Relaxed);
    if has_stored || matches!(work.store.identity().await, Ok(Some(_))) {
        let _ = work.store.prune_traces(work.viewer(), u64::MAX).await;
    }
    let filter = TraceFilter {
        limit: Some(1),
        ..TraceFilter::default()
    };
    let traces = work.store.traces(work.viewer(), &filter).await;
    let traces = traces.map_err(|error| store_error(&error))?;
    match traces.first() {
        Some(newest) => named(work, &newest.id.to_string()).await,
        None => {
            let message = "there is no trace: nothing has been executed here yet";
            Err(ResultError::new(ErrorCode::NotFound, message))
        }
    }
}
