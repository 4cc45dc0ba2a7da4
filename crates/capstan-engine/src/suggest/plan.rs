//! The steps for an intent, in an order that works, as calls that can be sent.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::code::Node;

use super::fill::{Earlier, Filled, Told, fill};
use super::gather::{Gathered, Step};
use super::said::Said;
use crate::Capstan;
use crate::chain::as_written;

/// Ready to send as the `steps` of a chain, once nothing is missing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuggestedPlan {
    pub steps: Vec<PlannedCall>,
    /// Nothing is missing.
    pub ready: bool,
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

/// A plan, and those of its steps that nobody asked for: each lists what the next one works on.
pub(super) struct Planned {
    pub(super) plan: SuggestedPlan,
    pub(super) givers: Vec<(Arc<Card>, f64)>,
}

/// A plan in the making.
#[derive(Default)]
struct Draft {
    calls: Vec<(Arc<Card>, PlannedCall)>,
}

impl Capstan {
    /// The steps for an intent, what gives something before what takes it. What is given beside the
    /// intent counts as said.
    pub(super) async fn plan_for(
        &self,
        gathered: &Gathered,
        anywhere: &Said,
        given: &Map<String, Value>,
    ) -> Option<Planned> {
        let mut draft = Draft::default();
        let mut givers = Vec::new();
        for step in self.in_order(&gathered.steps).await {
            let card = self.card(&step.id).await.ok()?;
            let told = Told {
                here: &step.said,
                anywhere,
                aside: &gathered.aside,
            };
            let mut filled = draft.fill(&card, &told, given);
            if let Some(giver) = self.giver_for(step, &card, &filled, &draft).await {
                let its = draft.fill(&giver, &told, given);
                draft.add(Arc::clone(&giver), its);
                givers.push((giver, step.sure));
                filled = draft.fill(&card, &told, given);
            }
            draft.add(card, filled);
        }
        let steps: Vec<_> = draft.calls.into_iter().map(|(_, call)| call).collect();
        (!steps.is_empty()).then(|| Planned {
            plan: SuggestedPlan {
                ready: steps.iter().all(|step| step.missing.is_empty()),
                steps,
            },
            givers,
        })
    }

    /// As the intent has them. Where it does not say what comes first, what was learned does.
    async fn in_order<'a>(&self, steps: &'a [Step]) -> Vec<&'a Step> {
        let mut placed = Vec::with_capacity(steps.len());
        for step in steps {
            let node = self.node(&step.id).await;
            let node = node.unwrap_or_else(|_| Node::Named(step.id.clone()));
            placed.push((node, step));
        }
        placed.sort_by_key(|(_, step)| step.turn);
        if let Ok(atlas) = self.atlas().await {
            let held = atlas.read();
            for turn in placed.chunk_by_mut(|(_, one), (_, two)| one.turn == two.turn) {
                let nodes: Vec<Node> = turn.iter().map(|(node, _)| node.clone()).collect();
                let order = held.graph.plan(&nodes).nodes;
                turn.sort_by_key(|(node, _)| order.iter().position(|it| it == node));
            }
        }
        placed.into_iter().map(|(_, step)| step).collect()
    }

    /// What lists the things that a step works on, where neither the intent names them nor another step
    /// gives them.
    async fn giver_for(
        &self,
        step: &Step,
        card: &Card,
        filled: &Filled,
        draft: &Draft,
    ) -> Option<Arc<Card>> {
        if !step.is_of_several {
            return None;
        }
        let domain = card.id.domain();
        let mut missing = filled.missing.iter();
        let giver = missing.find_map(|input| self.givers().of_input(input, domain))?;
        let is_there = giver == step.id || draft.calls.iter().any(|(_, it)| it.task == giver);
        match is_there {
            true => None,
            false => self.card(giver).await.ok(),
        }
    }
}

impl Draft {
    fn fill(&self, card: &Card, told: &Told<'_>, given: &Map<String, Value>) -> Filled {
        let earlier = self.calls.iter().map(|(card, call)| Earlier {
            name: &call.name,
            card,
            input: &call.input,
        });
        let Filled {
            mut input,
            mut missing,
        } = fill(card, told, &earlier.collect::<Vec<_>>());
        let takes = |field: &String| card.input_schema["properties"].get(field).is_some();
        for (field, value) in given.iter().filter(|(field, _)| takes(field)) {
            input.insert(field.clone(), as_written(value));
        }
        missing.retain(|field| !input.contains_key(field));
        Filled { input, missing }
    }

    /// The same call twice is one.
    fn add(&mut self, card: Arc<Card>, filled: Filled) {
        let call = PlannedCall {
            task: card.id.to_string(),
            name: format!("s{}", self.calls.len()),
            input: filled.input,
            missing: filled.missing,
        };
        let is_same = |it: &PlannedCall| it.task == call.task && it.input == call.input;
        if !self.calls.iter().any(|(_, it)| is_same(it)) {
            self.calls.push((card, call));
        }
    }
}
