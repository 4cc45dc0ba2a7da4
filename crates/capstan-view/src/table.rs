//! Rows of alike objects: which columns are shown, and the rows as lines.

use serde_json::{Map, Value};

use crate::cell::cell;
use crate::clean::flat;
use crate::value;

pub(crate) type Row = Map<String, Value>;

/// Which columns are wanted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// By the caller: all of these, in this order, with nothing cut or left out.
    pub(crate) asked: Option<&'a [String]>,
    /// By the card. All that there are when it is empty.
    pub(crate) usual: &'a [String],
    /// Those of them that nobody asked for: they are left out where no row has a value.
    pub(crate) always: &'a [String],
    /// Long cells are cut.
    pub(crate) cuts: bool,
}

/// Longer cells get a line each, even if there is only one column.
const LONGEST_IN_LINE: usize = 40;

/// A table without its title.
#[derive(Default)]
pub(crate) struct Table {
    /// What is equal in all rows, by column.
    pub(crate) stated: Vec<(String, String)>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// Columns in which cells are cut.
    pub(crate) cut: Vec<String>,
}

impl Table {
    pub(crate) fn of(rows: &[&Row], wanted: Wanted<'_>) -> Self {
        let mut table = Self::default();
        let mut kept: Vec<Vec<String>> = Vec::new();
        for (place, name) in columns(rows, wanted).into_iter().enumerate() {
            let cells = rows.iter().map(|row| {
                let value = row.get(name).unwrap_or(&Value::Null);
                let value = value::with_short_hash(value, wanted.asked.is_some() || !wanted.cuts);
                cell(&value, wanted.cuts && wanted.asked.is_none())
            });
            let cells: Vec<_> = cells.collect();
            let is_cut = cells.iter().any(|cell| cell.is_cut);
            let texts: Vec<_> = cells.into_iter().map(|cell| cell.text).collect();
            let shown = flat(name);
            if is_cut {
                table.cut.push(shown.clone());
            }
            let is_empty = texts.iter().all(String::is_empty);
            if is_empty && wanted.always.iter().any(|it| it == name) {
                continue;
            }
            if wanted.asked.is_none() && place > 0 {
                if is_empty {
                    continue;
                }
                if let Some(text) = shared(&texts).filter(|_| same(rows, name)) {
                    table.stated.push((shown, text.to_owned()));
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

    /// A single column of short cells in one line: `number 47, 37, 2`.
    pub(crate) fn only_column(&self) -> Option<String> {
        let [column] = self.columns.as_slice() else {
            return None;
        };
        let is_short = |row: &String| {
            (1..=LONGEST_IN_LINE).contains(&row.chars().count()) && !row.contains(',')
        };
        let is_worth_it = self.rows.len() > 1 && self.cut.is_empty();
        let are_short = self.rows.iter().all(is_short);
        (is_worth_it && are_short).then(|| format!("{column} {}", self.rows.join(", ")))
    }

    /// ` (state open, draft no)`, or nothing.
    pub(crate) fn stated(&self) -> String {
        if self.stated.is_empty() {
            return String::new();
        }
        let pairs: Vec<_> = self
            .stated
            .iter()
            .map(|(name, text)| format!("{name} {text}"))
            .collect();
        format!(" ({})", pairs.join(", "))
    }

    pub(crate) fn columns(&self) -> String {
        self.columns.join(" | ")
    }
}

/// Cells in a line. Empty ones at its end are not told.
fn line<'a>(cells: impl Iterator<Item = &'a String>) -> String {
    let mut cells: Vec<_> = cells.map(String::as_str).collect();
    if cells.iter().all(|cell| cell.is_empty()) {
        // A row all the same.
        return "|".to_owned();
    }
    while cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    cells.join(" | ").trim_start().to_owned()
}

/// Rows that share most of their fields. Others are no table.
pub(crate) fn alike(items: &[Value]) -> Option<Vec<&Row>> {
    let rows: Vec<_> = items.iter().map(Value::as_object).collect::<Option<_>>()?;
    let columns = every_column(&rows).len();
    let filled: usize = rows.iter().map(|row| row.len()).sum();
    (columns > 0 && 2 * filled >= columns * rows.len()).then_some(rows)
}

/// Names of columns that some row has.
fn columns<'a>(rows: &[&'a Row], wanted: Wanted<'a>) -> Vec<&'a str> {
    let chosen = wanted.asked.unwrap_or(wanted.usual);
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

/// In the order in which rows have them.
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

/// The text that all of several cells have.
fn shared(texts: &[String]) -> Option<&str> {
    let (first, others) = texts.split_first()?;
    let is_shared = !others.is_empty() && others.iter().all(|text| text == first);
    is_shared.then_some(first)
}

/// Whether a field has the same value in all rows, and not only the same beginning.
fn same(rows: &[&Row], name: &str) -> bool {
    let mut values = rows.iter().map(|row| row.get(name));
    let first = values.next();
    values.all(|value| Some(value) == first)
}
