//! `capstan trace show`: one execution as a timeline.

use capstan_core::ResultEnvelope;
use capstan_core::code::Trace;
use serde_json::Value;
use time::OffsetDateTime;
use time::macros::format_description;

use crate::args::TraceShowArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &TraceShowArgs) -> Exit {
    let id = match args.id.as_str() {
        "last" => match last(own).await {
            Ok(id) => id,
            Err(envelope) => return own.tell_plainly(&envelope),
        },
        id => Some(id.to_owned()),
    };
    // Where there is none, the answer for `last` says so.
    let id = id.unwrap_or_else(|| args.id.clone());
    let envelope = own.run("trace.show", [("id", id.into())]).await;
    own.tell(&envelope, show)
}

/// The newest there is.
async fn last(own: &Own) -> Result<Option<String>, Box<ResultEnvelope>> {
    let envelope = own.run("trace.list", [("limit", 1.into())]).await;
    if !envelope.ok {
        return Err(Box::new(envelope));
    }
    let newest = envelope
        .data
        .as_ref()
        .and_then(|data| data["traces"][0]["id"].as_str());
    Ok(newest.map(str::to_owned))
}

fn show(printer: &Printer, data: &Value) {
    match serde_json::from_value::<Trace>(data.clone()) {
        Ok(trace) => printer.trace(&trace, &date(trace.started_at)),
        // Whatever it is, it can be read.
        Err(_) => printer.line(format_args!("{data:#}")),
    }
}

/// `2026-11-16 08:40:12`, or nothing if it is no date.
fn date(milliseconds: i64) -> String {
    let date = OffsetDateTime::from_unix_timestamp(milliseconds.div_euclid(1000)).ok();
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    date.and_then(|date| date.format(format).ok())
        .unwrap_or_default()
}
