//! Finds the trace that an input names.

use std::sync::atomic::Ordering;

use capstan_core::code::{Trace, shown_name};
use capstan_core::port::TraceFilter;
use capstan_core::{ErrorCode, ResultError};
use serde_json::json;

use crate::capability::broken;
use crate::local::action::Work;

/// The trace with this id, or with an id that begins so.
pub(in crate::local) async fn named(work: &Work<'_>, id: &str) -> Result<Trace, ResultError> {
    let found = work.store.trace(work.viewer(), id).await;
    found.map_err(|error| broken(&error))?.ok_or_else(|| {
        let shown = shown_name(id);
        let message = format!("there is no trace `{shown}`: trace.list shows those that there are");
        let mend =
            json!({"tool": "execute", "arguments": {"capability": "trace.list", "input": {}}});
        ResultError::new(ErrorCode::NotFound, message).with_detail("mend", mend)
    })
}

/// The newest one, be it of what was over a moment ago.
pub(in crate::local) async fn newest(work: &Work<'_>) -> Result<Trace, ResultError> {
    // Nobody waits for traces to be kept. A write that changes nothing is done after those before it; if
    // it fails, what is there has to do. Where nothing was kept, looking makes no file.
    let has_kept = work.engine.shared.session.has_news.load(Ordering::Relaxed);
    if has_kept || matches!(work.store.identity().await, Ok(Some(_))) {
        let _ = work.store.prune_traces(work.viewer(), u64::MAX).await;
    }
    let filter = TraceFilter {
        limit: Some(1),
        ..TraceFilter::default()
    };
    let traces = work.store.traces(work.viewer(), &filter).await;
    let traces = traces.map_err(|error| broken(&error))?;
    match traces.first() {
        Some(newest) => named(work, &newest.id.to_string()).await,
        None => {
            let message = "there is no trace: nothing was executed here so far";
            Err(ResultError::new(ErrorCode::NotFound, message))
        }
    }
}
