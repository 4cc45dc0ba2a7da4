//! What came of a run of code, for people.

use capstan_core::{ResultEnvelope, ResultError};
use serde_json::Value;

use super::envelope::{attempted, columns, is_rows};
use super::harmless::harmless;
use super::{DIM, NAME, Printer};

/// A table with more columns is harder to read than JSON.
const MOST_COLUMNS: usize = 12;

/// JSON that is not longer stands on one line.
const ONE_LINE: usize = 80;

impl Printer {
    /// `code` is the TypeScript, where it is known: an error is shown in it.
    pub(crate) fn code_result(&self, envelope: &ResultEnvelope, code: Option<&str>) {
        let meta = &envelope.meta;
        self.console(&meta.console);
        if let Some(data) = &envelope.data {
            self.value(data);
        }
        if let Some(error) = &envelope.error {
            self.error(error);
            if let (Some(code), Some((line, column))) = (code, place(error)) {
                self.excerpt(code, line, column);
            }
        }
        self.remarks(envelope);
        for attempt in meta.attempts.iter().flatten() {
            self.line(attempted(attempt));
        }
        if let Some(name) = &meta.capability_name {
            let fqdn = meta.capability_fqdn.as_deref().unwrap_or_default();
            self.line(format_args!("{NAME}{name}{NAME:#}  {DIM}{fqdn}{DIM:#}"));
        }
        let calls = meta.calls.iter().map(|made| {
            let failed = match made.failed {
                0 => String::new(),
                failed => format!(" ({failed} failed)"),
            };
            format!("{} ×{}{failed}", made.capability, made.count)
        });
        let calls: Vec<_> = calls.collect();
        if !calls.is_empty() {
            self.line(format_args!(
                "{DIM}called {}{DIM:#}",
                harmless(&calls.join(", "))
            ));
        }
        if let Some(id) = &meta.trace_id {
            self.line(format_args!("{DIM}trace {id}{DIM:#}"));
        }
    }

    fn value(&self, value: &Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() => self.data(fields, false),
            Value::Array(rows) if is_table(value, rows) => self.rows(rows),
            Value::String(text) => self.line(harmless(text)),
            other => self.line(harmless(&readable(other))),
        }
    }
}

/// JSON on one line where it fits, indented where it does not.
fn readable(value: &Value) -> String {
    let short = value.to_string();
    if short.chars().count() <= ONE_LINE {
        short
    } else {
        serde_json::to_string_pretty(value).unwrap_or(short)
    }
}

fn is_table(value: &Value, rows: &[Value]) -> bool {
    is_rows(value) && (1..=MOST_COLUMNS).contains(&columns(rows).len())
}

/// Where in the code, counted from 1.
fn place(error: &ResultError) -> Option<(usize, usize)> {
    let number = |name: &str| {
        let number = error.details.get(name)?.as_u64()?;
        usize::try_from(number).ok()
    };
    Some((number("line")?, number("column").unwrap_or(1)))
}
