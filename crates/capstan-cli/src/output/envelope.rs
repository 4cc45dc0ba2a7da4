//! Prints a result for people: a table for a list, fields for an object, one line for an error.

use capstan_core::{
    AttemptMeta, AttemptStatus, Cost, ResultEnvelope, ResultError, ResultMeta, Route, RouteReason,
    date,
};
use serde_json::{Map, Value};

use super::command::shell_quoted;
use super::sanitize::sanitize;
use super::{BOLD, DIM, ERROR, GOOD, NAME, Printer, Table, wrapped, wrapped_text};

impl Printer {
    pub(crate) fn envelope(&self, envelope: &ResultEnvelope) {
        // A note explains empty lists, so they are not shown.
        let noted = envelope.meta.note.is_some();
        if let Some(Value::Object(data)) = &envelope.data {
            self.data(data, noted);
        }
        if let Some(error) = &envelope.error {
            self.error(error);
        }
        self.notes_and_warnings(envelope);
        self.meta(&envelope.meta);
    }

    /// Prints the note, the warnings and the cost of a result, but not its data.
    pub(crate) fn notes_and_warnings(&self, envelope: &ResultEnvelope) {
        if let Some(note) = &envelope.meta.note {
            self.line(wrapped(&sanitize(note), 0));
        }
        for warning in &envelope.meta.warnings {
            let warning = wrapped(&sanitize(warning), "warning: ".len());
            self.line(format_args!("{BOLD}warning{BOLD:#}: {warning}"));
        }
        self.cost(envelope.meta.cost);
    }

    /// Prints what the call costs a model, if `--cost` was given.
    pub(super) fn cost(&self, cost: Option<Cost>) {
        if let Some((sent, answer)) = cost.and_then(|it| it.tokens_in.zip(it.tokens_out)) {
            self.line(format_args!(
                "{DIM}about {sent} tokens sent, {answer} in the answer{DIM:#}"
            ));
        }
    }

    pub(crate) fn error(&self, error: &ResultError) {
        let code = error.code.to_string();
        // Secrets are masked before the text is wrapped, because the redactor would not find one that spans two lines.
        let redacted = self.redactor.text(&error.message);
        let message = wrapped(&sanitize(&redacted), code.len() + 2);
        self.line(format_args!("{ERROR}{code}{ERROR:#}: {message}"));
        self.writes_before_failure(error);
        if let Some(mend) = error.details.get("mend") {
            self.line(format_args!("{DIM}try{DIM:#}  {}", self.command(mend)));
        }
        self.resume(error);
    }

    /// Prints how to name a repository if one of the errors is that the repository is missing.
    pub(crate) fn repository_hint<'a>(&self, errors: impl Iterator<Item = &'a ResultError>) {
        let is_missing = |problem: &Value| {
            let text = problem["problem"].as_str().unwrap_or_default();
            problem["field"] == "owner" && text.starts_with("is missing")
        };
        let mut problems = errors
            .filter_map(|error| error.details.get("fields")?.as_array())
            .flatten();
        if problems.any(is_missing) {
            self.line(
                "no repository is given: use -R OWNER/REPO, or run the command inside a clone",
            );
        }
    }

    pub(super) fn data(&self, data: &Map<String, Value>, noted: bool) {
        let empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
        let (long, short): (Vec<_>, Vec<_>) = data
            .iter()
            .filter(|(_, value)| !noted || !empty(value))
            .partition(|(_, value)| is_rows(value) || is_long(value));
        let width = short
            .iter()
            .map(|(name, _)| sanitize(name).chars().count())
            .max()
            .unwrap_or(0);
        for (name, value) in short {
            let name = sanitize(name);
            let text = wrapped(&cell(value), width + 2);
            self.line(format_args!("{NAME}{name:width$}{NAME:#}  {text}"));
        }
        for (name, value) in long {
            match value {
                Value::Array(rows) if is_rows(value) => self.rows(rows),
                other => {
                    let text = wrapped_text(cell(other).trim_end());
                    let name = sanitize(name);
                    self.line(format_args!("{NAME}{name}{NAME:#}\n{text}"));
                }
            }
        }
    }

    pub(super) fn rows(&self, rows: &[Value]) {
        let columns = columns(rows);
        let mut table = Table::new(columns.iter().map(|name| sanitize(name).replace('_', " ")));
        for row in rows {
            table.push_row(
                columns
                    .iter()
                    .map(|name| row.get(name.as_str()).map(narrow_cell).unwrap_or_default()),
            );
        }
        table.keep_first_column();
        self.line(table);
    }

    fn meta(&self, meta: &ResultMeta) {
        if let Some(pages) = meta.pagination.as_ref().filter(|pages| pages.has_next_page) {
            let total = pages
                .total
                .map(|total| format!(", {total} in all"))
                .unwrap_or_default();
            let more = pages
                .end_cursor
                .as_ref()
                .map(|cursor| format!("; next page: after={}", shell_quoted(cursor)));
            self.line(format_args!(
                "{DIM}there are more{total}{}{DIM:#}",
                more.unwrap_or_default()
            ));
        }
        for attempt in meta.attempts.iter().flatten() {
            self.line(attempt_line(attempt));
        }
        let github = meta
            .route_used
            .filter(|route| Route::GITHUB.contains(route));
        let is_usual = matches!(
            meta.reason,
            Some(RouteReason::CardPreferred | RouteReason::DefaultPolicy)
        );
        // The route is shown if it is not the usual one, or with `--trace`.
        let is_route_shown = !is_usual || meta.attempts.is_some();
        if let (Some(route), Some(reason), true) = (github, meta.reason, is_route_shown) {
            let value = serde_json::to_value(reason).unwrap_or_default();
            let reason = value.as_str().unwrap_or_default();
            self.line(format_args!(
                "{DIM}{} via {route} ({reason}){DIM:#}",
                meta.capability_id
            ));
        }
        for next in &meta.next {
            let call = serde_json::json!({"tool": "execute", "arguments": {"capability": next.capability, "input": next.input}});
            self.line(format_args!("{DIM}next{DIM:#} {}", self.command(&call)));
        }
    }
}

/// Formats an attempt on one line.
pub(super) fn attempt_line(attempt: &AttemptMeta) -> String {
    let status = match attempt.status {
        AttemptStatus::Success => format!("{GOOD}ok{GOOD:#}"),
        AttemptStatus::Error => format!("{ERROR}failed{ERROR:#}"),
        AttemptStatus::Skipped => "skipped".to_owned(),
    };
    let time = attempt
        .duration_ms
        .map(|ms| format!(" {ms} ms"))
        .unwrap_or_default();
    let detail = attempt
        .detail
        .as_ref()
        .map(|text| format!("  {}", sanitize(text)))
        .unwrap_or_default();
    let route = attempt.route.as_str();
    format!("{DIM}{route:8}{DIM:#}{status}{time}{detail}")
}

/// Returns the names of all fields of the rows, in the order in which they first occur.
pub(super) fn columns(rows: &[Value]) -> Vec<&String> {
    let mut columns: Vec<&String> = Vec::new();
    let names = rows.iter().filter_map(Value::as_object).flat_map(Map::keys);
    for name in names {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns
}

/// Whether a value is a list of objects that is not empty.
pub(super) fn is_rows(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|rows| !rows.is_empty() && rows.iter().all(Value::is_object))
}

fn is_long(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.contains('\n') || text.chars().count() > 100)
}

/// Formats a cell of a table. A time is shown without its seconds.
pub(super) fn narrow_cell(value: &Value) -> String {
    // Only this form of timestamp is shortened: others have a time zone or a fraction, which would be lost.
    let timestamp = value
        .as_str()
        .filter(|text| text.ends_with('Z') && text.len() == 20);
    timestamp
        .and_then(date::minutes)
        .unwrap_or_else(|| cell(value))
}

/// Returns the items of a JSON list. Empty if the value is not a list.
pub(super) fn list_items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Formats a value on one line, with control characters escaped.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => sanitize(text).into_owned(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{} {}", sanitize(name), cell(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
