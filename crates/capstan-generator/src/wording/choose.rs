//! Chooses the words: the first sentence that starts with a verb and is short, or the summary.

use super::plain::{first_sentence, plain};
use super::verb::with_verb;
use crate::description::Operation;
use crate::problem::Problem;
use crate::rules::{Rules, lookup};

/// How many characters a description has at most.
const MAX_LENGTH: usize = 100;

/// Returns the description of an operation.
pub(crate) fn description_of(operation: &Operation, rules: &Rules) -> Result<String, Problem> {
    if let Some(text) = lookup(&rules.descriptions, &operation.id) {
        return Ok(text.clone());
    }
    let sentence = first_sentence(&operation.description);
    let summary = plain(&operation.summary);
    let candidates = [sentence.as_str(), shortened(&sentence), summary.as_str()];
    let mut worded = candidates
        .into_iter()
        .filter_map(|text| with_verb(text, rules));
    let short = worded.find(|text| text.chars().count() < MAX_LENGTH);
    short.map(finished).ok_or_else(|| {
        let message = format!(
            "`{}` has no short sentence that starts with a verb: add one to `descriptions` in the rules",
            operation.id
        );
        Problem::new(operation.pointer.clone(), message)
    })
}

/// Returns a sentence without what only adds to it.
fn shortened(sentence: &str) -> &str {
    let ends = [" (", ", ", "; ", ": ", " - "];
    let places = ends.into_iter().filter_map(|end| sentence.find(end));
    places.min().map_or(sentence, |end| &sentence[..end])
}

fn finished(text: String) -> String {
    let text = text.trim_end_matches(['.', ':', ',', ';', ' ']);
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), rest.as_str())
}
