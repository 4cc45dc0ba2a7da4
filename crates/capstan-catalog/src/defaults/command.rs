//! Derives the arguments of a `gh` command from the names of the inputs.

use serde_json::{Map, Value, json};

/// Returns arguments in the order in which `gh` takes them: required inputs in their order, then
/// the repository, then an option for every other input. `gh repo …` takes the repository as its
/// first argument.
pub(super) fn arguments(command: &str, input_schema: &Value) -> Vec<Value> {
    let none = Map::new();
    let properties = input_schema.get("properties").and_then(Value::as_object);
    let properties = properties.unwrap_or(&none);
    let required = input_schema.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let has_repository = ["owner", "repo"]
        .iter()
        .all(|name| properties.contains_key(*name));
    let is_repository = |name: &str| has_repository && ["owner", "repo"].contains(&name);

    let positional = required.iter().filter(|name| !is_repository(name));
    let mut args: Vec<Value> = positional
        .map(|name| json!(format!("{{{name}}}")))
        .collect();
    if has_repository {
        match command.split_whitespace().next() {
            Some("repo") => args.insert(0, json!("{owner}/{repo}")),
            _ => args.push(json!("--repo={owner}/{repo}")),
        }
    }
    let optional = properties
        .iter()
        .filter(|(name, _)| !required.contains(&name.as_str()) && !is_repository(name));
    args.extend(optional.filter_map(|(name, schema)| option(name, schema)));
    args
}

fn option(name: &str, schema: &Value) -> Option<Value> {
    let flag = match name {
        "first" => "limit".to_owned(),
        // `gh` cannot start after a cursor. The router keeps such calls off this route.
        "after" => return None,
        name => name.replace('_', "-"),
    };
    Some(match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => json!({"when": name, "arg": format!("--{flag}")}),
        Some("array") => json!({"each": name, "arg": format!("--{flag}={{$item}}")}),
        _ => json!(format!("--{flag}={{{name}}}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_names_of_inputs() {
        let schema = json!({
            "required": ["owner", "repo", "issue_number"],
            "properties": {
                "owner": {"type": "string"}, "repo": {"type": "string"},
                "issue_number": {"type": "integer"},
                "first": {"type": "integer"}, "after": {"type": "string"},
                "draft": {"type": "boolean"}, "labels": {"type": "array"},
                "search_text": {"type": "string"},
            },
        });
        assert_eq!(
            json!(arguments("issue view", &schema)),
            json!([
                "{issue_number}",
                "--repo={owner}/{repo}",
                "--limit={first}",
                {"when": "draft", "arg": "--draft"},
                {"each": "labels", "arg": "--labels={$item}"},
                "--search-text={search_text}",
            ])
        );
        assert_eq!(arguments("repo view", &schema)[0], "{owner}/{repo}");
        assert!(arguments("gist list", &json!({"type": "object"})).is_empty());
    }
}
