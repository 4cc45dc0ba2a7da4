//! Inputs that take a name as well as an id: which rule applies to them.

use capstan_catalog::outline::{Audience, Outline};
use serde_json::{Value, json};

use crate::rules::{NameRule, Rules};

/// Adds to an outline how the ids of its inputs are found from names.
pub(super) fn add_names(outline: &mut Outline, rules: &Rules) {
    // The tokens of apps themselves read nothing that people name.
    if matches!(outline.audience, Some(Audience::App | Audience::OauthApp)) {
        return;
    }
    let inputs: Vec<String> = outline.input.keys().cloned().collect();
    for marked in inputs {
        let name = marked.strip_suffix('?').unwrap_or(&marked);
        let Some(rule) = rules.names.iter().find(|rule| applies(rule, name, outline)) else {
            continue;
        };
        let Some(ids) = outline.input.get(&marked).and_then(only_ids) else {
            continue;
        };
        outline.names.insert(name.to_owned(), rule.find.clone());
        outline.input.insert(marked, ids);
    }
}

/// Returns whether a rule is about an input of this outline, and its path has no other blanks than the outline's inputs.
fn applies(rule: &NameRule, name: &str, outline: &Outline) -> bool {
    let path = outline.call.split_once(' ').map_or("", |(_, path)| path);
    rule.inputs.iter().any(|known| known == name)
        && rule
            .below
            .as_deref()
            .is_none_or(|below| path.starts_with(below))
        && blanks(&rule.find.path)
            .all(|blank| blank.contains("$item") || path.contains(&format!("{{{blank}}}")))
}

/// Returns the blanks of a path.
fn blanks(path: &str) -> impl Iterator<Item = &str> {
    let parts = path.split('{').skip(1);
    parts.filter_map(|part| part.split_once('}').map(|(blank, _)| blank))
}

/// Returns the notation of an input that takes ids without other texts; `None` if it takes no integers.
fn only_ids(notation: &Value) -> Option<Value> {
    match notation {
        Value::String(words) => {
            let words: Vec<&str> = words.split('|').collect();
            let is_known = |word: &&str| matches!(*word, "integer" | "string" | "null");
            let is_id = words.contains(&"integer") && words.iter().all(is_known);
            let null = words.contains(&"null");
            is_id.then(|| json!(if null { "integer|null" } else { "integer" }))
        }
        Value::Array(items) => match items.as_slice() {
            [item] => only_ids(item).map(|item| json!([item])),
            _ => None,
        },
        _ => None,
    }
}
