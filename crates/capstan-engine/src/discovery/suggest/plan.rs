//! The steps for an intent, in an order that works, as calls that can be sent.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use capstan_core::card::{Card, Operation};
use capstan_core::code::Node;

use super::cover::{Covering, as_said, is_harmless_aside, is_marked_like_a_value, is_question};
use super::fill::{Earlier, Filled, Told, fill};
use super::gather::{Gathered, GatheredStep};
use super::said::Said;
use crate::discovery::Discovery;
use capstan_exec::reference::{as_meant, as_written};

/// Ready to send as the `steps` of a chain, once nothing is missing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuggestedPlan {
    pub steps: Vec<PlannedCall>,
    /// Nothing is missing, and every word of the intent was read: it may be run.
    pub ready: bool,
    /// What accepts just this plan, if it can be accepted and writes: nothing is written that nobody has seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
}

impl SuggestedPlan {
    /// Stands for the plan and what it is for.
    pub(super) fn code(&self, intent: &str) -> String {
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
    /// Required inputs that neither the intent says nor another step gives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A plan, and what is to be known of it before it is run.
#[derive(Default)]
pub(super) struct Planned {
    /// None if there is no step.
    pub(super) plan: Option<SuggestedPlan>,
    /// Those of its steps that nobody asked for: each lists what the next one works on.
    pub(super) givers: Vec<(Arc<Card>, f64)>,
    /// It changes something.
    pub(super) writes: bool,
    /// What speaks against running it, although it is whole.
    pub(super) objection: Option<String>,
    /// The words of the intent that no step stands for, each once, in their order.
    pub(super) unread: Vec<String>,
    /// The intent is a question, and the plan changes something.
    pub(super) is_question: bool,
    /// Fields that were given beside the intent and that say something else, or that no step takes.
    pub(super) at_odds: Vec<String>,
}

/// A plan in the making.
#[derive(Default)]
struct Draft {
    calls: Vec<Drafted>,
    at_odds: BTreeSet<String>,
    is_borrowed: bool,
}

struct Drafted {
    card: Arc<Card>,
    call: PlannedCall,
    turn: usize,
    /// The parts of the intent that ask for it, with the values in them. None does if it lists what the next
    /// one works on.
    parts: Vec<(String, Said)>,
}

impl Discovery {
    /// The steps for an intent, what gives something before what takes it. What is given beside the
    /// intent fills in what it does not say.
    pub(super) async fn plan_for(
        &self,
        intent: &str,
        gathered: &Gathered,
        given: &Map<String, Value>,
    ) -> Option<Planned> {
        let anywhere = Said::of(&gathered.affirmed(intent), &self.shared.settings.host);
        let mut draft = Draft::default();
        let mut givers = Vec::new();
        // As it was said: that is how "it" is meant.
        let mut spoken: Vec<&GatheredStep> = gathered.steps.iter().collect();
        spoken.sort_by_key(|step| step.turn);
        for step in spoken {
            let card = self.resolver.card(&step.id).await.ok()?;
            let told = Told {
                part: &step.text,
                here: &step.said,
                anywhere: &anywhere,
                aside: &gathered.aside,
            };
            let mut filled = draft.fill(&card, &told, given);
            if let Some(giver) = self.giver_for(step, &card, &filled, &draft).await {
                let its = draft.fill(&giver, &told, given);
                draft.add(Arc::clone(&giver), its, step.turn, None);
                givers.push((giver, step.sure));
                filled = draft.fill(&card, &told, given);
            }
            draft.add(card, filled, step.turn, Some(step));
        }
        let takes = |field: &&String| {
            let taken = |it: &Drafted| it.card.input_schema["properties"].get(*field).is_some();
            draft.calls.iter().any(taken)
        };
        let unknown = given.keys().filter(|field| !takes(field)).cloned();
        let unknown: Vec<_> = unknown.collect();
        draft.at_odds.extend(unknown);
        let is_moved = self.put_in_order(&mut draft.calls).await;
        let writes = draft.writes().next().is_some();
        let objection = draft.objection(&anywhere, is_moved);
        let unread = in_order(intent, draft.unread(&anywhere, gathered));
        let at_odds = draft.at_odds.into_iter().collect();
        let steps: Vec<_> = draft.calls.into_iter().map(|it| it.call).collect();
        (!steps.is_empty()).then(|| Planned {
            plan: Some(SuggestedPlan {
                ready: steps.iter().all(|step| step.missing.is_empty()),
                steps,
                accept: None,
            }),
            writes,
            givers,
            objection,
            unread,
            is_question: writes && is_question(intent),
            at_odds,
        })
    }

    /// What an intent says, and what is given beside it, for one capability by itself.
    pub(super) async fn input_for(
        &self,
        id: &str,
        part: &str,
        intent: &str,
        given: &Map<String, Value>,
    ) -> Option<(Map<String, Value>, Vec<String>)> {
        let card = self.resolver.card(id).await.ok()?;
        let host = &self.shared.settings.host;
        let anywhere = Said::of(intent, host);
        let told = Told {
            part,
            here: &Said::of(part, host),
            anywhere: &anywhere,
            aside: &anywhere,
        };
        let filled = Draft::default().fill(&card, &told, given);
        let input = filled.input.into_iter();
        let input = input.map(|(field, value)| (field, as_meant(&value)));
        Some((input.collect(), filled.missing))
    }

    /// Where the intent does not say what comes first, what was learned does. Says whether anything moved.
    async fn put_in_order(&self, calls: &mut Vec<Drafted>) -> bool {
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(calls.len());
        let mut nodes = Vec::with_capacity(calls.len());
        for drafted in calls.iter() {
            let node = self.node(&drafted.call.task).await;
            nodes.push(node.unwrap_or_else(|_| Node::Named(drafted.call.task.clone())));
        }
        let Ok(atlas) = self.atlas().await else {
            return false;
        };
        let order = atlas.read().graph.in_order(&nodes);
        for (drafted, node) in calls.iter().zip(&nodes) {
            let place = order.iter().position(|it| it == node).unwrap_or_default();
            places.push((drafted.turn, place));
        }
        let refers = |drafted: &Drafted| {
            let texts = drafted.call.input.values().filter_map(Value::as_str);
            texts.into_iter().any(|text| text.starts_with("$s"))
        };
        // What one takes from another comes after it, whatever is usual.
        if places.is_sorted() || calls.iter().any(refers) {
            return false;
        }
        let mut placed: Vec<_> = places.into_iter().zip(std::mem::take(calls)).collect();
        placed.sort_by_key(|(place, _)| *place);
        calls.extend(placed.into_iter().map(|(_, drafted)| drafted));
        for (place, drafted) in calls.iter_mut().enumerate() {
            drafted.call.name = name(place);
        }
        true
    }

    /// What lists the things that a step works on, where neither the intent names them nor another step
    /// gives them.
    async fn giver_for(
        &self,
        step: &GatheredStep,
        card: &Card,
        filled: &Filled,
        draft: &Draft,
    ) -> Option<Arc<Card>> {
        if !step.is_of_several {
            return None;
        }
        let domain = card.id.domain();
        let mut missing = filled.missing.iter();
        let giver = missing.find_map(|input| self.producers().of_input(input, domain))?;
        let is_there = giver == step.id || draft.calls.iter().any(|it| it.call.task == giver);
        match is_there {
            true => None,
            false => self.resolver.card(giver).await.ok(),
        }
    }
}

impl Draft {
    fn fill(&mut self, card: &Card, told: &Told<'_>, given: &Map<String, Value>) -> Filled {
        let earlier = self.calls.iter().map(|it| Earlier {
            name: &it.call.name,
            card: &it.card,
            input: &it.call.input,
        });
        let mut filled = fill(card, told, &earlier.collect::<Vec<_>>());
        let takes = |field: &String| card.input_schema["properties"].get(field).is_some();
        for (field, value) in given.iter().filter(|(field, _)| takes(field)) {
            let value = as_written(value);
            match filled.input.get(field) {
                Some(said) if *said != value => {
                    self.at_odds.insert(field.clone());
                }
                _ => {
                    filled.input.insert(field.clone(), value);
                }
            }
        }
        let Filled { input, missing, .. } = &mut filled;
        // Of several that would do, one is enough.
        missing.retain(|field| !field.split(" or ").any(|one| input.contains_key(one)));
        filled
    }

    /// The same call twice is one.
    fn add(&mut self, card: Arc<Card>, filled: Filled, turn: usize, step: Option<&GatheredStep>) {
        let call = PlannedCall {
            task: card.id.to_string(),
            name: name(self.calls.len()),
            input: filled.input,
            missing: filled.missing,
        };
        self.is_borrowed |= filled.is_borrowed;
        let part = step.map(|step| (step.text.clone(), step.said.clone()));
        let is_same = |it: &&mut Drafted| it.call.task == call.task && it.call.input == call.input;
        match self.calls.iter_mut().find(is_same) {
            Some(same) => same.parts.extend(part),
            None => self.calls.push(Drafted {
                card,
                call,
                turn,
                parts: part.into_iter().collect(),
            }),
        }
    }

    fn writes(&self) -> impl Iterator<Item = &Drafted> {
        let calls = self.calls.iter();
        calls.filter(|it| it.card.operation == Operation::Write)
    }

    /// What is to be known before running it, although all was read.
    fn objection(&self, said: &Said, is_moved: bool) -> Option<String> {
        let turns: BTreeSet<usize> = self.writes().map(|it| it.turn).collect();
        if turns.is_empty() {
            return None;
        }
        if let Some(unasked) = self.calls.iter().find(|it| it.parts.is_empty()) {
            return Some(format!("nobody asked for `{}`", unasked.call.task));
        }
        if is_moved {
            return Some("what was learned has another order than what was said".to_owned());
        }
        if turns.len() > 1 {
            return Some("a step that fails would not keep later ones from being run".to_owned());
        }
        let is_unclear = self.is_borrowed && said.numbers() > 1;
        is_unclear.then(|| "it is not said which number each step is for".to_owned())
    }

    /// The words that no step stands for: of the parts with a step, of those without, and between them.
    fn unread(&self, said: &Said, gathered: &Gathered) -> Vec<String> {
        let of_steps = self.calls.iter().flat_map(|drafted| {
            drafted.parts.iter().flat_map(|(part, said)| {
                let covering = Covering {
                    said,
                    card: &drafted.card,
                    input: &drafted.call.input,
                };
                covering.unread(part)
            })
        });
        let asides = gathered.asides.iter();
        let asides = asides.flat_map(|aside| aside.split_whitespace());
        let of_asides = asides
            .filter(|word| !self.is_read_aside(said, word))
            .map(as_said);
        let between = gathered.joints.iter().cloned();
        of_steps.chain(of_asides).chain(between).collect()
    }

    /// What stands beside the orders may only name what they are for: `for #12: close it`.
    fn is_read_aside(&self, said: &Said, word: &str) -> bool {
        let mut inputs = self.calls.iter().map(|it| &it.call.input);
        is_harmless_aside(word, self.calls.iter().map(|it| &*it.card))
            || (is_marked_like_a_value(word) && inputs.any(|it| said.is_used(word, it)))
    }
}

/// Words as they follow each other in an intent, each once.
fn in_order(intent: &str, words: Vec<String>) -> Vec<String> {
    let said: Vec<_> = intent.split_whitespace().map(as_said).collect();
    let mut placed: Vec<(usize, String)> = Vec::with_capacity(words.len());
    for word in words {
        if !placed.iter().any(|(_, it)| *it == word) {
            let place = said.iter().position(|it| *it == word);
            placed.push((place.unwrap_or(said.len()), word));
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, word)| word).collect()
}

fn name(place: usize) -> String {
    format!("s{place}")
}
