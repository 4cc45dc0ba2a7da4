//! Keeps the chosen fields of a value: `name`, `owner.login`. Lists are passed through: a path applies to each item.

use serde_json::{Map, Value};

use capstan_core::card::List;

/// Returns the value with only these paths. Objects without any of them become empty. In an object with one list, as
/// pages of rows are, a name that only the rows have is one of theirs.
pub(crate) fn project(value: Value, paths: &[String]) -> Value {
    let paths: Vec<_> = paths.iter().map(|path| path_in(&value, path)).collect();
    let paths: Vec<_> = paths.iter().map(Vec::as_slice).collect();
    kept(value, &paths)
}

/// Returns the parts of a path, from the value on.
fn path_in(value: &Value, path: &str) -> Vec<String> {
    let mut parts: Vec<_> = path.split('.').map(str::to_owned).collect();
    let list = List::of_whole_answer();
    if let Some(name) = parts.first()
        && let Some(rows) = list.rows(value)
        && let Some(field) = list.field_in(value)
        && value.get(name).is_none()
        && rows.iter().any(|row| row.get(name).is_some())
    {
        parts.insert(0, field.to_owned());
    }
    parts
}

fn kept(value: Value, paths: &[&[String]]) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| kept(item, paths)).collect(),
        Value::Object(mut fields) => {
            let mut chosen = Map::new();
            for (index, path) in paths.iter().enumerate() {
                let Some((name, _)) = path.split_first() else {
                    continue;
                };
                let is_done = paths[..index].iter().any(|it| it.first() == Some(name));
                let Some(field) = fields.get_mut(name).filter(|_| !is_done) else {
                    continue;
                };
                let below = paths.iter().filter(|it| it.first() == Some(name));
                let below: Vec<_> = below.map(|path| &path[1..]).collect();
                let field = field.take();
                let is_whole = below.iter().any(|rest| rest.is_empty());
                let field = if is_whole { field } else { kept(field, &below) };
                chosen.insert(name.clone(), field);
            }
            Value::Object(chosen)
        }
        // A path goes on, but there is nothing to go on in.
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_rows_mean_nothing_if_there_are_several_lists() {
        let value = json!({"added": [{"id": 1}], "removed": [{"id": 2}], "count": 2});
        let paths = ["id".to_owned(), "count".to_owned()];
        assert_eq!(project(value, &paths), json!({"count": 2}));
    }

    #[test]
    fn paths_go_through_objects_and_lists() {
        let value = json!({
            "total_count": 2,
            "items": [
                {"name": "a", "owner": {"login": "x", "id": 1}, "topics": ["t"]},
                {"name": "b", "owner": null},
            ],
        });
        for (paths, expected) in [
            (vec!["total_count"], json!({"total_count": 2})),
            (
                vec!["items.owner.login", "items.name"],
                json!({"items": [
                    {"owner": {"login": "x"}, "name": "a"},
                    {"owner": null, "name": "b"},
                ]}),
            ),
            (
                vec!["items.owner", "items.owner.login"],
                json!({"items": [{"owner": {"login": "x", "id": 1}}, {"owner": null}]}),
            ),
            (
                vec!["items.topics.x"],
                json!({"items": [{"topics": ["t"]}, {}]}),
            ),
            (
                vec!["name", "total_count"],
                json!({"items": [{"name": "a"}, {"name": "b"}], "total_count": 2}),
            ),
            (vec!["nothing"], json!({})),
        ] {
            let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
            assert_eq!(project(value.clone(), &paths), expected, "{paths:?}");
        }
    }
}
