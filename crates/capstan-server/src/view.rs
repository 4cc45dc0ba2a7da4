//! Results as text for a reader, over MCP and on the command line.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::{
    ChainResultEnvelope, ChainStep, ErrorCode, ResultEnvelope, ResultError, Sort, TaskRequest,
};
use capstan_engine::{BadLine, Capstan, Hit, form_of, settled_options, with_defaults};
use capstan_view::Viewed;

/// One result.
pub fn one(envelope: &ResultEnvelope, subject: &Subject, capstan: &Capstan) -> String {
    let mut shown = envelope.clone();
    subject.correct(&mut shown.error);
    let mut text = capstan_view::one(&shown, &subject.viewed());
    if !envelope.ok {
        text.extend(written_before(envelope, capstan));
    }
    text
}

/// The results of a chain.
pub fn chain(envelope: &ChainResultEnvelope, subjects: &[Subject]) -> String {
    let mut shown = envelope.clone();
    for (result, subject) in shown.results.iter_mut().zip(subjects) {
        subject.correct(&mut result.error);
    }
    let viewed: Vec<_> = subjects.iter().map(Subject::viewed).collect();
    capstan_view::chain(&shown, &viewed)
}

/// The answer to lines of which some are wrong: each of those with its right form, and nothing about the others.
pub fn wrong_lines(bad: &[BadLine], total: usize) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut lines = vec!["nothing was run".to_owned()];
    for BadLine {
        line,
        problem,
        forms,
    } in bad
    {
        let place = if total > 1 {
            format!("[{line}] ")
        } else {
            String::new()
        };
        // One form is enough for all lines of a capability.
        let new = forms.iter().map(String::as_str);
        let new: Vec<_> = new.filter(|form| !known.contains(form)).collect();
        let forms = match new.as_slice() {
            [] => String::new(),
            [form] => format!(". Right: {form}"),
            several => format!(". Did you mean:\n  {}", several.join("\n  ")),
        };
        lines.push(format!("{place}{problem}{forms}"));
        known.extend(new);
    }
    lines.join("\n")
}

/// Whether an agent that looks for something is shown a match. What Capstan does itself is shown only if it is probably
/// what was meant.
pub fn is_worth_showing(hit: &Hit) -> bool {
    const SURE: f64 = 0.5;
    hit.kind != Kind::System || hit.score >= SURE
}

/// Drops matches that score far below the best, which comes first. If even the best does not fit, drops all of them and
/// returns the line to print instead.
pub fn keep_fitting<T>(
    found: &mut Vec<T>,
    intent: &str,
    hit: impl Fn(&T) -> &Hit,
) -> Option<String> {
    const FITS: f64 = 0.3;
    const BESIDE_THE_BEST: f64 = 0.35;
    const NEAREST: usize = 2;
    let Hit { score, kind, .. } = hit(found.first()?);
    let best = *score;
    // Cards say in many words what they are for; of what others describe, even a weak match may be right.
    if best < FITS && *kind == Kind::Card {
        let nearest = found.iter().take(NEAREST).map(|it| hit(it).id.as_str());
        let nearest = nearest.collect::<Vec<_>>().join(", ");
        found.clear();
        return Some(format!("nothing fits `{intent}`; nearest are {nearest}"));
    }
    found.retain(|it| hit(it).score >= BESIDE_THE_BEST * best);
    None
}

/// A capability that was found: its form, and what it is for in a few words.
pub fn found(form: &str, description: &str) -> String {
    const LONGEST_PURPOSE: usize = 60;
    // The first clause tells enough.
    let end = description
        .find([',', ';', '.', '('])
        .unwrap_or(description.len());
    let purpose = capstan_core::brief(description[..end].trim(), LONGEST_PURPOSE);
    format!("{form} — {purpose}")
}

/// What an answer is about: what was run, and with what.
#[derive(Clone, Debug)]
pub struct Subject {
    card: Option<Arc<Card>>,
    input: Map<String, Value>,
    fields: Option<Vec<String>>,
    sort: Option<Sort>,
    feeds_each: bool,
}

impl Subject {
    /// What one task runs, as far as that is known without asking anybody.
    pub fn of(capstan: &Capstan, request: &TaskRequest) -> Self {
        let named = || {
            Some(
                capstan
                    .catalog()
                    .named(&request.capability, &request.input)?
                    .0,
            )
        };
        let card = capstan
            .catalog()
            .get(&request.capability)
            .ok()
            .or_else(named);
        let input = match &card {
            Some(card) => with_defaults(card, request.input.clone()),
            None => request.input.clone(),
        };
        let options = match &card {
            Some(card) => settled_options(card, &request.options),
            None => request.options.clone(),
        };
        Self {
            card,
            input,
            fields: options.fields,
            sort: options.sort,
            feeds_each: false,
        }
    }

    pub fn of_steps(capstan: &Capstan, steps: &[ChainStep]) -> Vec<Self> {
        let feeds_each = |index: usize, step: &ChainStep| {
            let mut later = steps
                .iter()
                .skip(index + 1)
                .filter_map(|it| it.each.as_deref());
            later.any(|called| {
                let called = called.trim_start_matches('$');
                step.name.as_deref() == Some(called) || called.parse() == Ok(index)
            })
        };
        let subjects = steps.iter().enumerate().map(|(index, step)| Self {
            feeds_each: feeds_each(index, step),
            ..Self::of(capstan, &step.request)
        });
        subjects.collect()
    }

    /// Nothing that has a card.
    pub fn nothing() -> Self {
        Self {
            card: None,
            input: Map::new(),
            fields: None,
            sort: None,
            feeds_each: false,
        }
    }

    fn viewed(&self) -> Viewed<'_> {
        Viewed {
            card: self.card.as_deref(),
            input: &self.input,
            fields: self.fields.as_deref(),
            sort: self.sort.as_ref(),
            feeds_each: self.feeds_each,
        }
    }

    /// Adds to an error how the card is written, where the caller may not know that.
    fn correct(&self, error: &mut Option<ResultError>) {
        let (Some(card), Some(error)) = (&self.card, error) else {
            return;
        };
        let is_caller_error = error.code == ErrorCode::Validation
            && !error.details.contains_key("step")
            && !error.details.contains_key("outcome");
        if is_caller_error && card.kind() == Kind::Card {
            let form = form_of(card).into();
            error.details.entry("correction").or_insert(form);
        }
    }
}

/// What code had written when it failed: whoever repeats it has to know.
fn written_before(envelope: &ResultEnvelope, capstan: &Capstan) -> Option<String> {
    let writes = |id: &str| {
        let card = capstan.catalog().get(id).ok();
        card.is_some_and(|card| card.operation == Operation::Write)
    };
    let calls = envelope.meta.calls.iter();
    let done = calls.filter(|call| writes(&call.capability) && call.count > call.failed);
    let done: Vec<_> = done
        .map(|call| format!("{} ×{}", call.capability, call.count - call.failed))
        .collect();
    (!done.is_empty()).then(|| format!("\nwritten before it failed: {}", done.join(", ")))
}
