//! A result for people: a table for a list, fields for a thing, one clear line for an error.

use capstan_core::{
    AttemptMeta, AttemptStatus, Cost, ResultEnvelope, ResultError, ResultMeta, Route, RouteReason,
    date,
};
use serde_json::{Map, Value};

use super::command::quoted;
use super::harmless::harmless;
use super::{BOLD, DIM, ERROR, GOOD, NAME, Printer, Table, wrapped, wrapped_text};

impl Printer {
    pub(crate) fn envelope(&self, envelope: &ResultEnvelope) {
        // A note says what an empty list means.
        let noted = envelope.meta.note.is_some();
        if let Some(Value::Object(data)) = &envelope.data {
            self.data(data, noted);
        }
        if let Some(error) = &envelope.error {
            self.error(error);
        }
        self.remarks(envelope);
        self.meta(&envelope.meta);
    }

    /// What is to be said beside the data that somebody else shows.
    pub(crate) fn remarks(&self, envelope: &ResultEnvelope) {
        if let Some(note) = &envelope.meta.note {
            self.line(wrapped(&harmless(note), 0));
        }
        for warning in &envelope.meta.warnings {
            let warning = wrapped(&harmless(warning), "warning: ".len());
            self.line(format_args!("{BOLD}warning{BOLD:#}: {warning}"));
        }
        self.cost(envelope.meta.cost);
    }

    /// What the call costs a model, where that was asked for.
    pub(super) fn cost(&self, cost: Option<Cost>) {
        if let Some((sent, answer)) = cost.and_then(|it| it.tokens_in.zip(it.tokens_out)) {
            self.line(format_args!(
                "{DIM}about {sent} tokens sent, {answer} in the answer{DIM:#}"
            ));
        }
    }

    pub(crate) fn error(&self, error: &ResultError) {
        let code = error.code.to_string();
        // Before lines are broken: the halves of a secret would not be known for one.
        let message = self.redactor.text(&error.message);
        let message = wrapped(&harmless(&message), code.len() + 2);
        self.line(format_args!("{ERROR}{code}{ERROR:#}: {message}"));
        self.what_was_done(error);
        if let Some(mend) = error.details.get("mend") {
            self.line(format_args!("{DIM}try{DIM:#}  {}", self.command(mend)));
        }
        self.resume(error);
    }

    /// Says how to name a repository when one of the errors is that none was named.
    pub(crate) fn repository_hint<'a>(&self, errors: impl Iterator<Item = &'a ResultError>) {
        let is_missing = |problem: &Value| {
            let text = problem["problem"].as_str().unwrap_or_default();
            problem["field"] == "owner" && text.starts_with("is missing")
        };
        let mut problems = errors
            .filter_map(|error| error.details.get("fields")?.as_array())
            .flatten();
        if problems.any(is_missing) {
            self.line("which repository? give -R OWNER/REPO, or run it inside a clone");
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
            .map(|(name, _)| harmless(name).chars().count())
            .max()
            .unwrap_or(0);
        for (name, value) in short {
            let name = harmless(name);
            let text = wrapped(&cell(value), width + 2);
            self.line(format_args!("{NAME}{name:width$}{NAME:#}  {text}"));
        }
        for (name, value) in long {
            match value {
                Value::Array(rows) if is_rows(value) => self.rows(rows),
                other => {
                    let text = wrapped_text(cell(other).trim_end());
                    let name = harmless(name);
                    self.line(format_args!("{NAME}{name}{NAME:#}\n{text}"));
                }
            }
        }
    }

    pub(super) fn rows(&self, rows: &[Value]) {
        let columns = columns(rows);
        let mut table = Table::new(columns.iter().map(|name| harmless(name).replace('_', " ")));
        for row in rows {
            table.row(
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
                .map(|cursor| format!("; next page: after={}", quoted(cursor)));
            self.line(format_args!(
                "{DIM}there are more{total}{}{DIM:#}",
                more.unwrap_or_default()
            ));
        }
        for attempt in meta.attempts.iter().flatten() {
            self.line(attempted(attempt));
        }
        let github = meta
            .route_used
            .filter(|route| Route::GITHUB.contains(route));
        let usual = matches!(
            meta.reason,
            Some(RouteReason::CardPreferred | RouteReason::DefaultPolicy)
        );
        // Which way an answer came matters when it is not the usual one, or when somebody asks.
        let is_worth_telling = !usual || meta.attempts.is_some();
        if let (Some(route), Some(reason), true) = (github, meta.reason, is_worth_telling) {
            let reason = serde_json::to_value(reason).ok();
            let reason = reason
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
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

/// One try, on one line.
pub(super) fn attempted(attempt: &AttemptMeta) -> String {
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
        .map(|text| format!("  {}", harmless(text)))
        .unwrap_or_default();
    let route = attempt.route.as_str();
    format!("{DIM}{route:8}{DIM:#}{status}{time}{detail}")
}

/// Every field that one of the rows has, in the order in which they come.
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

/// A cell of a table: a time without its seconds, everything else as it is.
pub(super) fn narrow_cell(value: &Value) -> String {
    // Other forms of timestamps have a time zone or a fraction, which would be lost.
    let usual = value
        .as_str()
        .filter(|text| text.ends_with('Z') && text.len() == 20);
    usual.and_then(date::minutes).unwrap_or_else(|| cell(value))
}

pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => harmless(text).into_owned(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{} {}", harmless(name), cell(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
