//! What things are called: the skill, its steps, its inputs.

use std::collections::BTreeSet;

use capstan_core::expr::{Expr, Path, Root, Segment};

use super::observed::{DraftError, Sketch};
use crate::SkillId;

/// Names that are longer are cut, at the end of a word.
const LONGEST_ID: usize = 60;
const LONGEST_STEP: usize = 40;

/// The name that is asked for, else one by what it is for, else by what it runs.
pub(super) fn id<'a>(
    sketch: &Sketch<'_>,
    capabilities: impl Iterator<Item = &'a str>,
    taken: &dyn Fn(&str) -> bool,
) -> Result<SkillId, DraftError> {
    if let Some(asked) = sketch.id {
        let id = SkillId::parse(asked)?;
        return match taken(asked) {
            true => Err(DraftError::Taken(asked.to_owned())),
            false => Ok(id),
        };
    }
    let intent = sketch.intent.map(|intent| slug(intent, LONGEST_ID));
    let base = match intent.filter(|it| !it.is_empty()) {
        Some(intent) => intent,
        None => {
            let distinct: BTreeSet<&str> = capabilities.collect();
            let all: Vec<_> = distinct.into_iter().collect();
            slug(&all.join(" "), LONGEST_ID)
        }
    };
    let base = match base.is_empty() {
        true => "drafted".to_owned(),
        false => base,
    };
    Ok(SkillId::parse(&unique(&base, '-', taken))?)
}

/// The last word of what it is called, or of what it runs.
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

/// The name of an input as it is, if an expression can say it, else one like it.
pub(super) fn input(name: &str) -> String {
    if can_be_said(name) && name.len() <= LONGEST_ID {
        return name.to_owned();
    }
    match word(name, LONGEST_ID).replace('-', "_") {
        empty if empty.is_empty() => "value".to_owned(),
        name => name,
    }
}

/// With a number, where it is there already.
pub(super) fn unique(base: &str, joint: char, taken: &dyn Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{base}{joint}{number}");
        number += 1;
    }
    name
}

/// `$step.output.a.b`, if an expression can say that.
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

/// Lower case, with `-` between words.
fn slug(text: &str, longest: usize) -> String {
    word(&text.to_lowercase(), longest)
}

/// Letters, digits and `_`, with `-` between words, beginning with a letter; perhaps nothing.
fn word(text: &str, longest: usize) -> String {
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut word = String::new();
    for part in parts.filter(|it| !it.is_empty()) {
        let part = match word.is_empty() {
            true => part.trim_start_matches(|c: char| !c.is_ascii_alphabetic()),
            false => part,
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
