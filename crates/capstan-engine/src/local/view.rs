//! Remembered code as JSON.

use serde_json::{Map, Value, json};

use capstan_core::code::Record;
pub(super) use capstan_core::date::rfc3339 as date;
use capstan_core::port::CodeSummary;

/// Returns the row of a list, with what a reader needs to choose.
pub(super) fn row(CodeSummary { record, intent, .. }: &CodeSummary) -> Value {
    json!({
        "name": record.name.as_str(),
        "fqdn": record.fqdn.as_str(),
        "intent": intent,
        "uses": record.statistics.usage_count,
        "ok": record.statistics.success_count,
        "visibility": record.visibility,
    })
}

/// Returns the names and the visibility of a record.
pub(super) fn names(record: &Record) -> Map<String, Value> {
    let mut names = Map::new();
    names.insert("name".to_owned(), record.name.as_str().into());
    names.insert("fqdn".to_owned(), record.fqdn.as_str().into());
    if !record.aliases.is_empty() {
        let aliases: Vec<_> = record.aliases.iter().map(|it| it.as_str()).collect();
        names.insert("aliases".to_owned(), aliases.into());
    }
    names.insert("visibility".to_owned(), json!(record.visibility));
    names
}

/// Returns the statistics of a record.
pub(super) fn statistics(record: &Record) -> Value {
    let statistics = record.statistics;
    let mut shown = json!({
        "usage_count": statistics.usage_count,
        "success_count": statistics.success_count,
        "mean_latency_ms": (statistics.mean_latency_ms * 10.0).round() / 10.0,
    });
    if let Some(at) = statistics.last_used_at {
        shown["last_used_at"] = date(at).into();
    }
    shown
}
