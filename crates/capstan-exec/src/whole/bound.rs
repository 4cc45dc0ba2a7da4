//! Bounds the size of an answer, and says what was left out: first addresses of other resources, then rows of lists,
//! then what is nested deeply.

use serde_json::Value;

/// The most bytes of an answer, written as compact JSON.
const MOST_BYTES: usize = 8_000;
/// The levels of objects and lists that are tried, one after the other.
const DEPTHS: [usize; 5] = [6, 4, 3, 2, 1];

/// Bounds a value. Returns a warning that says what was left out; `None` if the value is complete.
pub(crate) fn bound(value: &mut Value) -> Option<String> {
    let size = size(value);
    if size <= MOST_BYTES {
        return None;
    }
    let mut left_out = Vec::new();
    let links = remove_links(value);
    if links > 0 {
        left_out.push(format!("{links} addresses (`*_url`)"));
    }
    while self::size(value) > MOST_BYTES {
        let Some((path, shown, all)) = cut_longest_list(value) else {
            break;
        };
        let place = if path.is_empty() {
            String::new()
        } else {
            format!(" of `{path}`")
        };
        left_out.push(format!("all but the first {shown} of {all} items{place}"));
    }
    if self::size(value) > MOST_BYTES {
        for depth in DEPTHS {
            flatten(value, depth);
            if self::size(value) <= MOST_BYTES {
                break;
            }
        }
        left_out.push("what is nested deeply".to_owned());
    }
    if self::size(value) > MOST_BYTES {
        let names: Vec<_> = match &value {
            Value::Object(fields) => fields.keys().take(50).cloned().collect(),
            _ => Vec::new(),
        };
        *value = Value::from(names);
        left_out.push("everything but the names of its first fields".to_owned());
    }
    Some(format!(
        "the answer has {size} bytes; left out: {}. Choose `fields` such as `name,owner.login`, or `full` for everything",
        left_out.join(", ")
    ))
}

fn size(value: &Value) -> usize {
    // Writing a value to a text cannot fail.
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// Removes addresses of the API, and returns how many. The address that people open stays.
fn remove_links(value: &mut Value) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(remove_links).sum(),
        Value::Object(fields) => {
            let before = fields.len();
            fields.retain(|name, _| {
                name == "html_url" || !(name.ends_with("_url") || name == "_links")
            });
            let removed = before - fields.len();
            removed + fields.values_mut().map(remove_links).sum::<usize>()
        }
        _ => 0,
    }
}

/// Shortens the list with the most bytes so that the rest may fit. Returns its path, its new length and the old one;
/// `None` if no list has two items.
fn cut_longest_list(value: &mut Value) -> Option<(String, usize, usize)> {
    let total = size(value);
    let (path, bytes) = longest_list(value, String::new())?;
    let items = value.pointer_mut(&path)?.as_array_mut()?;
    let all = items.len();
    let room = MOST_BYTES.saturating_sub(total - bytes);
    let mut used = 0;
    let fitting = items
        .iter()
        .take_while(|item| {
            used += size(item) + 1;
            used < room
        })
        .count();
    let shown = fitting.clamp(1, all - 1);
    items.truncate(shown);
    let path = path.trim_start_matches('/').replace('/', ".");
    Some((path, shown, all))
}

/// Returns the pointer and the bytes of the largest list of at least two items, outermost first.
fn longest_list(value: &Value, at: String) -> Option<(String, usize)> {
    match value {
        Value::Array(items) if items.len() > 1 => Some((at, size(value))),
        Value::Array(items) => {
            let inner = items.iter().enumerate();
            inner
                .filter_map(|(index, item)| longest_list(item, format!("{at}/{index}")))
                .max_by_key(|(_, bytes)| *bytes)
        }
        Value::Object(fields) => fields
            .iter()
            .filter_map(|(name, field)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                longest_list(field, format!("{at}/{name}"))
            })
            .max_by_key(|(_, bytes)| *bytes),
        _ => None,
    }
}

/// Replaces objects and lists below a depth by what they are.
fn flatten(value: &mut Value, depth: usize) {
    match value {
        Value::Array(items) if depth == 0 => *value = format!("[{} items]", items.len()).into(),
        Value::Object(fields) if depth == 0 => {
            *value = format!("{{{} fields}}", fields.len()).into();
        }
        Value::Array(items) => items.iter_mut().for_each(|item| flatten(item, depth - 1)),
        Value::Object(fields) => fields.values_mut().for_each(|it| flatten(it, depth - 1)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn small_answers_stay_as_they_are() {
        let value = json!({"url": "x", "labels_url": "y", "items": [1, 2]});
        let mut bounded = value.clone();
        assert_eq!(bound(&mut bounded), None);
        assert_eq!(bounded, value);
    }

    #[test]
    fn addresses_go_first_and_then_rows() {
        let row = |n: usize, text: usize| json!({"id": n, "html_url": "h", "labels_url": "l".repeat(60), "name": "n".repeat(text)});
        let mut links: Value = (0..100).map(|n| row(n, 10)).collect();
        let warning = bound(&mut links).unwrap();
        assert!(
            warning.contains("left out: 100 addresses (`*_url`). Choose"),
            "{warning}"
        );
        assert_eq!(links.as_array().unwrap().len(), 100);
        assert_eq!(links[7]["html_url"], "h");
        let mut rows =
            json!({"total_count": 100, "items": (0..100).map(|n| row(n, 500)).collect::<Vec<_>>()});
        let warning = bound(&mut rows).unwrap();
        let shown = rows["items"].as_array().unwrap().len();
        assert!((10..20).contains(&shown), "{shown}");
        assert!(
            warning.contains(&format!("first {shown} of 100 items of `items`")),
            "{warning}"
        );
        assert_eq!(rows["total_count"], 100);
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(Value::from),
            "[a-z~/]{0,300}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 200, 12, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
                proptest::collection::vec(("[a-z~/]{1,4}(_url)?", inner), 0..12)
                    .prop_map(|fields| fields.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_answer_fits_and_every_cut_is_said(value in values()) {
            let mut bounded = value.clone();
            let warning = bound(&mut bounded);
            prop_assert_eq!(warning.is_none(), bounded == value);
            // A single text is cut before.
            let is_text = bounded.is_string();
            prop_assert!(size(&bounded) <= MOST_BYTES || is_text, "{}", size(&bounded));
        }
    }
}
