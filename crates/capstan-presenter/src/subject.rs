//! The subject of a result: the capability that ran, its input and its options.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind};
use capstan_core::{ChainStep, ErrorCode, ResultError, Sort, TaskRequest};
use capstan_engine::{Capstan, form_of, settled_options, with_defaults};
use capstan_view::ViewContext;

/// The capability that ran, with the input and the options that decide how its result is shown.
#[derive(Clone, Debug)]
pub struct Subject {
    card: Option<Arc<Card>>,
    input: Map<String, Value>,
    fields: Option<Vec<String>>,
    sort: Option<Sort>,
    feeds_each: bool,
}

impl Subject {
    /// Returns the subject of one task. Only cards are looked up; anything else is shown without one.
    pub fn from_task(capstan: &Capstan, request: &TaskRequest) -> Self {
        let catalog = capstan.catalog();
        let by_name = || catalog.find_by_other_name(&request.capability, &request.input);
        let card = catalog.get(&request.capability).ok();
        let card = card.or_else(|| by_name().map(|(card, _)| card));
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

    /// Returns the subjects of a chain's steps, in their order.
    pub fn from_steps(capstan: &Capstan, steps: &[ChainStep]) -> Vec<Self> {
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
            ..Self::from_task(capstan, &step.request)
        });
        subjects.collect()
    }

    /// Returns the subject of a result that has no card, such as that of code.
    pub fn without_card() -> Self {
        Self {
            card: None,
            input: Map::new(),
            fields: None,
            sort: None,
            feeds_each: false,
        }
    }

    pub(crate) fn view_context(&self) -> ViewContext<'_> {
        ViewContext {
            card: self.card.as_deref(),
            input: &self.input,
            fields: self.fields.as_deref(),
            sort: self.sort.as_ref(),
            feeds_each: self.feeds_each,
        }
    }

    /// Adds the card's form to a validation error.
    pub(crate) fn add_correction(&self, error: &mut Option<ResultError>) {
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
