//! Keeps the chosen fields of a value: `name`, `owner.login`. Lists are passed through: a path applies to each item.

use serde_json::{Map, Value};

/// Returns the value with only these paths. Objects without any of them become empty.
pub(crate) fn project(value: Value, paths: &[String]) -> Value {
    let paths: Vec<Vec<&str>> = paths.iter().map(|path| path.split('.').collect()).collect();
    let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
    kept(value, &paths)
}

fn kept(value: Value, paths: &[&[&str]]) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| kept(item, paths)).collect(),
        Value::Object(mut fields) => {
            let mut chosen = Map::new();
            for (index, path) in paths.iter().enumerate() {
                let Some((name, _)) = path.split_first() else {
                    continue;
                };
                let is_done = paths[..index].iter().any(|it| it.first() == Some(name));
                let Some(field) = fields.get_mut(*name).filter(|_| !is_done) else {
                    continue;
                };
                let below = paths.iter().filter(|it| it.first() == Some(name));
                let below: Vec<_> = below.map(|path| &path[1..]).collect();
                let field = field.take();
                let is_whole = below.iter().any(|rest| rest.is_empty());
                let field = if is_whole { field } else { kept(field, &below) };
                chosen.insert((*name).to_owned(), field);
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
            (vec!["nothing"], json!({})),
        ] {
            let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
            assert_eq!(project(value.clone(), &paths), expected, "{paths:?}");
        }
    }
}
