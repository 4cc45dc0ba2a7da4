//! Writes a draft, has it checked, and takes back what the checker refuses, until nothing is refused.

use std::collections::BTreeSet;

use capstan_core::date::Day;
use capstan_core::expr::Scope;
use capstan_core::{Diagnostic, Severity, Source};
use serde_json::{Map, Value};

use super::naming;
use super::observed::{Draft, DraftError, Sketch};
use super::steps::{Step, Way, choose};
use super::text::{About, Place, Written, write};
use crate::codes::BOUNDS;
use crate::{Library, Outside, Skill, check, read_text};

/// Whatever is refused is taken back at once, so it takes a few rounds.
const MOST_ROUNDS: usize = 64;

const LONGEST_DESCRIPTION: usize = 200;

/// How much of what the checker remarks is passed on.
const MOST_REMARKS: usize = 10;

/// A skill that makes the same calls. `taken` says which names it cannot have.
pub fn draft(
    sketch: &Sketch<'_>,
    outside: &dyn Outside,
    taken: &dyn Fn(&str) -> bool,
    today: Day,
) -> Result<Draft, DraftError> {
    let (mut steps, mut notes) = choose(sketch.calls, outside)?;
    let capabilities = || steps.iter().map(|step| step.call.capability.as_str());
    let is_taken = |id: &str| {
        taken(id) || outside.find(id).is_some() || capabilities().any(|known| known == id)
    };
    let id = naming::id(sketch, capabilities(), &is_taken)?;
    let description = description(sketch, &steps);
    let mut about = About {
        id: &id,
        description: &description,
        origin: sketch.origin,
        with_examples: true,
        states_its_input: true,
    };
    let mut last = None;
    for _ in 0..MOST_ROUNDS {
        let written = write(&about, &steps);
        let (refused, remarks) = look(&written, &steps, outside, today);
        if refused.is_empty() {
            notes.extend(remarks);
            if !about.states_its_input {
                notes.push(
                    "`input_schema` is left out: the inputs are too involved to be repeated"
                        .to_owned(),
                );
            }
            let text = written.text;
            return Ok(Draft { id, text, notes });
        }
        last = refused.iter().find_map(|it| it.message.clone()).or(last);
        if !mend(&refused, &written, &mut steps, &mut about) {
            break;
        }
    }
    Err(DraftError::Unsound(last.unwrap_or_default()))
}

/// Something in the file that is not as it should be.
struct Refused {
    at: Option<usize>,
    message: Option<String>,
}

impl From<&Diagnostic> for Refused {
    fn from(error: &Diagnostic) -> Self {
        Self {
            at: error.span.map(|span| span.start),
            message: Some(error.message.clone()),
        }
    }
}

/// What is wrong with it, and what else the checker says.
fn look(
    written: &Written,
    steps: &[Step<'_>],
    outside: &dyn Outside,
    today: Day,
) -> (Vec<Refused>, Vec<String>) {
    let read = read_text(&Source::new("draft.yaml", written.text.as_str()));
    let skill = read.skills.first().cloned();
    let (library, twice) = Library::new(read.skills);
    let checked = check(&library, outside, today);
    let all = [read.diagnostics, twice, checked.diagnostics].concat();
    let (errors, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|it| it.severity == Severity::Error);
    let mut refused: Vec<Refused> = errors.into_iter().map(Refused::from).collect();
    if refused.is_empty() {
        refused.extend(misread(written, steps, skill.as_ref()));
    }
    // Cards seldom say how large what they give is: that is no news.
    let others = others.into_iter().filter(|it| it.code != BOUNDS);
    let mut remarks: Vec<_> = others.map(|it| it.message.clone()).collect();
    if remarks.len() > MOST_REMARKS {
        let more = remarks.split_off(MOST_REMARKS).len();
        remarks.push(format!("the checker has {more} more hints like these"));
    }
    (refused, remarks)
}

/// Values that did not come back as they were.
fn misread(written: &Written, steps: &[Step<'_>], skill: Option<&Skill>) -> Vec<Refused> {
    let Some(skill) = skill.filter(|skill| skill.composes.len() == steps.len()) else {
        let message = Some("it does not come back as it was written".to_owned());
        return vec![Refused { at: None, message }];
    };
    let names = Map::new();
    let scope = Scope::new(&Value::Null, &names);
    let mut wrong = Vec::new();
    for (range, place) in &written.places {
        let Place::Input(step, input) = place else {
            continue;
        };
        let input = &steps[*step].inputs[*input];
        let mut read = skill.composes[*step].inputs.iter();
        let read = read.find(|(name, _)| name.value == input.given.name);
        let is_same = match (input.way(), read) {
            (Way::Literal, Some((_, given))) => {
                given.value.eval(&scope).as_ref() == input.given.value
            }
            (_, read) => read.is_some(),
        };
        if !is_same {
            wrong.push(Refused {
                at: Some(range.start),
                message: None,
            });
        }
    }
    wrong
}

/// Takes back what was refused; false where there is nothing left to take back.
fn mend(
    refused: &[Refused],
    written: &Written,
    steps: &mut [Step<'_>],
    about: &mut About<'_>,
) -> bool {
    let mut inputs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut properties: BTreeSet<(usize, usize)> = BTreeSet::new();
    for at in refused.iter().filter_map(|it| it.at) {
        let mut places = written.places.iter();
        match places.find(|(range, _)| range.contains(&at)) {
            Some((_, Place::Input(step, input))) => {
                inputs.insert((*step, *input));
            }
            Some((_, Place::Property(takers))) => properties.extend(takers),
            None => {}
        }
    }
    let mut is_better = false;
    for (step, input) in &inputs {
        is_better |= steps[*step].inputs[*input].go_on();
    }
    for (step, input) in &properties {
        let input = &mut steps[*step].inputs[*input];
        is_better |= !input.is_coarse;
        input.is_coarse = true;
    }
    if is_better {
        return true;
    }
    // Whoever is to blame: the safest of everything.
    if about.with_examples && inputs.is_empty() {
        about.with_examples = false;
        return true;
    }
    if about.states_its_input {
        about.states_its_input = false;
        return true;
    }
    for input in steps.iter_mut().flat_map(|step| step.inputs.iter_mut()) {
        is_better |= input.go_on();
    }
    is_better
}

/// What it is for, else what it does, on one line.
fn description(sketch: &Sketch<'_>, steps: &[Step<'_>]) -> String {
    let intent = sketch.intent.map(|intent| {
        let words: Vec<_> = intent.split_whitespace().collect();
        words.join(" ")
    });
    let text = match intent.filter(|it| !it.is_empty()) {
        Some(intent) => intent,
        None => {
            let mut names: Vec<&str> = Vec::new();
            for step in steps {
                let name = step.call.capability.as_str();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            match names.split_last() {
                Some((last, rest)) if !rest.is_empty() => {
                    format!("Runs {} and {last}", rest.join(", "))
                }
                _ => format!("Runs {}", names.join("")),
            }
        }
    };
    match text.char_indices().nth(LONGEST_DESCRIPTION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
