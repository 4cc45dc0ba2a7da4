//! The table of all actions, and how one is run.

use std::sync::{Arc, LazyLock};

use capstan_core::card::Card;
use capstan_core::port::{Answer, Failure};
use capstan_core::{CallRequest, ErrorCode, ResultError};

use super::action::{Action, ActionContext, ActionEngine, ActionFailure, ActionOutput, Work};
use super::{cap, dep, graph, run as runs, skill, trace};
use crate::shared::OwnCards;

/// All actions, sorted by id.
const ACTIONS: [&Action; 27] = [
    &cap::alias::ACTION,
    &cap::delete::ACTION,
    &cap::export::ACTION,
    &cap::import::ACTION,
    &cap::list::ACTION,
    &cap::lookup::ACTION,
    &cap::merge::ACTION,
    &cap::name::ACTION,
    &cap::rename::ACTION,
    &cap::share::ACTION,
    &cap::show::ACTION,
    &dep::add::ACTION,
    &dep::forget::ACTION,
    &dep::list::ACTION,
    &dep::remove::ACTION,
    &dep::show::ACTION,
    &dep::update::ACTION,
    &graph::neighbors::ACTION,
    &graph::path::ACTION,
    &graph::snapshot::ACTION,
    &runs::resume::ACTION,
    &runs::show::ACTION,
    &skill::draft::ACTION,
    &skill::runs::ACTION,
    &trace::list::ACTION,
    &trace::prune::ACTION,
    &trace::show::ACTION,
];

/// The cards of all actions, in the same order, created at the first use.
static CARDS: LazyLock<Vec<Arc<Card>>> = LazyLock::new(|| {
    let cards = ACTIONS.iter().map(|action| Arc::new(action.card()));
    cards.collect()
});

/// Access to the cards for parts of the engine that must not depend on the actions.
pub(crate) const OWN_CARDS: OwnCards = OwnCards {
    get: card,
    all: cards,
};

/// Returns the cards of all actions.
pub(crate) fn cards() -> &'static [Arc<Card>] {
    &CARDS
}

/// Returns whether this id is one of Capstan's own actions.
pub fn is_own_action(id: &str) -> bool {
    ACTIONS.iter().any(|action| action.id == id)
}

/// Returns the ids of all actions.
pub fn own_actions() -> impl Iterator<Item = &'static str> {
    ACTIONS.iter().map(|action| action.id)
}

/// Returns the card of an action.
pub(crate) fn card(id: &str) -> Option<Arc<Card>> {
    // Most names are not ids of actions. This lookup creates no cards for them.
    let place = ACTIONS.iter().position(|action| action.id == id)?;
    CARDS.get(place).cloned()
}

/// Runs an action.
pub(crate) async fn run(
    engine: ActionEngine<'_>,
    call: &CallRequest,
    context: ActionContext<'_>,
) -> Result<Answer, Failure> {
    let refuse = |message: String| {
        Failure::not_sent(ResultError::new(ErrorCode::AdapterUnsupported, message))
    };
    let action = ACTIONS.iter().find(|action| action.id == call.target);
    let Some(action) = action else {
        return Err(refuse(format!("there is no `{}`", call.target)));
    };
    let Some(store) = engine.shared.store() else {
        return Err(refuse(
            "nothing is remembered here: there is no store".to_owned(),
        ));
    };
    let work = Work {
        engine,
        store,
        input: &call.input,
        context,
    };
    match (action.run)(work).await {
        Ok(ActionOutput { data, warnings }) => Ok(Answer {
            warnings,
            ..Answer::of(data)
        }),
        Err(ActionFailure(failure)) => Err(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_sorted_and_found_by_their_ids() {
        let mut ids: Vec<_> = ACTIONS.iter().map(|action| action.id).collect();
        let listed = ids.clone();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids, listed);
        for id in ids {
            assert_eq!(card(id).unwrap().id.as_str(), id);
        }
    }

    #[test]
    fn every_example_fits_its_schema() {
        for card in cards() {
            let schema = jsonschema::draft202012::new(&card.input_schema).unwrap();
            for example in &card.examples {
                let input = serde_json::Value::Object(example.input.clone());
                assert!(schema.is_valid(&input), "{}: {input}", card.id);
            }
        }
    }
}
