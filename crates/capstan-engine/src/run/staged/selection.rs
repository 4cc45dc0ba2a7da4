//! Selects the rows of a list: those that match `where`, sorted by `sort`, as many as the caller wants.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use capstan_core::card::{Card, List};
use capstan_core::expr::{Expr, Root, Scope, Segment};
use capstan_core::{ErrorCode, Options, ResultError, ResultMeta, Sort};

use super::pages;
use crate::step_result::StepResult;

/// How one step selects among the rows that were read.
#[derive(Default)]
pub(super) struct Selection {
    condition: Option<Expr>,
    sort: Option<Sort>,
    /// The caller wants all rows.
    reads_all: bool,
    /// Columns that are read for the selection only. The caller does not see them.
    hidden: Vec<String>,
}

impl Selection {
    /// Parses the options. Without a card the columns are unknown and not checked.
    pub(super) fn from_options(card: Option<&Card>, options: &Options) -> Result<Self, String> {
        let condition = match &options.condition {
            None => None,
            Some(text) => {
                let expr = Expr::parse(text);
                Some(expr.map_err(|error| format!("`where` is `{text}`: {error}"))?)
            }
        };
        let mut selection = Self {
            condition,
            sort: options.sort.clone(),
            reads_all: options.all,
            hidden: Vec::new(),
        };
        if let Some(card) = card {
            selection.check_columns(card)?;
            selection.hidden = selection.unseen_columns(card, options);
        }
        Ok(selection)
    }

    /// Returns the options for one page, including the columns that the selection needs.
    pub(super) fn page_options(&self, card: Option<&Card>, options: &Options) -> Options {
        let mut page = pages::one_page_options(options);
        if let Some(card) = card
            && !self.hidden.is_empty()
        {
            let mut fields = page.fields.unwrap_or_else(|| usual_columns(card));
            fields.extend(self.hidden.iter().cloned());
            page.fields = Some(fields);
        }
        page
    }

    /// Returns whether more than one page may be read.
    pub(super) fn reads_more_pages(&self) -> bool {
        self.reads_all || self.sort.is_some()
    }

    /// Keeps the selected rows; `wanted` is their number, if the caller sets one. A list that could be sorted only in
    /// part gets a warning. If another step uses it (`is_used`), it is a failure, because that step would get the
    /// wrong rows.
    pub(super) fn apply(
        &self,
        result: &mut StepResult,
        list: &List,
        wanted: Option<usize>,
        is_used: bool,
    ) {
        let Ok(data) = &mut result.result else {
            return;
        };
        let Some(rows) = list.rows_mut(data) else {
            return;
        };
        let unsorted = if self.sort.is_some() {
            partial_sort_warning(rows.len(), &result.meta)
        } else {
            None
        };
        if let Some(problem) = &unsorted
            && is_used
        {
            let error = ResultError::new(ErrorCode::Validation, problem.clone());
            let meta = std::mem::take(&mut result.meta);
            *result = StepResult::failure(error, meta);
            return;
        }
        if let Some(condition) = &self.condition {
            keep_matching(rows, condition, self.reads_more_pages(), &mut result.meta);
        }
        if let Some(sort) = &self.sort {
            sort_rows(rows, sort);
            result.meta.warnings.extend(unsorted);
            let is_cut = wanted.is_some_and(|wanted| wanted < rows.len());
            rows.truncate(wanted.unwrap_or(rows.len()));
            if let Some(pages) = &mut result.meta.pagination {
                // GitHub's cursors follow GitHub's order.
                pages.end_cursor = None;
                pages.has_next_page |= is_cut;
            }
        }
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            row.retain(|column, _| !self.hidden.contains(column));
        }
    }

    /// Returns the columns that the selection needs.
    fn columns(&self) -> impl Iterator<Item = &str> {
        let paths = self.condition.iter().flat_map(Expr::paths);
        let of_condition = paths.filter_map(|path| match (&path.root, path.segments.first()) {
            (Root::This, Some(Segment::Key(column))) => Some(column.as_str()),
            _ => None,
        });
        of_condition.chain(self.sort.iter().map(|sort| sort.field.as_str()))
    }

    /// Refuses unknown columns. A misspelt column would silently select nothing.
    fn check_columns(&self, card: &Card) -> Result<(), String> {
        let known = card.fields();
        if known.is_empty() {
            return Ok(());
        }
        match self.columns().find(|column| !known.contains(column)) {
            None => Ok(()),
            Some(column) => Err(format!(
                "there is no column `{column}`; there are {}",
                known.join(", ")
            )),
        }
    }

    /// Returns the columns that the selection needs and the caller does not see.
    fn unseen_columns(&self, card: &Card, options: &Options) -> Vec<String> {
        let seen = options.fields.clone();
        let seen = seen.unwrap_or_else(|| usual_columns(card));
        let mut unseen: Vec<String> = Vec::new();
        for column in self.columns() {
            let is_known = seen.iter().chain(&unseen).any(|it| it == column);
            if !is_known {
                unseen.push(column.to_owned());
            }
        }
        unseen
    }
}

/// Returns the default columns of a row: those that the card names, and those that every row has.
fn usual_columns(card: &Card) -> Vec<String> {
    let Some(list) = card.list.as_ref().filter(|list| !list.columns.is_empty()) else {
        return card.fields().into_iter().map(str::to_owned).collect();
    };
    let pointer = format!("/properties/{}/items/required", list.field);
    let required = card.output_schema.pointer(&pointer);
    let required = required.and_then(Value::as_array).into_iter().flatten();
    let mut columns = list.columns.clone();
    for column in required.filter_map(Value::as_str) {
        if !columns.iter().any(|known| known == column) {
            columns.push(column.to_owned());
        }
    }
    columns
}

/// Keeps the rows that match a condition, and adds a note with how many rows were examined.
fn keep_matching(rows: &mut Vec<Value>, condition: &Expr, reads_all: bool, meta: &mut ResultMeta) {
    let before = rows.len();
    let no_names = Map::new();
    rows.retain(|row| condition.holds(&Scope::new(row, &no_names)));
    let kept = rows.len();
    let pages = meta.pagination.as_ref();
    let has_more = pages.is_some_and(|pages| pages.has_next_page);
    let total = pages.and_then(|pages| pages.total);
    let more = match total.and_then(|total| total.checked_sub(before as u64)) {
        Some(unread) => format!("; {unread} more were not read"),
        None => "; more were not read".to_owned(),
    };
    let advice = if reads_all { "" } else { ": `all` reads them" };
    let rest = if has_more {
        more + advice
    } else {
        String::new()
    };
    meta.note = Some(format!("{kept} of {before} rows match `where`{rest}"));
    if let Some(pages) = &mut meta.pagination {
        pages.total = None;
    }
}

/// Sorts rows; those without a value come last. Equal rows keep their order.
fn sort_rows(rows: &mut [Value], sort: &Sort) {
    let value = |row: &Value| row.get(&sort.field).cloned().unwrap_or_default();
    rows.sort_by(|left, right| {
        let (left, right) = (value(left), value(right));
        match (left.is_null(), right.is_null()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) if sort.ascending == Some(true) => compare(&left, &right),
            (false, false) => compare(&right, &left),
        }
    });
}

/// Compares numbers by value, texts and dates by their characters, and everything else by its JSON text.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let size = |number: &serde_json::Number| number.as_f64().unwrap_or_default();
            size(left).total_cmp(&size(right))
        }
        (Value::String(left), Value::String(right)) => {
            let folded = left.to_lowercase().cmp(&right.to_lowercase());
            folded.then_with(|| left.cmp(right))
        }
        (left, right) => left.to_string().cmp(&right.to_string()),
    }
}

/// Returns a warning if not all rows could be read: the first of the sorted rows may then not be the first of all.
fn partial_sort_warning(read: usize, meta: &ResultMeta) -> Option<String> {
    let pages = meta.pagination.as_ref()?;
    let of_all = pages.total.map(|total| format!(" of {total}"));
    (pages.has_next_page || pages.incomplete).then(|| {
        format!(
            "only {read}{} rows could be read and sorted: narrow the list",
            of_all.unwrap_or_default()
        )
    })
}

#[cfg(test)]
mod tests {
    use capstan_core::Pagination;
    use capstan_core::expr::Template;
    use serde_json::json;

    use super::*;

    fn sorted(rows: &Value, sort: &str) -> Vec<Value> {
        let mut rows = rows.as_array().unwrap().clone();
        sort_rows(&mut rows, &sort.parse().unwrap());
        rows.iter().map(|row| row["id"].clone()).collect()
    }

    #[test]
    fn rows_are_sorted_in_both_directions_and_without_a_value_last() {
        let rows = json!([
            {"id": 1, "at": "2026-01-02T00:00:00Z", "n": 10},
            {"id": 2, "at": null, "n": 9},
            {"id": 3, "at": "2026-01-03T00:00:00Z", "n": 9.5},
            {"id": 4, "n": 100},
        ]);
        assert_eq!(sorted(&rows, "at desc"), [3, 1, 2, 4]);
        assert_eq!(sorted(&rows, "at asc"), [1, 3, 2, 4]);
        assert_eq!(sorted(&rows, "n desc"), [4, 1, 3, 2]);
        assert_eq!(sorted(&rows, "n-asc"), [2, 3, 1, 4]);
    }

    fn list() -> List {
        List {
            field: "rows".to_owned(),
            empty: Template::parse("no rows").unwrap(),
            title: None,
            order: None,
            columns: Vec::new(),
            always: Vec::new(),
        }
    }

    fn read(numbers: &[u64], total: u64, has_next_page: bool) -> StepResult {
        let rows: Vec<_> = numbers.iter().map(|n| json!({"n": n})).collect();
        let pagination = Pagination {
            has_next_page,
            end_cursor: has_next_page.then(|| "cursor".to_owned()),
            total: Some(total),
            ..Pagination::default()
        };
        let meta = ResultMeta {
            pagination: Some(pagination),
            ..ResultMeta::default()
        };
        StepResult::success(json!({ "rows": rows }), meta)
    }

    fn applied(options: &Options, result: &mut StepResult, is_used: bool) {
        let selection = Selection::from_options(None, options).unwrap();
        selection.apply(result, &list(), Some(2), is_used);
    }

    #[test]
    fn a_list_that_was_sorted_in_part_warns_readers_and_stops_steps() {
        let options = Options {
            sort: Some("n".parse().unwrap()),
            ..Options::default()
        };
        let mut shown = read(&[1, 3, 2], 5000, true);
        applied(&options, &mut shown, false);
        assert_eq!(shown.result.unwrap(), json!({"rows": [{"n": 3}, {"n": 2}]}));
        let warning = "only 3 of 5000 rows could be read and sorted: narrow the list";
        assert_eq!(shown.meta.warnings, [warning]);
        assert_eq!(shown.meta.pagination.unwrap().end_cursor, None);
        let mut used = read(&[1, 3, 2], 5000, true);
        applied(&options, &mut used, true);
        assert_eq!(used.result.unwrap_err().error.message, warning);
        let mut whole = read(&[1, 3, 2], 3, false);
        applied(&options, &mut whole, true);
        assert!(whole.is_ok() && whole.meta.warnings.is_empty());
        assert!(whole.meta.pagination.unwrap().has_next_page);
    }

    #[test]
    fn a_note_says_how_many_rows_were_not_read() {
        let mut options = Options {
            condition: Some("n > 1".to_owned()),
            ..Options::default()
        };
        let mut some = read(&[1, 3, 2], 10, true);
        applied(&options, &mut some, false);
        assert_eq!(
            some.meta.note.as_deref(),
            Some("2 of 3 rows match `where`; 7 more were not read: `all` reads them")
        );
        options.all = true;
        let mut some = read(&[1, 3, 2], 10, true);
        applied(&options, &mut some, false);
        assert_eq!(
            some.meta.note.as_deref(),
            Some("2 of 3 rows match `where`; 7 more were not read")
        );
        let mut all = read(&[1, 3, 2], 3, false);
        applied(&options, &mut all, false);
        assert_eq!(all.meta.note.as_deref(), Some("2 of 3 rows match `where`"));
    }
}
