//! Descriptions of operations: what the description of the API says in short, or else the request.

use super::words::words_of;
use crate::description::Operation;
use crate::rules::Rules;
use crate::wording::{plain, short_sentence, with_verb};

/// How many characters a description has at most.
const MAX_LENGTH: usize = 100;

/// Returns one short sentence about an operation.
pub(super) fn description_of(operation: &Operation, rules: &Rules) -> String {
    let (description, summary) = (&operation.description, &operation.summary);
    let worded = short_sentence(description, summary, |text| with_verb(text, rules.words()));
    worded
        .or_else(|| cut(&plain(summary)))
        .or_else(|| cut(&plain(description)))
        .unwrap_or_else(|| by_request(operation))
}

/// Returns the beginning of a text as a sentence.
fn cut(text: &str) -> Option<String> {
    let text = text.split(". ").next().unwrap_or_default();
    let text = text.trim_end_matches(['.', ':', ',', ';', ' ']);
    if text.is_empty() {
        return None;
    }
    if text.chars().count() < MAX_LENGTH {
        return Some(format!("{text}."));
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if short.chars().count() + word.chars().count() + 2 > MAX_LENGTH {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    (!short.is_empty()).then(|| format!("{short} …"))
}

/// Describes an operation by its method and the words of its path.
fn by_request(operation: &Operation) -> String {
    let parts = operation.path.split('/').filter(|part| !part.contains('{'));
    let words: Vec<String> = parts.flat_map(words_of).collect();
    let text = format!("{} {}.", operation.method.name(), words.join(" "));
    text.chars().take(MAX_LENGTH).collect()
}
