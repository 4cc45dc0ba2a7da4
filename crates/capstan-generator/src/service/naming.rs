//! Ids of the operations of a service: `NAME.<nouns>.<verb>`. No two operations have the same.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::{CapabilityId, ServiceName};

use super::answer::shape_of;
use super::words::{id_part, words_of};
use crate::build::AnswerShape;
use crate::description::{Method, Operation};
use crate::rules::Rules;

/// The beginnings of paths that say nothing, beside versions.
const EMPTY_WORDS: [&str; 3] = ["api", "rest", "index"];

/// Actions that only read. Other words at the end of the path of a read are nouns.
const READ_ACTIONS: [&str; 4] = ["search", "download", "export", "preview"];

/// Returns the id of each operation, in their order. `None` if no id can be made.
pub(super) fn ids_of(
    operations: &[&Operation],
    service: &ServiceName,
    rules: &Rules,
) -> Vec<Option<String>> {
    let shared = shared_start(operations);
    let plain: Vec<_> = operations
        .iter()
        .map(|operation| plain_id(operation, service, shared, rules))
        .collect();
    // The operation with the shortest path keeps the id; a tie is decided by the path itself.
    let mut order: Vec<usize> = (0..operations.len()).collect();
    order.sort_by_key(|at| {
        let operation = operations[*at];
        (
            operation.path.len(),
            operation.path.clone(),
            operation.method.name(),
        )
    });
    let mut taken = BTreeSet::new();
    let mut ids: BTreeMap<usize, String> = BTreeMap::new();
    for at in order {
        let candidates = candidates(&plain[at], operations[at]);
        let is_usable = |id: &String| CapabilityId::parse(id).is_ok() && !taken.contains(id);
        if let Some(id) = candidates.into_iter().find(is_usable) {
            taken.insert(id.clone());
            ids.insert(at, id);
        }
    }
    (0..operations.len()).map(|at| ids.remove(&at)).collect()
}

/// Returns the ids that an operation could have, the best first.
fn candidates(plain: &str, operation: &Operation) -> Vec<String> {
    let mut all = vec![plain.to_owned()];
    let parameters = operation.path.split('{').skip(1);
    let last = parameters.filter_map(|rest| rest.split('}').next()).last();
    all.extend(
        last.and_then(id_part)
            .map(|last| format!("{plain}_by_{last}")),
    );
    let named = words_of(&operation.id).join("_");
    if !named.is_empty() {
        all.push(format!("{plain}_{named}"));
    }
    all.extend((2..1000).map(|number| format!("{plain}_{number}")));
    // Long paths have long ids: the first and the last nouns tell most.
    let shorter = shortened(plain);
    all.push(shorter.clone());
    all.extend((2..1000).map(|number| format!("{shorter}_{number}")));
    all
}

/// Returns an id with fewer nouns.
fn shortened(id: &str) -> String {
    let parts: Vec<&str> = id.split('.').collect();
    let mut kept: Vec<&str> = parts.clone();
    while kept.len() > 3 && kept.join(".").len() > CapabilityId::MAX_LENGTH - 5 {
        kept.remove(kept.len() / 2);
    }
    kept.join(".")
}

/// Returns how many parts at the start of all paths are the same and therefore say nothing.
fn shared_start(operations: &[&Operation]) -> usize {
    let mut paths = operations.iter().map(|operation| parts(&operation.path));
    let Some(first) = paths.next() else {
        return 0;
    };
    let mut shared = first.len().saturating_sub(1);
    for path in paths {
        let same = first
            .iter()
            .zip(&path)
            .take_while(|(left, right)| left == right);
        // The last part of a path always says something.
        shared = shared.min(same.count()).min(path.len().saturating_sub(1));
    }
    let blank = first.iter().position(|part| part.contains('{'));
    shared.min(blank.unwrap_or(shared))
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

fn plain_id(operation: &Operation, service: &ServiceName, shared: usize, rules: &Rules) -> String {
    let all = parts(&operation.path);
    let rest = all.get(shared..).unwrap_or_default();
    let mut nouns: Vec<String> = Vec::new();
    for part in rest {
        let text = outside_blanks(part);
        let is_empty_word = nouns.is_empty() && says_nothing(&text);
        if let Some(noun) = id_part(&text).filter(|_| !is_empty_word) {
            nouns.push(noun);
        }
    }
    let ends_with_noun = !operation.path.trim_end_matches('/').ends_with('}');
    let verb = verb_of(operation, &mut nouns, ends_with_noun, rules);
    let mut id = service.to_string();
    for part in nouns.iter().chain([&verb]) {
        id.push('.');
        id.push_str(part);
    }
    id
}

/// Returns a part of a path without its blanks.
fn outside_blanks(part: &str) -> String {
    let mut text = String::new();
    let mut rest = part;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        text.push(' ');
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.trim_end_matches(".json").to_owned()
}

/// Returns whether a part is a version or another word that all APIs have.
fn says_nothing(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    let version = lower.strip_prefix('v').unwrap_or_default();
    let is_version = version.starts_with(|c: char| c.is_ascii_digit())
        && version.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_version || EMPTY_WORDS.contains(&lower.as_str())
}

/// Returns what is done. An action at the end of the path is the verb and no noun.
fn verb_of(
    operation: &Operation,
    nouns: &mut Vec<String>,
    ends_with_noun: bool,
    rules: &Rules,
) -> String {
    let is_action = |word: &str| rules.actions.iter().any(|action| action == word);
    let is_read = operation.method == Method::Get;
    let by_path = |nouns: &mut Vec<String>| {
        let has_action = ends_with_noun && nouns.len() > 1;
        let last = nouns
            .last()
            .filter(|last| has_action && is_action(last))?
            .clone();
        nouns.pop();
        Some(last)
    };
    if is_read {
        let is_asked = nouns
            .last()
            .is_some_and(|last| READ_ACTIONS.contains(&last.as_str()));
        if let Some(verb) = is_asked.then(|| by_path(nouns)).flatten() {
            return verb;
        }
        return match shape_of(operation) {
            Ok(AnswerShape::List { .. }) => "list",
            Ok(AnswerShape::YesOrNo) => "check",
            _ => "view",
        }
        .to_owned();
    }
    if let Some(verb) = by_path(nouns) {
        // `DELETE …/lock` undoes what `PUT …/lock` does.
        let undone = format!("un{verb}");
        let is_undone = operation.method == Method::Delete && is_action(&undone);
        return if is_undone { undone } else { verb };
    }
    let words = words_of(&operation.id);
    let named = words.first().filter(|word| is_action(word));
    match (named, operation.method) {
        (Some(named), _) => named.clone(),
        (None, Method::Post) if ends_with_noun => "create".to_owned(),
        (None, Method::Put) if ends_with_noun => "set".to_owned(),
        (None, Method::Delete) => "delete".to_owned(),
        (None, _) => "update".to_owned(),
    }
}
