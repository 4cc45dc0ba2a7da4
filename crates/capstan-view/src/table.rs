//! Tables of similar objects: which columns are shown, and the rows as lines.

use serde_json::{Map, Value};

use crate::cell::cell;
use crate::clean::single_line;
use crate::value;

pub(crate) type Row = Map<String, Value>;

/// Selects the columns of a table.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColumnSelection<'a> {
    /// Columns that the caller asked for: all of them, in this order, complete.
    pub(crate) requested: Option<&'a [String]>,
    /// The card's default columns. If empty, all columns.
    pub(crate) defaults: &'a [String],
    /// Columns that are always requested: omitted if no row has a value.
    pub(crate) always: &'a [String],
    /// Whether long cells are truncated.
    pub(crate) truncates: bool,
}

/// The maximum number of characters of cells that share a line in a table with one column.
const MAX_INLINE_LENGTH: usize = 40;

/// A table without its title.
#[derive(Default)]
pub(crate) struct Table {
    /// Values that all rows share, by column.
    pub(crate) common_values: Vec<(String, String)>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// Columns with truncated cells.
    pub(crate) cut: Vec<String>,
}

impl Table {
    pub(crate) fn from_rows(rows: &[&Row], selection: ColumnSelection<'_>) -> Self {
        let mut table = Self::default();
        let mut kept: Vec<Vec<String>> = Vec::new();
        for (index, name) in columns(rows, selection).into_iter().enumerate() {
            let cells = rows.iter().map(|row| {
                let value = row.get(name).unwrap_or(&Value::Null);
                let value = value::with_short_hash(
                    value,
                    selection.requested.is_some() || !selection.truncates,
                );
                cell(&value, selection.truncates && selection.requested.is_none())
            });
            let cells: Vec<_> = cells.collect();
            let is_cut = cells.iter().any(|cell| cell.is_cut);
            let texts: Vec<_> = cells.into_iter().map(|cell| cell.text).collect();
            let shown = single_line(name);
            if is_cut {
                table.cut.push(shown.clone());
            }
            let is_empty = texts.iter().all(String::is_empty);
            if is_empty && selection.always.iter().any(|it| it == name) {
                continue;
            }
            if selection.requested.is_none() && index > 0 {
                if is_empty {
                    continue;
                }
                if let Some(text) = shared_text(&texts)
                    && has_same_value(rows, name)
                {
                    table.common_values.push((shown, text.to_owned()));
                    continue;
                }
            }
            table.columns.push(shown);
            kept.push(texts);
        }
        table.rows = (0..rows.len())
            .map(|at| line(kept.iter().filter_map(|column| column.get(at))))
            .collect();
        table
    }

    /// Returns a single column of short cells in one line: `number 47, 37, 2`.
    pub(crate) fn only_column(&self) -> Option<String> {
        let [column] = self.columns.as_slice() else {
            return None;
        };
        let is_short = |row: &String| {
            (1..=MAX_INLINE_LENGTH).contains(&row.chars().count()) && !row.contains(',')
        };
        let is_worth_it = self.rows.len() > 1 && self.cut.is_empty();
        let are_short = self.rows.iter().all(is_short);
        (is_worth_it && are_short).then(|| format!("{column} {}", self.rows.join(", ")))
    }

    /// Returns the shared values, such as ` (state open, draft no)`, or an empty text.
    pub(crate) fn common_values(&self) -> String {
        if self.common_values.is_empty() {
            return String::new();
        }
        let pairs: Vec<_> = self
            .common_values
            .iter()
            .map(|(name, text)| format!("{name} {text}"))
            .collect();
        format!(" ({})", pairs.join(", "))
    }

    pub(crate) fn columns(&self) -> String {
        self.columns.join(" | ")
    }
}

/// Joins the cells of a row. Empty cells at the end are omitted.
fn line<'a>(cells: impl Iterator<Item = &'a String>) -> String {
    let mut cells: Vec<_> = cells.map(String::as_str).collect();
    if cells.iter().all(|cell| cell.is_empty()) {
        // An empty row is still a row.
        return "|".to_owned();
    }
    while cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    cells.join(" | ").trim_start().to_owned()
}

/// Returns the items as rows if they share most of their fields; others are no table.
pub(crate) fn similar_rows(items: &[Value]) -> Option<Vec<&Row>> {
    let rows: Vec<_> = items.iter().map(Value::as_object).collect::<Option<_>>()?;
    let columns = every_column(&rows).len();
    let filled: usize = rows.iter().map(|row| row.len()).sum();
    (columns > 0 && 2 * filled >= columns * rows.len()).then_some(rows)
}

/// Returns the names of the selected columns that some row has.
fn columns<'a>(rows: &[&'a Row], selection: ColumnSelection<'a>) -> Vec<&'a str> {
    let chosen = selection.requested.unwrap_or(selection.defaults);
    if chosen.is_empty() {
        return every_column(rows);
    }
    let mut names: Vec<&str> = Vec::with_capacity(chosen.len());
    for name in chosen {
        let is_there = rows.iter().any(|row| row.contains_key(name));
        if is_there && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return every_column(rows);
    }
    names
}

/// Returns the names of all columns, in the order in which they occur.
fn every_column<'a>(rows: &[&'a Row]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for name in rows.iter().flat_map(|row| row.keys()) {
        if known.insert(name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// Returns the text that all cells share, if there is more than one.
fn shared_text(texts: &[String]) -> Option<&str> {
    let (first, others) = texts.split_first()?;
    let is_shared = !others.is_empty() && others.iter().all(|text| text == first);
    is_shared.then_some(first)
}

/// Returns whether a field has the same value in all rows, rather than the same truncated beginning.
fn has_same_value(rows: &[&Row], name: &str) -> bool {
    let mut values = rows.iter().map(|row| row.get(name));
    let first = values.next();
    values.all(|value| Some(value) == first)
}
