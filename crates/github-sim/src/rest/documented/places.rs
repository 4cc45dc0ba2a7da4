//! Where an example says what it belongs to: repositories, accounts and numbers in its texts and addresses.

use serde_json::{Map, Value};

use super::template::{PathValues, TemplateSegment};

const API: &str = "https://api.github.com/";
const WEB: &str = "https://github.com/";

/// A repository as it is written in texts: `owner/name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RepositoryName {
    pub(super) owner: String,
    pub(super) name: String,
}

impl RepositoryName {
    pub(super) fn new(owner: &str, name: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
        }
    }

    pub(super) fn full(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    fn parse(full: &str) -> Option<Self> {
        let (owner, name) = full.split_once('/')?;
        let valid = !owner.is_empty() && !name.is_empty() && !name.contains(['/', ' ', '{']);
        valid.then(|| Self::new(owner, name))
    }

    /// Returns the repository that an example is about: its own name, or the first one in an address.
    pub(super) fn of_example(example: &Value) -> Option<Self> {
        if let Some(own) = example.get("full_name").and_then(Value::as_str) {
            return Self::parse(own);
        }
        let mut found = None;
        visit_texts(example, &mut |text| {
            if found.is_none() {
                found = text.strip_prefix(API).and_then(|path| {
                    let mut steps = path.strip_prefix("repos/")?.split(['/', '{', '?']);
                    Self::parse(&format!("{}/{}", steps.next()?, steps.next()?))
                });
            }
        });
        found
    }
}

/// Writes `new` in place of the repository `old`, in all texts and in the objects that describe it.
pub(super) fn rename_repository(value: &mut Value, old: &RepositoryName, new: &RepositoryName) {
    if old == new {
        return;
    }
    let (old_full, new_full) = (old.full(), new.full());
    rename_objects(value, old, new);
    change_texts(value, &mut |text| {
        text.contains(&old_full)
            .then(|| replace_bounded(text, &old_full, &new_full))
    });
}

/// Changes the name and the owner of the objects that describe the repository `old`.
fn rename_objects(value: &mut Value, old: &RepositoryName, new: &RepositoryName) {
    match value {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| rename_objects(item, old, new)),
        Value::Object(fields) => {
            if fields.get("full_name").and_then(Value::as_str) == Some(&old.full()) {
                set_text(fields, "name", &old.name, &new.name);
                if let Some(Value::Object(owner)) = fields.get_mut("owner") {
                    rename_account(owner, &old.owner, &new.owner);
                }
            }
            fields
                .values_mut()
                .for_each(|field| rename_objects(field, old, new));
        }
        _ => {}
    }
}

/// Changes the login of an account object, and the addresses with it.
pub(super) fn rename_account(account: &mut Map<String, Value>, old: &str, new: &str) {
    if account.get("login").and_then(Value::as_str) == Some(old) {
        account.insert("login".to_owned(), Value::from(new));
        change_addresses(account, old, new);
    }
}

/// Replaces a path segment in the addresses that are fields of this object; the objects in it are left alone.
pub(super) fn change_addresses(fields: &mut Map<String, Value>, old: &str, new: &str) {
    for value in fields.values_mut() {
        if let Value::String(text) = value
            && text.starts_with("http")
        {
            *text = replace_segment(text, old, new);
        }
    }
}

/// Rewrites addresses along a path template: where an address continues like the template, it gets the values of the
/// request. Returns which values were there before, with their parameters.
///
/// `is_whole` says that `value` is the whole answer. Below it, an object whose own `url` is a beginning of the template
/// is one of many of that kind, such as a follower in `/users/{username}/followers`, and keeps its identity.
pub(super) fn follow_template(
    value: &mut Value,
    template: &[TemplateSegment],
    values: &PathValues,
    is_whole: bool,
    replaced: &mut Vec<(String, String)>,
) {
    match value {
        Value::Array(items) => {
            for item in items {
                follow_template(item, template, values, false, replaced);
            }
        }
        Value::Object(fields) => {
            let own = fields.get("url").and_then(Value::as_str);
            let identity = own
                .filter(|_| !is_whole)
                .and_then(|url| identity_in(url, template));
            for field in fields.values_mut() {
                if let Value::String(text) = field {
                    let changed = follow_address(text, template, values, identity, replaced);
                    if let Some(changed) = changed {
                        *text = changed;
                    }
                } else {
                    follow_template(field, template, values, false, replaced);
                }
            }
        }
        _ => {}
    }
}

/// Returns the index of the parameter that ends an address, if the address is a beginning of the template.
fn identity_in(url: &str, template: &[TemplateSegment]) -> Option<usize> {
    let steps: Vec<&str> = url.strip_prefix(API)?.split('/').collect();
    let last = steps.len().checked_sub(1)?;
    let is_beginning = steps
        .iter()
        .zip(template)
        .all(|(step, segment)| match segment {
            TemplateSegment::Text(text) => text == step,
            TemplateSegment::Param { .. } => true,
            TemplateSegment::Pair { .. } => false,
        });
    let ends_with_param = matches!(template.get(last), Some(TemplateSegment::Param { .. }));
    (is_beginning && ends_with_param).then_some(last)
}

fn follow_address(
    text: &str,
    template: &[TemplateSegment],
    values: &PathValues,
    identity: Option<usize>,
    replaced: &mut Vec<(String, String)>,
) -> Option<String> {
    let origin = [API, WEB]
        .into_iter()
        .find(|origin| text.starts_with(*origin))?;
    let mut steps: Vec<String> = text[origin.len()..].split('/').map(str::to_owned).collect();
    for (index, (step, segment)) in steps.iter_mut().zip(template).enumerate() {
        match segment {
            TemplateSegment::Text(text) if text == step => {}
            TemplateSegment::Param { name, .. } => {
                let new = values.get(name)?;
                let (own, tail) = step.split_at(step.find(['{', '?', '#']).unwrap_or(step.len()));
                let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                if own.is_empty() || is_number(own) != is_number(new) || new.contains('/') {
                    break;
                }
                let pair = (name.clone(), own.to_owned());
                let changed = format!("{new}{tail}");
                if !replaced.contains(&pair) {
                    replaced.push(pair);
                }
                if identity == Some(index) {
                    break;
                }
                *step = changed;
            }
            TemplateSegment::Text(_) | TemplateSegment::Pair { .. } => break,
        }
    }
    Some(format!("{origin}{}", steps.join("/")))
}

/// Calls `visit` with every text in a value.
fn visit_texts(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| visit_texts(item, visit)),
        Value::Object(fields) => fields.values().for_each(|field| visit_texts(field, visit)),
        _ => {}
    }
}

/// Replaces every text for which `change` returns another.
fn change_texts(value: &mut Value, change: &mut impl FnMut(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(changed) = change(text) {
                *text = changed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| change_texts(item, change)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| change_texts(field, change)),
        _ => {}
    }
}

fn set_text(fields: &mut Map<String, Value>, name: &str, old: &str, new: &str) {
    if fields.get(name).and_then(Value::as_str) == Some(old) {
        fields.insert(name.to_owned(), Value::from(new));
    }
}

/// Replaces `old` where it is not a part of a longer name.
fn replace_bounded(text: &str, old: &str, new: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(old) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        let is_part = before.ends_with(is_name) || after.starts_with(is_name);
        changed.push_str(before);
        changed.push_str(if is_part { old } else { new });
        rest = after;
    }
    changed.push_str(rest);
    changed
}

/// Replaces the path segments of an address that are `old`, also with an ending such as `.diff` or `#comment`.
fn replace_segment(address: &str, old: &str, new: &str) -> String {
    if old.contains('/') {
        return replace_bounded(address, old, new);
    }
    let mut place = 0;
    let steps = address.split('/').map(|step| {
        place += 1;
        let end = step.find(['.', '#', '?', '{']).unwrap_or(step.len());
        // The scheme and the host come first.
        if place > 3 && step == old {
            new.to_owned()
        } else if place > 3 && &step[..end] == old {
            format!("{new}{}", &step[end..])
        } else {
            step.to_owned()
        }
    });
    steps.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_inside_longer_names_stay() {
        assert_eq!(
            replace_bounded("a/b a/b-c xa/b a/b.git", "a/b", "x/y"),
            "x/y a/b-c xa/b x/y.git"
        );
        assert_eq!(
            replace_segment("https://github.com/o/r/pull/13.diff", "13", "7"),
            "https://github.com/o/r/pull/7.diff"
        );
    }
}
