//! The steps for an intent, in an order that works, as calls that can be sent.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::code::Node;

use super::fill::{Filled, Giver, fill};
use super::gather::Step;
use super::said::Said;
use crate::Capstan;

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

impl Capstan {
    /// The steps for an intent, what gives something before what takes it. What is given beside the
    /// intent counts as said.
    pub(super) async fn plan_for(
        &self,
        chosen: &[Step],
        said: &Said,
        given: &Map<String, Value>,
    ) -> Option<SuggestedPlan> {
        let chosen: Vec<_> = chosen.iter().map(|step| step.id.as_str()).collect();
        let mut cards: Vec<Arc<Card>> = Vec::new();
        for id in self.in_order(&chosen).await {
            cards.push(self.card(&id).await.ok()?);
        }
        let mut steps: Vec<PlannedCall> = Vec::new();
        for (place, card) in cards.iter().enumerate() {
            let earlier: Vec<_> = steps
                .iter()
                .zip(&cards)
                .map(|(step, card)| Giver {
                    name: &step.name,
                    card,
                })
                .collect();
            let Filled { mut input, missing } = fill(card, said, &earlier);
            let takes = |field: &String| card.input_schema["properties"].get(field).is_some();
            for (field, value) in given.iter().filter(|(field, _)| takes(field)) {
                input.insert(field.clone(), value.clone());
            }
            let missing = missing.into_iter();
            let missing = missing.filter(|field| !input.contains_key(field)).collect();
            steps.push(PlannedCall {
                task: card.id.to_string(),
                name: format!("s{place}"),
                input,
                missing,
            });
        }
        (!steps.is_empty()).then(|| SuggestedPlan {
            ready: steps.iter().all(|step| step.missing.is_empty()),
            steps,
        })
    }

    /// As the intent has them, unless what was learned says otherwise.
    async fn in_order(&self, ids: &[&str]) -> Vec<String> {
        let mut nodes = Vec::with_capacity(ids.len());
        for id in ids {
            let node = self.node(id).await;
            nodes.push(node.unwrap_or_else(|_| Node::Named((*id).to_owned())));
        }
        let Ok(atlas) = self.atlas().await else {
            return ids.iter().map(|&id| id.to_owned()).collect();
        };
        let order = atlas.read().graph.plan(&nodes).nodes;
        let place = |node: &Node| nodes.iter().position(|it| it == node);
        let places = order.iter().filter_map(place);
        places.map(|place| ids[place].to_owned()).collect()
    }
}
