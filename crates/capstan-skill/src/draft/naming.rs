//! Chooses names for the skill, its steps and its inputs.

use std::collections::BTreeSet;

use capstan_core::expr::{Expr, Path, Root, Segment};

use super::observed::{DraftError, DraftRequest};
use crate::SkillId;

/// Longer names are cut at the end of a word.
const LONGEST_ID: usize = 60;
const LONGEST_STEP: usize = 40;

/// Returns the requested name, or else one from the intent, or else from the capabilities.
pub(super) fn id<'a>(
    request: &DraftRequest<'_>,
    capabilities: impl Iterator<Item = &'a str>,
    taken: &dyn Fn(&str) -> bool,
) -> Result<SkillId, DraftError> {
    if let Some(asked) = request.id {
        let id = SkillId::parse(asked)?;
        return if taken(asked) {
            Err(DraftError::Taken(asked.to_owned()))
        } else {
            Ok(id)
        };
    }
    let intent = request.intent.map(|intent| slug(intent, LONGEST_ID));
    let base = match intent.filter(|it| !it.is_empty()) {
        Some(intent) => intent,
        None => {
            let distinct: BTreeSet<&str> = capabilities.collect();
            let all: Vec<_> = distinct.into_iter().collect();
            slug(&all.join(" "), LONGEST_ID)
        }
    };
    let base = if base.is_empty() {
        "drafted".to_owned()
    } else {
        base
    };
    Ok(SkillId::parse(&unique(&base, '-', taken))?)
}

/// Names a step after the last word of its observed name, or else of its capability.
pub(super) fn step(given: Option<&str>, capability: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let given = given.and_then(|path| path.rsplit('/').next());
    let given = given.map(|name| word(name, LONGEST_STEP));
    let base = given.filter(|it| !it.is_empty()).unwrap_or_else(|| {
        let mut words = capability.rsplit(['.', ':', '/']);
        words
            .next()
            .map(|it| word(it, LONGEST_STEP))
            .unwrap_or_default()
    });
    let base = match base.as_str() {
        // `$input` is the input of the skill.
        "" | "input" => "step".to_owned(),
        _ => base,
    };
    unique(&base, '-', taken)
}

/// Returns the name of an input, changed if an expression could not refer to it.
pub(super) fn input(name: &str) -> String {
    if can_be_said(name) && name.len() <= LONGEST_ID {
        return name.to_owned();
    }
    match word(name, LONGEST_ID).replace('-', "_") {
        empty if empty.is_empty() => "value".to_owned(),
        name => name,
    }
}

/// Appends a number if the name is already used.
pub(super) fn unique(base: &str, joint: char, taken: &dyn Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{base}{joint}{number}");
        number += 1;
    }
    name
}

/// Returns `$step.output.a.b`, if that is a valid expression.
pub(super) fn path(step: &str, segments: &[Segment]) -> Option<String> {
    let output = Segment::Key("output".to_owned());
    let path = Path {
        root: Root::Variable(step.to_owned()),
        segments: std::iter::once(output)
            .chain(segments.iter().cloned())
            .collect(),
    };
    let text = path.to_string();
    (Expr::parse(&text) == Ok(Expr::Path(path))).then_some(text)
}

fn can_be_said(name: &str) -> bool {
    path("a", &[Segment::Key(name.to_owned())]).is_some()
}

/// Converts a text to lower case with `-` between words.
fn slug(text: &str, longest: usize) -> String {
    word(&text.to_lowercase(), longest)
}

/// Keeps letters, digits and `_`, with `-` between words, beginning with a letter. May return an empty text.
fn word(text: &str, longest: usize) -> String {
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut word = String::new();
    for part in parts.filter(|it| !it.is_empty()) {
        let part = if word.is_empty() {
            part.trim_start_matches(|c: char| !c.is_ascii_alphabetic())
        } else {
            part
        };
        let room = longest.saturating_sub(word.len() + 1);
        if part.len() > room && !word.is_empty() {
            break;
        }
        if part.is_empty() {
            continue;
        }
        if !word.is_empty() {
            word.push('-');
        }
        word.push_str(&part[..part.len().min(longest)]);
    }
    word
}
