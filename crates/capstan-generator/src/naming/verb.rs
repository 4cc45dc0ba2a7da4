//! The verb of an id: what the answer is like, or the first word of the operation.

use crate::build::AnswerShape;
use crate::description::{Method, Operation};
use crate::rules::{Rules, lookup};

pub(super) fn verb_of(operation: &Operation, rules: &Rules) -> String {
    let name = operation.id.rsplit('/').next().unwrap_or_default();
    let words: Vec<&str> = name.split('-').collect();
    let first = words.first().copied().unwrap_or_default();
    if operation.method == Method::Get {
        return match AnswerShape::of(operation) {
            AnswerShape::List { .. } => "list",
            AnswerShape::YesOrNo => "check",
            AnswerShape::Redirect => "download",
            AnswerShape::Text
            | AnswerShape::Nothing
            | AnswerShape::Object(_)
            | AnswerShape::Any => "view",
        }
        .to_owned();
    }
    if lookup(&rules.reads, &operation.id).is_some() && first == "list" {
        return "list".to_owned();
    }
    let mut others = rules.other_actions.iter();
    if let Some((_, verb)) = others.find(|(start, _)| starts_with_words(name, start)) {
        return verb.clone();
    }
    let verb = match words.as_slice() {
        ["create" | "add", "or", "update", ..] => "set",
        ["remove", "all", ..] => "clear",
        _ if rules.actions.iter().any(|action| action == first) => first,
        _ => match operation.method {
            Method::Get | Method::Post => "create",
            Method::Put => "set",
            Method::Patch => "update",
            Method::Delete => "delete",
        },
    };
    verb.to_owned()
}

fn starts_with_words(name: &str, start: &str) -> bool {
    let rest = name.strip_prefix(start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
