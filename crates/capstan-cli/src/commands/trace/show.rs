//! `capstan trace show`: shows one execution as a timeline.

use capstan_core::code::{Timestamp, Trace};
use capstan_core::date::UtcTime;
use serde_json::Value;

use crate::args::TraceShowArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &TraceShowArgs) -> Exit {
    let envelope = runner
        .run("trace.show", [("id", args.id.as_str().into())])
        .await;
    runner.print_with(&envelope, show)
}

fn show(printer: &Printer, data: &Value) {
    match serde_json::from_value::<Trace>(data.clone()) {
        Ok(trace) => printer.trace(&trace, &date(trace.started_at)),
        // Data of another shape is printed as JSON.
        Err(_) => printer.line(format_args!("{data:#}")),
    }
}

/// Formats a time as `2026-11-16 08:40:12`. Empty if it is out of range.
fn date(at: Timestamp) -> String {
    let time = UtcTime::from_timestamp(at);
    time.map(UtcTime::to_seconds).unwrap_or_default()
}
