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
    let worded = |text: &str| with_verb(text, rules.words());
    short_sentence(&operation.description, &operation.summary, worded).ok_or_else(|| {
        let message = format!(
            "`{}` has no short sentence that starts with a verb: add one to `descriptions` in the rules",
            operation.id
        );
        Problem::new(operation.pointer.clone(), message)
    })
}

/// Returns the first sentence of a description, or the part of it or the summary that is short enough. `worded` changes
/// its words, or tells that it cannot be used.
pub(crate) fn short_sentence(
    description: &str,
    summary: &str,
    worded: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let sentence = first_sentence(description);
    let essential = without_parentheses(&sentence);
    let summary = plain(summary);
    let candidates = [
        sentence.as_str(),
        essential.as_str(),
        clause(&essential),
        summary.as_str(),
        before_comma(&essential),
    ];
    let mut worded = candidates.into_iter().filter_map(worded);
    let short = worded.find(|text| text.chars().count() < MAX_LENGTH);
    short.map(|text| finished(&text))
}

/// Returns a sentence without what stands in parentheses.
fn without_parentheses(sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, inside)) = rest.split_once(" (") {
        let Some((_, after)) = inside.split_once(')') else {
            break;
        };
        text.push_str(before);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Returns a sentence without a clause that only adds to it.
fn clause(sentence: &str) -> &str {
    let ends = [
        "; ",
        ": ",
        " - ",
        ", which ",
        ", including ",
        ", and ",
        " and return",
    ];
    cut(sentence, &ends)
}

fn before_comma(sentence: &str) -> &str {
    cut(sentence, &[", "])
}

fn cut<'a>(sentence: &'a str, ends: &[&str]) -> &'a str {
    let places = ends.iter().filter_map(|end| sentence.find(end));
    places.min().map_or(sentence, |end| &sentence[..end])
}

fn finished(text: &str) -> String {
    let text = text.trim_end_matches(['.', ':', ',', ';', ' ']);
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), rest.as_str())
}
