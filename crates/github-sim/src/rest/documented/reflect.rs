//! Adapts an example to a request: the values of the path and of the body take the place of the example's own.

use serde_json::{Map, Value};

use super::places::{
    RepositoryName, change_addresses, follow_template, rename_account, rename_repository,
};
use super::template::{MatchedOperation, PathTemplate, TemplateSegment};
use crate::rest::request::RestRequest;

/// Writes the values of the request into the example of its operation.
pub(super) fn reflect(example: &mut Value, matched: &MatchedOperation, request: &RestRequest<'_>) {
    let template = PathTemplate::parse(&matched.operation.path, &matched.operation.params);
    let is_new_repository = reflect_repository(example, matched, request);
    let mut replaced = Vec::new();
    // A fork is not the repository in the path.
    if !is_new_repository {
        let (segments, values) = (template.segments(), &matched.values);
        follow_template(example, segments, values, true, &mut replaced);
    }
    for (param, old) in replaced {
        if let Some(new) = matched.values.get(&param)
            && matches!(param.as_str(), "org" | "username" | "owner")
        {
            rename_accounts(example, &param, &old, new);
        }
    }
    reflect_path(example, matched, template.segments());
    if let Value::Object(fields) = example {
        reflect_body(fields, request.body);
    }
}

/// Gives the example the repository of the path, or of a creation: the sent name under the owner of the path.
/// Returns whether it is a creation.
fn reflect_repository(
    example: &mut Value,
    matched: &MatchedOperation,
    request: &RestRequest<'_>,
) -> bool {
    let Some(old) = RepositoryName::of_example(example) else {
        return false;
    };
    let value = |name: &str| matched.values.get(name).map(String::as_str);
    let sent = |name: &str| request.body.get(name).and_then(Value::as_str);
    let is_new = request.method == http::Method::POST && example.get("full_name").is_some();
    let new = if is_new {
        let owner = sent("organization")
            .or_else(|| sent("owner"))
            .or(value("org"));
        RepositoryName::new(
            owner.unwrap_or(&request.viewer.login),
            sent("name").or(value("repo")).unwrap_or(&old.name),
        )
    } else {
        let (Some(owner), Some(name)) = (value("owner"), value("repo")) else {
            return false;
        };
        RepositoryName::new(owner, name)
    };
    rename_repository(example, &old, &new);
    is_new
}

/// Renames the account of the path where the example names it as owner, organisation or user.
fn rename_accounts(value: &mut Value, param: &str, old: &str, new: &str) {
    let roles: &[&str] = match param {
        "username" => &["owner", "user", "actor", "account", "organization"],
        _ => &["owner", "organization", "account"],
    };
    match value {
        Value::Array(items) => {
            for item in items {
                rename_accounts(item, param, old, new);
            }
        }
        Value::Object(fields) => {
            for role in roles {
                if let Some(Value::Object(account)) = fields.get_mut(*role) {
                    rename_account(account, old, new);
                }
            }
        }
        _ => {}
    }
}

/// Writes the values of the path into the fields of the same meaning.
fn reflect_path(example: &mut Value, matched: &MatchedOperation, template: &[TemplateSegment]) {
    let own = match template.last() {
        Some(TemplateSegment::Param { name, .. }) => Some(name.as_str()),
        _ => None,
    };
    match example {
        Value::Array(rows) => {
            for row in rows {
                reflect_fields(row, matched, None);
            }
        }
        Value::Object(fields) => {
            if let Some(Value::Array(rows)) = matched
                .operation
                .rows
                .as_ref()
                .and_then(|rows| fields.get_mut(rows))
            {
                for row in rows {
                    reflect_fields(row, matched, None);
                }
            }
            if let (Some(path), Some(Value::Object(file))) =
                (matched.values.get("path"), fields.get_mut("content"))
            {
                set_like(file, "path", path);
                set_like(file, "name", path.rsplit('/').next().unwrap_or(path));
            }
            reflect_fields(example, matched, own);
        }
        _ => {}
    }
}

/// Sets the fields with the names of parameters. `own` is the parameter that identifies the object itself.
fn reflect_fields(object: &mut Value, matched: &MatchedOperation, own: Option<&str>) {
    let Value::Object(fields) = object else {
        return;
    };
    for (param, value) in &matched.values {
        if own == Some(param) {
            for name in names_of(param) {
                if set_like(fields, name, value) {
                    break;
                }
            }
        } else if !matches!(param.as_str(), "owner" | "repo" | "name" | "path" | "ref") {
            set_like(fields, param, value);
        }
    }
}

/// Returns the fields that an object may have for the parameter that identifies it, the likeliest first.
fn names_of(param: &str) -> Vec<&str> {
    let mut names = vec![param];
    for ending in ["number", "id", "name", "slug", "sha", "login"] {
        let is_ending = param
            .strip_suffix(ending)
            .is_some_and(|rest| rest.ends_with('_'));
        if is_ending {
            names.push(ending);
        }
    }
    names.extend(match param {
        "username" | "org" => &["login"][..],
        "ref" => &["sha"],
        "branch" => &["name"],
        "tag" => &["tag_name"],
        "enterprise" => &["slug"],
        _ => &[],
    });
    names
}

/// Sets a field to the value of a parameter, in the type that the example has there. Returns whether it did.
fn set_like(fields: &mut Map<String, Value>, name: &str, value: &str) -> bool {
    let Some(field) = fields.get_mut(name) else {
        return false;
    };
    let (old, new) = match field {
        Value::Number(old) => match value.parse::<u64>() {
            Ok(number) => (old.to_string(), Value::from(number)),
            Err(_) => return false,
        },
        Value::String(old) if old.starts_with("refs/") && !value.starts_with("refs/") => {
            (old.clone(), Value::from(format!("refs/{value}")))
        }
        Value::String(old) => (old.clone(), Value::from(value)),
        _ => return false,
    };
    let written = text_of(&new).unwrap_or_default();
    *field = new;
    if !old.is_empty() {
        change_addresses(fields, &old, &written);
    }
    true
}

/// Writes the sent fields that the answer has too, in the answer's shape.
fn reflect_body(fields: &mut Map<String, Value>, body: &Value) {
    let Value::Object(sent) = body else {
        return;
    };
    // GitHub makes the slug from the name.
    if let Some(name) = sent.get("name").and_then(Value::as_str)
        && !sent.contains_key("slug")
    {
        let slug = name
            .to_lowercase()
            .replace(|c: char| !c.is_alphanumeric(), "-");
        set_like(fields, "slug", &slug);
    }
    for (name, value) in sent {
        // The text of a file is not the object that describes the file.
        if name == "content" {
            continue;
        }
        let Some(field) = fields.get_mut(name) else {
            continue;
        };
        let old = field.clone();
        if let Some(new) = reflected(&old, value) {
            *field = new;
            if let (Value::String(old), Value::String(new)) = (&old, value)
                && matches!(name.as_str(), "name" | "tag_name" | "slug")
                && !old.is_empty()
            {
                change_addresses(fields, old, new);
            }
        }
    }
}

/// Returns the sent value in the shape of the example's; `None` if the two have nothing in common.
fn reflected(example: &Value, sent: &Value) -> Option<Value> {
    match (example, sent) {
        (Value::Object(example), Value::Object(sent)) => {
            let mut merged = example.clone();
            for (name, value) in sent {
                if let Some(new) = merged.get(name).and_then(|old| reflected(old, value)) {
                    merged.insert(name.clone(), new);
                }
            }
            Some(Value::Object(merged))
        }
        (Value::Array(rows), Value::Array(sent)) => match rows.first() {
            Some(Value::Object(row)) => sent
                .iter()
                .map(|value| reflected(&Value::Object(row.clone()), value))
                .collect(),
            _ => Some(Value::Array(sent.clone())),
        },
        // A name or number stands for the whole object: the assignee, the milestone.
        (Value::Object(example), Value::String(_) | Value::Number(_)) => {
            let names = match sent {
                Value::String(_) => ["login", "name", "slug", "ref"],
                _ => ["number", "id", "number", "id"],
            };
            let name = names.into_iter().find(|name| {
                let field = example.get(*name);
                field.is_some_and(|field| field.is_string() == sent.is_string())
            })?;
            let mut named = example.clone();
            if let (Some(old), Some(new)) = (text_of(&named[name]), text_of(sent)) {
                change_addresses(&mut named, &old, &new);
            }
            named.insert(name.to_owned(), sent.clone());
            Some(Value::Object(named))
        }
        (Value::Null, _) | (_, Value::Null) => Some(sent.clone()),
        (Value::Bool(_), Value::Bool(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_)) => Some(sent.clone()),
        _ => None,
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
