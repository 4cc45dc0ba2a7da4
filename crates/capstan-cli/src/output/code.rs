//! Prints the result of running code for people.

use capstan_core::{ResultEnvelope, ResultError};
use serde_json::Value;

use super::envelope::{attempt_line, columns, is_rows};
use super::sanitize::sanitize;
use super::{DIM, NAME, Printer};

/// The largest number of columns of a table. Wider data is printed as JSON.
const MAX_COLUMNS: usize = 12;

/// The longest JSON that is printed on one line, in characters.
const MAX_ONE_LINE: usize = 80;

impl Printer {
    /// Prints the result of running code. `code` is the TypeScript, if it is known, to show the line of an error.
    pub(crate) fn code_result(&self, envelope: &ResultEnvelope, code: Option<&str>) {
        let meta = &envelope.meta;
        self.console(&meta.console);
        if let Some(data) = &envelope.data {
            self.value(data);
        }
        if let Some(error) = &envelope.error {
            self.error(error);
            if let (Some(code), Some((line, column))) = (code, position(error)) {
                self.excerpt(code, line, column);
            }
        }
        self.notes_and_warnings(envelope);
        for attempt in meta.attempts.iter().flatten() {
            self.line(attempt_line(attempt));
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
                sanitize(&calls.join(", "))
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
            Value::String(text) => self.line(sanitize(text)),
            other => self.line(sanitize(&format_json(other))),
        }
    }
}

/// Formats JSON on one line if it is short, and indented otherwise.
fn format_json(value: &Value) -> String {
    let short = value.to_string();
    if short.chars().count() <= MAX_ONE_LINE {
        short
    } else {
        serde_json::to_string_pretty(value).unwrap_or(short)
    }
}

fn is_table(value: &Value, rows: &[Value]) -> bool {
    is_rows(value) && (1..=MAX_COLUMNS).contains(&columns(rows).len())
}

/// Returns the line and the column of an error in the code, counted from 1.
fn position(error: &ResultError) -> Option<(usize, usize)> {
    let number = |name: &str| {
        let value = error.details.get(name)?.as_u64()?;
        usize::try_from(value).ok()
    };
    Some((number("line")?, number("column").unwrap_or(1)))
}
