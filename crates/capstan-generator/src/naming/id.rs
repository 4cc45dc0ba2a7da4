//! The id of an operation: the beginning comes from the path, the nouns from its parts, and the verb from what it
//! does.

use super::verb::verb_of;
use crate::description::Operation;
use crate::problem::Problem;
use crate::rules::{Rules, lookup};

/// Returns the id of an operation.
pub(crate) fn id_of(operation: &Operation, rules: &Rules) -> Result<String, Problem> {
    let id = match lookup(&rules.ids, &operation.id) {
        Some(id) => id.clone(),
        None => ruled_id(operation, rules)?,
    };
    if is_id(&id) {
        Ok(id)
    } else {
        let message = format!("`{id}` is not an id: add one to `ids` in the rules");
        Err(Problem::new(operation.pointer.clone(), message))
    }
}

fn ruled_id(operation: &Operation, rules: &Rules) -> Result<String, Problem> {
    let Some((prefix, rest)) = prefix_of(&operation.path, rules) else {
        let message = format!("no prefix of the rules fits the path `{}`", operation.path);
        return Err(Problem::new(operation.pointer.clone(), message));
    };
    let mut nouns: Vec<String> = rest
        .split('/')
        .filter(|part| !part.is_empty() && !part.contains('{'))
        .map(|part| noun(part, rules))
        .filter(|noun| !noun.is_empty())
        .collect();
    let verb = verb_of(operation, rules);
    let ends_with_noun = !operation.path.ends_with('}');
    let says_the_same = |noun: &String| {
        let other = rules.other_actions.get(&noun.replace('_', "-"));
        other == Some(&verb) || is_same_action(noun, &verb, operation)
    };
    if ends_with_noun && nouns.last().is_some_and(says_the_same) {
        nouns.pop();
    }
    let mut id = prefix.to_owned();
    for part in nouns.iter().chain([&verb]) {
        id.push('.');
        id.push_str(part);
    }
    Ok(id)
}

/// Returns the beginning of the id and the rest of the path.
fn prefix_of<'a>(path: &'a str, rules: &'a Rules) -> Option<(&'a str, &'a str)> {
    let fitting = rules.prefixes.iter().filter_map(|(prefix, id)| {
        let rest = path.strip_prefix(prefix.trim_end_matches('/'))?;
        let is_whole = rest.is_empty() || rest.starts_with('/');
        is_whole.then_some((prefix.len(), (id.as_str(), rest)))
    });
    let longest = fitting.max_by_key(|(length, _)| *length);
    longest.map(|(_, found)| found)
}

fn noun(part: &str, rules: &Rules) -> String {
    let noun = part.replace('-', "_");
    rules.nouns.get(&noun).cloned().unwrap_or(noun)
}

/// Returns whether the last part of a path is the action itself, as in `PUT …/lock`.
fn is_same_action(noun: &str, verb: &str, operation: &Operation) -> bool {
    if operation.method == crate::description::Method::Get {
        return false;
    }
    let undone = |prefix: &str| verb.strip_prefix(prefix).is_some_and(|rest| rest == noun);
    noun == verb
        || noun.trim_end_matches('s') == verb
        || noun
            .strip_prefix(verb)
            .is_some_and(|rest| rest == "ed" || rest == "d")
        || undone("un")
        || undone("bulk_")
}

/// Returns whether it has at least two parts of lower-case letters, digits and `_`.
pub(crate) fn is_id(id: &str) -> bool {
    let is_part = |part: &str| {
        let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        part.starts_with(|c: char| c.is_ascii_lowercase()) && part.chars().all(is_inner)
    };
    id.contains('.') && id.split('.').all(is_part)
}
