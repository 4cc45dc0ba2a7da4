//! Builds the plan for an intent: calls that can be sent, in an order that works.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use capstan_core::card::{Card, Operation};
use capstan_core::code::Node;

use super::analysis::{IntentAnalysis, IntentStep};
use super::coverage::{
    CoverageCheck, display_word, has_value_marker, is_neutral_aside, is_question,
};
use super::fill::{ClauseContext, EarlierCall, FilledInput, fill};
use super::values::IntentValues;
use crate::discovery::Discovery;
use capstan_exec::reference::{as_meant, as_written};

/// Can be sent as the `steps` of a chain once nothing is missing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuggestedPlan {
    pub steps: Vec<PlannedCall>,
    /// Whether it may be run: no input is missing, and every word of the intent was read.
    pub ready: bool,
    /// The code that accepts exactly this plan, if the plan writes and can be accepted. A write is never run
    /// before it was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
}

impl SuggestedPlan {
    /// Returns a code for this plan and this intent: 8 hexadecimal digits.
    pub(super) fn acceptance_code(&self, intent: &str) -> String {
        let text = serde_json::json!([intent, self.steps]).to_string();
        let hash = Sha256::digest(text.as_bytes());
        hash.iter()
            .take(4)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedCall {
    pub task: String,
    #[serde(rename = "as")]
    pub name: String,
    pub input: Map<String, Value>,
    /// Required inputs that neither the intent nor another step provides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A plan, and what the caller must know before running it.
#[derive(Default)]
pub(super) struct PlanReport {
    /// `None` if there are no steps.
    pub(super) plan: Option<SuggestedPlan>,
    /// The steps that the intent does not ask for, with their likelihood. Each lists what the next step works
    /// on.
    pub(super) producers: Vec<(Arc<Card>, f64)>,
    /// Whether it writes.
    pub(super) writes: bool,
    /// A reason against running it although it is complete.
    pub(super) objection: Option<String>,
    /// The words of the intent that no step covers, without duplicates, in their order.
    pub(super) unread_words: Vec<String>,
    /// Whether the intent is a question but the plan writes.
    pub(super) is_question: bool,
    /// Fields of the given input that contradict the intent or that no step takes.
    pub(super) conflicting_fields: Vec<String>,
}

/// A plan that is being built.
#[derive(Default)]
struct PlanDraft {
    calls: Vec<DraftedCall>,
    conflicting_fields: BTreeSet<String>,
    borrows_number: bool,
}

struct DraftedCall {
    card: Arc<Card>,
    call: PlannedCall,
    turn: usize,
    /// The clauses that ask for it, with their values. Empty if it only lists what the next call works on.
    clauses: Vec<(String, IntentValues)>,
}

impl Discovery {
    /// Builds the plan for an intent, producers before consumers. The given input adds what the intent does
    /// not say. Returns `None` if there is no step or a capability is gone.
    pub(super) async fn build_plan(
        &self,
        intent: &str,
        analysis: &IntentAnalysis,
        given_input: &Map<String, Value>,
    ) -> Option<PlanReport> {
        let in_intent =
            IntentValues::parse(&analysis.affirmed_text(intent), &self.shared.settings.host);
        let mut draft = PlanDraft::default();
        let mut producers = Vec::new();
        // In the order of execution, so that "it" refers to the previous object.
        let mut in_spoken_order: Vec<&IntentStep> = analysis.steps.iter().collect();
        in_spoken_order.sort_by_key(|step| step.turn);
        for step in in_spoken_order {
            let card = self.resolver.card(&step.id).await.ok()?;
            let context = ClauseContext {
                clause: &step.text,
                in_clause: &step.values,
                in_intent: &in_intent,
                in_asides: &analysis.aside_values,
            };
            let mut filled = draft.fill(&card, &context, given_input);
            if let Some(producer) = self.producer_for(step, &card, &filled, &draft).await {
                let producer_input = draft.fill(&producer, &context, given_input);
                draft.add(Arc::clone(&producer), producer_input, step.turn, None);
                producers.push((producer, step.likelihood));
                filled = draft.fill(&card, &context, given_input);
            }
            draft.add(card, filled, step.turn, Some(step));
        }
        let takes = |field: &&String| {
            let takes_field =
                |it: &DraftedCall| it.card.input_schema["properties"].get(*field).is_some();
            draft.calls.iter().any(takes_field)
        };
        let unknown_fields = given_input.keys().filter(|field| !takes(field));
        let unknown: Vec<_> = unknown_fields.cloned().collect();
        draft.conflicting_fields.extend(unknown);
        let was_reordered = self.sort_by_learned_order(&mut draft.calls).await;
        let writes = draft.writes().next().is_some();
        let objection = draft.objection(&in_intent, was_reordered);
        let unread_words = sort_by_position(intent, draft.unread_words(&in_intent, analysis));
        let conflicting_fields = draft.conflicting_fields.into_iter().collect();
        let steps: Vec<_> = draft.calls.into_iter().map(|it| it.call).collect();
        (!steps.is_empty()).then(|| PlanReport {
            plan: Some(SuggestedPlan {
                ready: steps.iter().all(|step| step.missing.is_empty()),
                steps,
                accept: None,
            }),
            writes,
            producers,
            objection,
            unread_words,
            is_question: writes && is_question(intent),
            conflicting_fields,
        })
    }

    /// Returns the input for one capability by itself, and the required fields that are missing.
    pub(super) async fn input_for(
        &self,
        id: &str,
        clause: &str,
        intent: &str,
        given_input: &Map<String, Value>,
    ) -> Option<(Map<String, Value>, Vec<String>)> {
        let card = self.resolver.card(id).await.ok()?;
        let host = &self.shared.settings.host;
        let in_intent = IntentValues::parse(intent, host);
        let context = ClauseContext {
            clause,
            in_clause: &IntentValues::parse(clause, host),
            in_intent: &in_intent,
            in_asides: &in_intent,
        };
        let filled = PlanDraft::default().fill(&card, &context, given_input);
        let fields = filled.input.into_iter();
        let input = fields.map(|(field, value)| (field, as_meant(&value)));
        Some((input.collect(), filled.missing))
    }

    /// Sorts calls by learned sequences where the intent states no order. Returns whether anything moved.
    async fn sort_by_learned_order(&self, calls: &mut Vec<DraftedCall>) -> bool {
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(calls.len());
        let mut nodes = Vec::with_capacity(calls.len());
        for drafted in calls.iter() {
            let node = self.node(&drafted.call.task).await;
            nodes.push(node.unwrap_or_else(|_| Node::Named(drafted.call.task.clone())));
        }
        let Ok(cache) = self.current_graph().await else {
            return false;
        };
        let order = cache.read().graph.in_order(&nodes);
        for (drafted, node) in calls.iter().zip(&nodes) {
            let index = order.iter().position(|it| it == node).unwrap_or_default();
            places.push((drafted.turn, index));
        }
        let refers = |drafted: &DraftedCall| {
            let texts = drafted.call.input.values().filter_map(Value::as_str);
            texts.into_iter().any(|text| text.starts_with("$s"))
        };
        // A call that refers to another comes after it, whatever was learned.
        if places.is_sorted() || calls.iter().any(refers) {
            return false;
        }
        let mut placed: Vec<_> = places.into_iter().zip(std::mem::take(calls)).collect();
        placed.sort_by_key(|(index, _)| *index);
        calls.extend(placed.into_iter().map(|(_, drafted)| drafted));
        for (index, drafted) in calls.iter_mut().enumerate() {
            drafted.call.name = step_name(index);
        }
        true
    }

    /// Returns the card that lists the objects of a step, if neither the intent names them nor another step
    /// produces them.
    async fn producer_for(
        &self,
        step: &IntentStep,
        card: &Card,
        filled: &FilledInput,
        draft: &PlanDraft,
    ) -> Option<Arc<Card>> {
        if !step.may_concern_several {
            return None;
        }
        let domain = card.id.domain();
        let mut missing = filled.missing.iter();
        let producer = missing.find_map(|input| self.producers().producer_of(input, domain))?;
        let is_there = producer == step.id || draft.calls.iter().any(|it| it.call.task == producer);
        if is_there {
            return None;
        }
        self.resolver.card(producer).await.ok()
    }
}

impl PlanDraft {
    fn fill(
        &mut self,
        card: &Card,
        context: &ClauseContext<'_>,
        given_input: &Map<String, Value>,
    ) -> FilledInput {
        let earlier = self.calls.iter().map(|it| EarlierCall {
            name: &it.call.name,
            card: &it.card,
            input: &it.call.input,
        });
        let mut filled = fill(card, context, &earlier.collect::<Vec<_>>());
        let takes = |field: &String| card.input_schema["properties"].get(field).is_some();
        for (field, value) in given_input.iter().filter(|(field, _)| takes(field)) {
            let value = as_written(value);
            match filled.input.get(field) {
                Some(mentioned) if *mentioned != value => {
                    self.conflicting_fields.insert(field.clone());
                }
                _ => {
                    filled.input.insert(field.clone(), value);
                }
            }
        }
        let FilledInput { input, missing, .. } = &mut filled;
        // One of several alternatives is enough.
        missing.retain(|field| !field.split(" or ").any(|one| input.contains_key(one)));
        filled
    }

    /// Adds a call. An equal call that is already there gets the clause instead.
    fn add(
        &mut self,
        card: Arc<Card>,
        filled: FilledInput,
        turn: usize,
        step: Option<&IntentStep>,
    ) {
        let call = PlannedCall {
            task: card.id.to_string(),
            name: step_name(self.calls.len()),
            input: filled.input,
            missing: filled.missing,
        };
        self.borrows_number |= filled.borrows_number;
        let clause = step.map(|step| (step.text.clone(), step.values.clone()));
        let is_same =
            |it: &&mut DraftedCall| it.call.task == call.task && it.call.input == call.input;
        match self.calls.iter_mut().find(is_same) {
            Some(same) => same.clauses.extend(clause),
            None => self.calls.push(DraftedCall {
                card,
                call,
                turn,
                clauses: clause.into_iter().collect(),
            }),
        }
    }

    fn writes(&self) -> impl Iterator<Item = &DraftedCall> {
        let calls = self.calls.iter();
        calls.filter(|it| it.card.operation == Operation::Write)
    }

    /// Returns a reason to review the plan although every word was read. Plans that only read have none.
    fn objection(&self, values: &IntentValues, was_reordered: bool) -> Option<String> {
        let turns: BTreeSet<usize> = self.writes().map(|it| it.turn).collect();
        if turns.is_empty() {
            return None;
        }
        if let Some(unasked) = self.calls.iter().find(|it| it.clauses.is_empty()) {
            return Some(format!(
                "the intent does not ask for `{}`",
                unasked.call.task
            ));
        }
        if was_reordered {
            return Some("its learned order differs from the order in the intent".to_owned());
        }
        if turns.len() > 1 {
            return Some("later steps would run even if an earlier one fails".to_owned());
        }
        let is_unclear = self.borrows_number && values.count_numbers() > 1;
        is_unclear.then(|| "the intent does not say which number each step is for".to_owned())
    }

    /// Returns the words that no step covers: in clauses with a step, in clauses without one, and between
    /// clauses.
    fn unread_words(&self, values: &IntentValues, analysis: &IntentAnalysis) -> Vec<String> {
        let of_steps = self.calls.iter().flat_map(|drafted| {
            drafted.clauses.iter().flat_map(|(clause, values)| {
                let check = CoverageCheck {
                    values,
                    card: &drafted.card,
                    input: &drafted.call.input,
                };
                check.unread_words(clause)
            })
        });
        let asides = analysis.asides.iter();
        let of_asides = asides
            .flat_map(|aside| aside.split_whitespace())
            .filter(|word| !self.is_read_aside(values, word))
            .map(display_word);
        let between = analysis.connectors.iter().cloned();
        of_steps.chain(of_asides).chain(between).collect()
    }

    /// Returns whether a word of a clause without a step is understood: it may only name what the steps are
    /// for, as in `for #12: close it`.
    fn is_read_aside(&self, values: &IntentValues, word: &str) -> bool {
        let mut inputs = self.calls.iter().map(|it| &it.call.input);
        is_neutral_aside(word, self.calls.iter().map(|it| &*it.card))
            || (has_value_marker(word) && inputs.any(|it| values.is_used(word, it)))
    }
}

/// Returns the words without duplicates, in the order of the intent.
fn sort_by_position(intent: &str, words: Vec<String>) -> Vec<String> {
    let values: Vec<_> = intent.split_whitespace().map(display_word).collect();
    let mut placed: Vec<(usize, String)> = Vec::with_capacity(words.len());
    for word in words {
        if !placed.iter().any(|(_, it)| *it == word) {
            let index = values.iter().position(|it| *it == word);
            placed.push((index.unwrap_or(values.len()), word));
        }
    }
    placed.sort_by_key(|(index, _)| *index);
    placed.into_iter().map(|(_, word)| word).collect()
}

fn step_name(index: usize) -> String {
    format!("s{index}")
}
