//! The description of a root field: one short sentence.

use capstan_catalog::outline::snake_case;

use super::operation::RootField;
use super::rules::GraphqlRules;
use crate::problem::Problem;
use crate::rules::lookup;
use crate::wording::{short_sentence, with_verb};

pub(super) fn description_of(root: RootField<'_>, rules: &GraphqlRules) -> Result<String, Problem> {
    if let Some(text) = lookup(&rules.descriptions, root.name()) {
        return Ok(text.clone());
    }
    let words = rules.words();
    let is_unread = words.verbs.is_empty();
    let worded = |text: &str| {
        if is_unread {
            (!text.is_empty()).then(|| text.to_owned())
        } else {
            with_verb(text, words)
        }
    };
    let said = short_sentence(root.description(), "", worded);
    match said {
        Some(text) => Ok(text),
        // The name says something too.
        None if is_unread => Ok(named(root)),
        None => Err(Problem::new(
            root.name(),
            "it has no short sentence that starts with a verb: add one to `descriptions` in the rules",
        )),
    }
}

fn named(root: RootField<'_>) -> String {
    let words = snake_case(root.name()).replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
