//! The note of an empty list: what was searched.

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::expr::{Root, Scope, Segment};

use crate::attempt::Answered;

/// Inputs that are not filters.
const NOT_FILTERS: [&str; 4] = ["owner", "repo", "first", "after"];

/// Returns the note of an empty list: the card's text, and the filters that the caller gave.
pub(crate) fn empty_list(
    card: &Card,
    input: &Value,
    given: &Map<String, Value>,
    answered: &Answered,
) -> Option<String> {
    let list = card.list.as_ref()?;
    let pagination = answered.pagination.as_ref();
    if !answered.data.get(&list.field)?.as_array()?.is_empty() {
        return None;
    }
    if pagination.is_some_and(|pages| pages.incomplete) {
        return Some(format!(
            "none found, but {} did not finish this search: some may exist",
            card.provider()
        ));
    }
    if let Some(pages) = pagination.filter(|pages| pages.has_next_page) {
        let next = pages
            .end_cursor
            .as_ref()
            .map(|cursor| format!(": continue with after={cursor}"));
        return Some(format!(
            "none on this page, but more follow{}",
            next.unwrap_or_default()
        ));
    }
    // A page after the last one is empty, too, but the list is not.
    if let Some(cursor) = input.get("after").and_then(Value::as_str) {
        return Some(format!("there are no rows after `{cursor}`"));
    }
    let mut note = list.empty.render(&Scope::new(input, &Map::new()))?;
    let said: Vec<&str> = list
        .empty
        .expressions()
        .flat_map(|expr| expr.paths())
        .filter(|path| path.root == Root::This)
        .filter_map(|path| match path.segments.first() {
            Some(Segment::Key(name)) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let filters: Vec<_> = given
        .iter()
        .filter(|(name, _)| !NOT_FILTERS.contains(&name.as_str()) && !said.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}={}", plain(value)))
        .collect();
    if !filters.is_empty() {
        note.push_str(&format!("; searched with {}", filters.join(", ")));
    }
    Some(note)
}

/// Writes a value as in a line: texts as they are, lists of texts with commas.
fn plain(value: &Value) -> String {
    let texts = value
        .as_array()
        .and_then(|items| items.iter().map(Value::as_str).collect::<Option<Vec<_>>>())
        .filter(|texts| !texts.iter().any(|text| text.contains(',')));
    match (value, texts) {
        (Value::String(text), _) => text.clone(),
        (_, Some(texts)) => texts.join(","),
        (value, None) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn filters_are_told_as_a_line_has_them() {
        for (value, told) in [
            (json!("help wanted"), "help wanted"),
            (json!(["bug", "help wanted"]), "bug,help wanted"),
            (json!(["a, b"]), "[\"a, b\"]"),
            (json!([1]), "[1]"),
            (json!(3), "3"),
        ] {
            assert_eq!(plain(&value), told);
        }
    }
}
