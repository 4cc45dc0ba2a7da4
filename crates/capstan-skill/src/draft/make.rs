//! Writes a draft, checks it, and weakens what the checker refuses until nothing is refused.

use std::collections::BTreeSet;

use capstan_core::date::Day;
use capstan_core::expr::Scope;
use capstan_core::{Diagnostic, Severity, Source};
use serde_json::{Map, Value};

use super::naming;
use super::observed::{Draft, DraftError, DraftRequest};
use super::steps::{DraftStep, InputSource, choose};
use super::text::{About, DraftFile, FilePart, write};
use crate::codes::BOUNDS;
use crate::{Library, OutsideCapabilities, Skill, check, read_text};

/// All refusals of a check are handled at once, so a few rounds are normally enough.
const MOST_ROUNDS: usize = 64;

const LONGEST_DESCRIPTION: usize = 200;

/// The largest number of hints of the checker that are passed on.
const MOST_REMARKS: usize = 10;

/// Drafts a skill that makes the same calls. `taken` returns whether a name is already used.
pub fn draft(
    request: &DraftRequest<'_>,
    outside: &dyn OutsideCapabilities,
    taken: &dyn Fn(&str) -> bool,
    today: Day,
) -> Result<Draft, DraftError> {
    let (mut steps, mut notes) = choose(request.calls, outside)?;
    let capabilities = || steps.iter().map(|step| step.call.capability.as_str());
    let is_taken = |id: &str| {
        taken(id) || outside.find(id).is_some() || capabilities().any(|known| known == id)
    };
    let id = naming::id(request, capabilities(), &is_taken)?;
    let description = description(request, &steps);
    let mut about = About {
        id: &id,
        description: &description,
        origin: request.origin,
        with_examples: true,
        states_its_input: true,
    };
    let mut last = None;
    for _ in 0..MOST_ROUNDS {
        let written = write(&about, &steps);
        let (refused, remarks) = check_draft(&written, &steps, outside, today);
        if refused.is_empty() {
            notes.extend(remarks);
            if !about.states_its_input {
                notes.push(
                    "`input_schema` is left out: the inputs are too complex to repeat".to_owned(),
                );
            }
            let text = written.text;
            return Ok(Draft { id, text, notes });
        }
        last = refused.iter().find_map(|it| it.message.clone()).or(last);
        if !fall_back(&refused, &written, &mut steps, &mut about) {
            break;
        }
    }
    Err(DraftError::Unsound(last.unwrap_or_default()))
}

/// A problem with the drafted file.
struct Refusal {
    at: Option<usize>,
    message: Option<String>,
}

impl From<&Diagnostic> for Refusal {
    fn from(error: &Diagnostic) -> Self {
        Self {
            at: error.span.map(|span| span.start),
            message: Some(error.message.clone()),
        }
    }
}

/// Returns the problems of the draft, and the other hints of the checker.
fn check_draft(
    written: &DraftFile,
    steps: &[DraftStep<'_>],
    outside: &dyn OutsideCapabilities,
    today: Day,
) -> (Vec<Refusal>, Vec<String>) {
    let read = read_text(&Source::new("draft.yaml", written.text.as_str()));
    let skill = read.skills.first().cloned();
    let (library, twice) = Library::new(read.skills);
    let checked = check(&library, outside, today);
    let all = [read.diagnostics, twice, checked.diagnostics].concat();
    let (errors, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|it| it.severity == Severity::Error);
    let mut refused: Vec<Refusal> = errors.into_iter().map(Refusal::from).collect();
    if refused.is_empty() {
        refused.extend(misread(written, steps, skill.as_ref()));
    }
    // Cards rarely state bounds of their outputs, so these hints are not useful.
    let others = others.into_iter().filter(|it| it.code != BOUNDS);
    let mut remarks: Vec<_> = others.map(|it| it.message.clone()).collect();
    if remarks.len() > MOST_REMARKS {
        let more = remarks.split_off(MOST_REMARKS).len();
        remarks.push(format!("the checker has {more} more hints like these"));
    }
    (refused, remarks)
}

/// Finds values that are different when the file is read back.
fn misread(written: &DraftFile, steps: &[DraftStep<'_>], skill: Option<&Skill>) -> Vec<Refusal> {
    let Some(skill) = skill.filter(|skill| skill.composes.len() == steps.len()) else {
        let message = Some("the draft does not read back as it was written".to_owned());
        return vec![Refusal { at: None, message }];
    };
    let names = Map::new();
    let scope = Scope::new(&Value::Null, &names);
    let mut wrong = Vec::new();
    for (range, place) in &written.places {
        let FilePart::Input(step, input) = place else {
            continue;
        };
        let input = &steps[*step].inputs[*input];
        let mut read = skill.composes[*step].inputs.iter();
        let read = read.find(|(name, _)| name.value == input.given.name);
        let is_same = match (input.source(), read) {
            (InputSource::Literal, Some((_, given))) => {
                given.value.eval(&scope).as_ref() == input.given.value
            }
            (_, read) => read.is_some(),
        };
        if !is_same {
            wrong.push(Refusal {
                at: Some(range.start),
                message: None,
            });
        }
    }
    wrong
}

/// Weakens what was refused. Returns false if there is nothing left to weaken.
fn fall_back(
    refused: &[Refusal],
    written: &DraftFile,
    steps: &mut [DraftStep<'_>],
    about: &mut About<'_>,
) -> bool {
    let mut inputs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut properties: BTreeSet<(usize, usize)> = BTreeSet::new();
    for at in refused.iter().filter_map(|it| it.at) {
        let mut places = written.places.iter();
        match places.find(|(range, _)| range.contains(&at)) {
            Some((_, FilePart::Input(step, input))) => {
                inputs.insert((*step, *input));
            }
            Some((_, FilePart::Property(consumers))) => properties.extend(consumers),
            None => {}
        }
    }
    let mut is_better = false;
    for (step, input) in &inputs {
        is_better |= steps[*step].inputs[*input].try_next_source();
    }
    for (step, input) in &properties {
        let input = &mut steps[*step].inputs[*input];
        is_better |= !input.is_coarse;
        input.is_coarse = true;
    }
    if is_better {
        return true;
    }
    // The cause is unknown, so use the safest form of everything.
    if about.with_examples && inputs.is_empty() {
        about.with_examples = false;
        return true;
    }
    if about.states_its_input {
        about.states_its_input = false;
        return true;
    }
    for input in steps.iter_mut().flat_map(|step| step.inputs.iter_mut()) {
        is_better |= input.try_next_source();
    }
    is_better
}

/// Returns the intent, or else the names of the capabilities, on one line.
fn description(request: &DraftRequest<'_>, steps: &[DraftStep<'_>]) -> String {
    let intent = request.intent.map(|intent| {
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
