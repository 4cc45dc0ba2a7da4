//! The steps of a chain before anything is sent: cards found, references and inputs checked. One bad
//! step keeps the whole chain from starting.

use std::sync::Arc;

use serde_json::Value;

use capstan_core::card::{Card, Kind};
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Redactor, ResultError, TaskRequest};

use super::reference::{self, Earlier, Reference};
use crate::capability::{Behind, Found};
use crate::masked;
use crate::policy::Policy;
use crate::schemas::{self, CardSchemas, Schemas};
use crate::{combined, follow_up, input, integers, pagination, shape};

/// A step that may run.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    /// Its place in the request.
    pub index: usize,
    /// Its number as the caller counts.
    pub place: usize,
    pub request: &'a TaskRequest,
    pub card: Arc<Card>,
    pub behind: Behind,
    /// What its caller should hear.
    pub warnings: Vec<String>,
    pub schemas: Arc<CardSchemas>,
    /// With the schema's defaults, and references still as they are written.
    pub input: Value,
    pub references: Vec<Reference>,
    /// Its caller repeats it, so no request of it is repeated here.
    pub sent_once: bool,
}

impl Prepared<'_> {
    /// The steps that must have succeeded before this one.
    pub(crate) fn needs(&self) -> impl Iterator<Item = usize> {
        self.references.iter().map(|reference| reference.step)
    }

    /// The input with every reference filled in, checked again. `data` tells what a step found.
    pub(crate) fn filled_in<'d>(
        &self,
        data: impl Fn(usize) -> Option<&'d Value>,
    ) -> Result<Value, ResultError> {
        if self.references.is_empty() {
            return Ok(self.input.clone());
        }
        let mut filled = self.input.clone();
        for reference in &self.references {
            let value = data(reference.step).and_then(|data| reference.value(data));
            let place = filled.pointer_mut(&reference.at);
            match (value, place) {
                (Some(value), Some(place)) => *place = value,
                _ => {
                    let message = format!(
                        "bad input for {}: `{}` refers to `{}`, which has no value",
                        self.card.id,
                        dotted(&reference.at),
                        reference.text
                    );
                    return Err(ResultError::new(ErrorCode::Validation, message));
                }
            }
        }
        integers::normalize(&mut filled);
        let filled = pagination::continued(&self.card, &self.request.input, filled)?;
        self.schemas.check_input(&self.card, &filled, &[])?;
        masked::check_write(&self.card, &filled)?;
        Ok(filled)
    }

    /// The input with every reference naming itself, for a dry run.
    pub(crate) fn with_stand_ins(&self) -> Value {
        let mut filled = self.input.clone();
        for reference in &self.references {
            if let Some(place) = filled.pointer_mut(&reference.at) {
                *place = format!("<{}>", reference.text).into();
            }
        }
        filled
    }
}

/// The steps of a chain, as far as they may run, and for every bad one what is wrong with it.
pub(crate) struct Preparation<'a> {
    pub(crate) ready: Vec<Prepared<'a>>,
    /// By their places in the request.
    pub(crate) problems: Vec<(usize, ResultError)>,
}

/// Checks all steps. `found` is what each of them is to run.
pub(crate) fn prepare<'a>(
    request: &'a ChainRequest,
    found: Vec<Result<Found, ResultError>>,
    schemas: &Schemas,
    policy: &Policy,
    redactor: &Redactor,
) -> Preparation<'a> {
    let steps = &request.steps;
    if steps.len() > ChainRequest::MOST_STEPS {
        return Preparation {
            ready: Vec::new(),
            problems: (0..steps.len())
                .map(|index| (index, ChainRequest::too_many(steps.len())))
                .collect(),
        };
    }
    let cards: Vec<_> = found
        .iter()
        .map(|found| {
            found
                .as_ref()
                .map(|it| Arc::clone(&it.card))
                .map_err(Clone::clone)
        })
        .collect();
    let mut problems = Vec::new();
    let mut prepared = Vec::with_capacity(steps.len());
    for (index, (step, found)) in steps.iter().zip(found).enumerate() {
        let ready = found.and_then(|found| {
            if !request.verbatim {
                check_name(steps, index)?;
            }
            policy.check(&found.card, &found.behind)?;
            let ready = one(request, &cards, index, found, schemas)?;
            masked::check_write(&ready.card, &ready.input)?;
            masked::check_own_secrets(redactor, &ready.card, &ready.input)?;
            Ok(ready)
        });
        match ready {
            Ok(ready) => prepared.push(ready),
            Err(error) => {
                let card = cards[index].as_deref().ok();
                problems.push((index, with_mend(step, card, error)));
            }
        }
    }
    Preparation {
        ready: prepared,
        problems,
    }
}

fn one<'a>(
    chain: &'a ChainRequest,
    cards: &[Result<Arc<Card>, ResultError>],
    index: usize,
    found: Found,
    schemas: &Schemas,
) -> Result<Prepared<'a>, ResultError> {
    let Found {
        card,
        behind,
        mut warnings,
    } = found;
    let request = &chain.steps[index].request;
    if !card.combine.is_empty() && card.route_order().is_empty() {
        // Its input is valid, or it would be told so below: then it was not written out for want of work.
        check_input_alone(&card, request, schemas)?;
        return Err(combined::nothing_to_do(&card));
    }
    if card.kind() == Kind::Code {
        warnings.extend(schemas::misspelt(&card, &request.input));
    }
    let schemas = schemas.of(&card)?;
    let mut given = Value::Object(request.input.clone());
    let references = match chain.verbatim {
        true => Vec::new(),
        false => references(&chain.steps, cards, index, &card, &mut given)?,
    };
    let mut input = input::with_defaults(&card, given);
    if references.is_empty() {
        input = pagination::continued(&card, &request.input, input)?;
    }
    let places: Vec<_> = references.iter().map(|it| it.at.as_str()).collect();
    schemas.check_input(&card, &input, &places)?;
    shape::check_fields(&card, &request.options)?;
    warnings.extend(shape::unknown_fields(&card, &request.options));
    check_route(&card, request)?;
    Ok(Prepared {
        index,
        place: chain.place(index),
        request,
        card,
        behind,
        warnings,
        schemas,
        input,
        references,
        sent_once: chain.sent_once.contains(&index),
    })
}

/// Checks what can be told of a step without the steps around it.
pub(crate) fn check_alone(
    card: &Arc<Card>,
    request: &TaskRequest,
    schemas: &Schemas,
) -> Result<(), ResultError> {
    check_input_alone(card, request, schemas)?;
    shape::check_fields(card, &request.options)?;
    check_route(card, request)
}

/// Checks an input whose references are still open.
fn check_input_alone(
    card: &Arc<Card>,
    request: &TaskRequest,
    schemas: &Schemas,
) -> Result<(), ResultError> {
    let given = input::with_defaults(card, Value::Object(request.input.clone()));
    let open = reference::places(&given);
    let open: Vec<_> = open.iter().map(String::as_str).collect();
    schemas.of(card)?.check_input(card, &given, &open)
}

/// The references of a step, each of which fits where it stands.
fn references(
    steps: &[ChainStep],
    cards: &[Result<Arc<Card>, ResultError>],
    index: usize,
    card: &Card,
    input: &mut Value,
) -> Result<Vec<Reference>, ResultError> {
    let bad = |problem: String| {
        let message = format!("bad input for {}: {problem}", card.id);
        ResultError::new(ErrorCode::Validation, message)
    };
    let names: Vec<_> = steps.iter().map(|it| it.name.as_deref()).collect();
    let (names, later) = names.split_at(index);
    let earlier = Earlier { names, later };
    let references = reference::find(input, &earlier).map_err(|found| match &*found.at {
        "" => bad(found.problem),
        at => bad(format!("`{}`: {}", dotted(at), found.problem)),
    })?;
    for reference in &references {
        // A step that is bad itself is told so; what refers to it need not be.
        if let Ok(from) = &cards[reference.step] {
            reference
                .check(from, card)
                .map_err(|problem| bad(format!("`{}`: {problem}", dotted(&reference.at))))?;
        }
    }
    Ok(references)
}

fn check_name(steps: &[ChainStep], index: usize) -> Result<(), ResultError> {
    let Some(name) = &steps[index].name else {
        return Ok(());
    };
    let refuse = |problem: String| Err(ResultError::new(ErrorCode::Validation, problem));
    if !reference::is_name(name) {
        return refuse(format!(
            "`as` is {name:?}: expected a name of letters, digits, `_` and `-` that starts with a letter"
        ));
    }
    let namesake = steps[..index]
        .iter()
        .position(|step| step.name.as_ref() == Some(name));
    match namesake {
        None => Ok(()),
        Some(other) => refuse(format!("`as` is `{name}`, like that of step {other}")),
    }
}

fn check_route(card: &Card, request: &TaskRequest) -> Result<(), ResultError> {
    let Some(route) = request
        .options
        .route
        .filter(|route| !card.has_route(*route))
    else {
        return Ok(());
    };
    let has: Vec<_> = card.route_order().iter().map(|it| it.as_str()).collect();
    let message = format!(
        "{} has no {route} route; it has {}",
        card.id,
        has.join(", ")
    );
    Err(ResultError::new(ErrorCode::AdapterUnsupported, message))
}

fn with_mend(step: &ChainStep, card: Option<&Card>, error: ResultError) -> ResultError {
    let given = Value::Object(step.request.input.clone());
    let validation = error.code == ErrorCode::Validation && !error.details.contains_key("mend");
    match card.filter(|_| validation) {
        Some(card) => match follow_up::mend(card, &given, error.code) {
            Some(mend) => error.with_detail("mend", mend),
            None => error,
        },
        None => error,
    }
}

/// `/labels/0` as people write it.
fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}
