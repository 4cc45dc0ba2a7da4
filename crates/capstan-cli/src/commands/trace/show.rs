//! `capstan trace show`: one execution as a timeline.

use capstan_core::code::{Timestamp, Trace};
use capstan_core::date::UtcTime;
use serde_json::Value;

use crate::args::TraceShowArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &TraceShowArgs) -> Exit {
    let envelope = own
        .run("trace.show", [("id", args.id.as_str().into())])
        .await;
    own.tell(&envelope, show)
}

fn show(printer: &Printer, data: &Value) {
    match serde_json::from_value::<Trace>(data.clone()) {
        Ok(trace) => printer.trace(&trace, &date(trace.started_at)),
        // Whatever it is, it can be read.
        Err(_) => printer.line(format_args!("{data:#}")),
    }
}

/// `2026-11-16 08:40:12`, or nothing if it is no date.
fn date(at: Timestamp) -> String {
    let time = UtcTime::from_timestamp(at);
    time.map(UtcTime::to_seconds).unwrap_or_default()
}
