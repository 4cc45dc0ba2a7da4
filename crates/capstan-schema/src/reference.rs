//! Resolves `$ref` within a document, by path or by anchor.

use std::borrow::Cow;

use serde_json::Value;

use crate::budget::Budget;
use crate::schema::{Schema, has_id};

/// Returns the target of a reference; `None` if it is not in this document.
pub(crate) fn resolve<'a>(
    from: Schema<'a>,
    reference: &str,
    budget: &Budget,
) -> Option<Schema<'a>> {
    let fragment = match reference.split_once('#') {
        Some(("", fragment)) => fragment,
        Some((id, fragment)) if is_id(from.root, id) => fragment,
        None if is_id(from.root, reference) => "",
        _ => return None,
    };
    let root = Schema {
        root: from.root,
        node: from.root,
    };
    let fragment = percent_decoded(fragment)?;
    if fragment.is_empty() {
        Some(root)
    } else if let Some(path) = fragment.strip_prefix('/') {
        by_path(root, path, budget)
    } else {
        by_anchor(root, &fragment, budget)
    }
}

/// Whether something in a node may have another meaning in another document.
pub(crate) fn has_references(node: &Value, budget: &Budget) -> bool {
    let below = |node| {
        let found = budget.deeper(|| has_references(node, budget));
        found.unwrap_or(true)
    };
    match node {
        Value::Object(parts) => parts
            .iter()
            .any(|(name, part)| matches!(name.as_str(), "$ref" | "$dynamicRef") || below(part)),
        Value::Array(parts) => parts.iter().any(below),
        _ => false,
    }
}

/// Keywords whose values are data and contain no schemas.
const DATA: [&str; 4] = ["enum", "const", "default", "examples"];

fn is_id(root: &Value, id: &str) -> bool {
    root.get("$id")
        .and_then(Value::as_str)
        .is_some_and(|own| own.strip_suffix('#').unwrap_or(own) == id)
}

fn by_path<'a>(root: Schema<'a>, path: &str, budget: &Budget) -> Option<Schema<'a>> {
    let mut at = root;
    for step in path.split('/') {
        if !budget.spend(1) {
            return None;
        }
        let name = step.replace("~1", "/").replace("~0", "~");
        let next = match at.node {
            Value::Object(parts) => parts.get(&name)?,
            Value::Array(parts) => parts.get(name.parse::<usize>().ok()?)?,
            _ => return None,
        };
        at = at.child(next);
    }
    Some(at)
}

fn by_anchor<'a>(at: Schema<'a>, anchor: &str, budget: &Budget) -> Option<Schema<'a>> {
    let is_named = |keyword| at.node.get(keyword).and_then(Value::as_str) == Some(anchor);
    if is_named("$anchor") || is_named("$dynamicAnchor") {
        return Some(at);
    }
    // A schema with its own id has its own anchors.
    let below = |node: &'a Value| {
        if has_id(node) {
            return None;
        }
        budget.deeper(|| by_anchor(at.child(node), anchor, budget))?
    };
    match at.node {
        Value::Object(parts) => parts
            .iter()
            .filter(|(keyword, _)| !DATA.contains(&keyword.as_str()))
            .find_map(|(_, node)| below(node)),
        Value::Array(parts) => parts.iter().find_map(below),
        _ => None,
    }
}

fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
