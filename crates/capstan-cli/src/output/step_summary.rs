//! Summarizes the data of a step on one line, enough to recognise it.

use capstan_core::Pagination;
use serde_json::{Map, Value};

use super::envelope::cell;

/// The fields with the name of an object, and those with its state. Of each group, the first that exists is shown.
const NAMES: [&str; 6] = ["title", "name", "full_name", "tag", "path", "milestone"];
const STATES: [&str; 3] = ["state", "status", "visibility"];

/// The smallest length to which a name is cut, in characters.
const MIN_NAME: usize = 20;

const SEPARATOR: &str = " · ";

/// Summarizes the data of a step. Names are cut to fit into `room` columns.
pub(super) fn step_summary(
    data: &Value,
    pages: Option<&Pagination>,
    room: Option<usize>,
) -> String {
    let Value::Object(fields) = data else {
        return one_line(data);
    };
    match fields.iter().find(|(_, value)| is_list(value, fields)) {
        Some((name, Value::Array(rows))) => list_summary(name, rows.len(), pages, fields),
        _ => object_summary(fields, room),
    }
}

/// Whether a field is a list to summarize: a list of objects, or the only field.
fn is_list(value: &Value, fields: &Map<String, Value>) -> bool {
    value
        .as_array()
        .is_some_and(|rows| fields.len() == 1 || rows.first().is_some_and(Value::is_object))
}

fn list_summary(
    name: &str,
    count: usize,
    pages: Option<&Pagination>,
    fields: &Map<String, Value>,
) -> String {
    let name = name.replace('_', " ");
    let total = pages.and_then(|pages| pages.total);
    let more = pages.is_some_and(|pages| pages.has_next_page);
    let rows = match total {
        Some(total) if more => format!("{count} of {total} {name}"),
        None if more => format!("{count} {name}, and more"),
        _ => format!("{count} {name}"),
    };
    let scalars = fields.iter().filter(|(_, value)| is_scalar(value));
    let others = scalars.map(|(name, value)| named(name, value));
    joined(std::iter::once(rows).chain(others))
}

fn object_summary(fields: &Map<String, Value>, room: Option<usize>) -> String {
    let first = |names: &[&str]| {
        let found = names.iter().find_map(|name| fields.get(*name));
        found.filter(|value| is_scalar(value)).map(one_line)
    };
    let number = first(&["number"]).map(|number| format!("#{number}"));
    // An object without a name is shown by its first list, such as labels or assignees.
    let first_list = || {
        let lists = fields.values().filter(|value| value.is_array());
        lists.map(one_line).find(|text| !text.is_empty())
    };
    let name = first(&NAMES).or_else(first_list);
    let is_unchanged = fields.get("changed") == Some(&Value::Bool(false));
    let unchanged = is_unchanged.then(|| "unchanged".to_owned());
    let mut rest: Vec<_> = first(&STATES).into_iter().chain(unchanged).collect();
    let url = first(&["url"]);
    if number.is_none() && name.is_none() && rest.is_empty() && url.is_none() {
        let scalars = fields.iter().filter(|(_, value)| is_scalar(value)).take(3);
        return joined(scalars.map(|(name, value)| named(name, value)));
    }
    let width = |text: &String| text.chars().count() + SEPARATOR.chars().count();
    let taken = |rest: &[String]| rest.iter().chain(&number).map(width).sum::<usize>();
    let room = room.unwrap_or(usize::MAX);
    // An object with a number and a name does not need its URL.
    let is_identified = number.is_some() && name.is_some();
    let all = taken(&rest) + url.iter().chain(&name).map(width).sum::<usize>();
    if !is_identified || all <= room {
        rest.extend(url);
    }
    let left = room.saturating_sub(taken(&rest)).max(MIN_NAME);
    let short_name = name.map(|name| cut(&name, left));
    let head: Vec<_> = number.iter().cloned().chain(short_name).collect();
    let title = Some(head.join(" ")).filter(|title| !title.is_empty());
    joined(title.into_iter().chain(rest))
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}

fn named(name: &str, value: &Value) -> String {
    format!("{} {}", name.replace('_', " "), one_line(value))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(SEPARATOR)
}

fn one_line(value: &Value) -> String {
    let text = cell(value);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::sanitize::is_unsafe_char;
    use super::*;

    #[track_caller]
    fn check(data: &Value, expected: &str) {
        assert_eq!(step_summary(data, None, None), expected);
    }

    #[test]
    fn a_thing_is_told_by_its_number_name_state_and_address() {
        check(
            &json!({"id": "I_1", "number": 7, "title": "Leak", "state": "open", "url": "https://x/7", "labels": ["bug"]}),
            "#7 Leak · open · https://x/7",
        );
        check(
            &json!({"number": 7, "labels": ["bug", "gnc"], "changed": false}),
            "#7 bug, gnc · unchanged",
        );
        check(
            &json!({"id": "IC_1", "url": "https://x/7#1"}),
            "https://x/7#1",
        );
        check(
            &json!({"full_name": "acme/rocket", "visibility": "public"}),
            "acme/rocket · public",
        );
        check(
            &json!({"id": "T_1", "resolved": true}),
            "id T_1 · resolved true",
        );
        check(
            &json!({"title": "two\nlines\u{1b}[2J"}),
            "two lines\\u{1b}[2J",
        );
        check(&json!({}), "");
        check(&json!("text"), "text");
    }

    #[test]
    fn a_list_is_told_by_its_rows() {
        check(&json!({"issues": []}), "0 issues");
        check(
            &json!({"issues": [{"number": 1}, {"number": 2}]}),
            "2 issues",
        );
        check(
            &json!({"passed": 3, "failed": 1, "checks": [{"name": "a"}]}),
            "1 checks · passed 3 · failed 1",
        );
        let rows = json!({"pull_requests": [{"number": 1}]});
        let mut pages = Pagination {
            has_next_page: true,
            ..Pagination::default()
        };
        assert_eq!(
            step_summary(&rows, Some(&pages), None),
            "1 pull requests, and more"
        );
        pages.total = Some(9);
        assert_eq!(
            step_summary(&rows, Some(&pages), None),
            "1 of 9 pull requests"
        );
    }

    #[test]
    fn names_are_cut_to_the_room_there_is() {
        let data = json!({"number": 7, "title": "Engine 3 shuts down early during the static fire", "state": "open"});
        assert_eq!(
            step_summary(&data, None, Some(40)),
            "#7 Engine 3 shuts down early d… · open"
        );
        assert_eq!(
            step_summary(&data, None, Some(1)),
            "#7 Engine 3 shuts down… · open"
        );
        let mut data = data;
        data["url"] = "https://x/7".into();
        assert_eq!(
            step_summary(&data, None, Some(70)),
            "#7 Engine 3 shuts down early during the static fire · open"
        );
        assert_eq!(
            step_summary(&data, None, Some(200)),
            "#7 Engine 3 shuts down early during the static fire · open · https://x/7"
        );
    }

    proptest! {
        /// Holds for any data of GitHub.
        #[test]
        fn it_is_one_line_that_steers_nothing(
            fields in prop::collection::vec(
                (prop::sample::select(&["number", "title", "state", "url", "labels", "x"][..]), any::<String>()),
                0..6,
            ),
            room in prop::option::of(0..200_usize),
        ) {
            let fields = fields.into_iter().map(|(name, text)| match name {
                "labels" => (name.to_owned(), json!([text])),
                name => (name.to_owned(), text.into()),
            });
            let summary = step_summary(&Value::from_iter(fields), None, room);
            prop_assert!(!summary.contains(|c: char| c == '\n' || c == '\t' || is_unsafe_char(c)), "{:?}", summary);
        }
    }
}
