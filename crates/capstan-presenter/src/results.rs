//! Converts the result of a run or of a chain to text.

use capstan_core::card::Operation;
use capstan_core::{ChainResultEnvelope, ResultEnvelope};
use capstan_engine::Capstan;

use crate::Subject;

/// Returns the text of one result.
pub fn result_text(envelope: &ResultEnvelope, subject: &Subject, capstan: &Capstan) -> String {
    if envelope.ok {
        return capstan_view::view_result(envelope, &subject.view_context());
    }
    let mut shown = envelope.clone();
    subject.add_correction(&mut shown.error);
    let mut text = capstan_view::view_result(&shown, &subject.view_context());
    text.extend(written_before(envelope, capstan));
    text
}

/// Returns the text of a chain's results; `subjects` has one subject for each step.
pub fn chain_text(envelope: &ChainResultEnvelope, subjects: &[Subject]) -> String {
    let mut shown = envelope.clone();
    for (result, subject) in shown.results.iter_mut().zip(subjects) {
        subject.add_correction(&mut result.error);
    }
    let contexts: Vec<_> = subjects.iter().map(Subject::view_context).collect();
    capstan_view::view_chain(&shown, &contexts)
}

/// Lists the writes that code made before it failed, which a caller must know before repeating it.
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
