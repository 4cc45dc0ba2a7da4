//! Prepares the steps of a chain: checks each, fills in defaults, and finds its references.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind, without_secrets};
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Redactor, ResultError, TaskRequest};

use super::reference::{self, Earlier, Reference};
use crate::schemas::{self, CardSchemas, Schemas};
use crate::spec::ChainSpec;
use crate::{defaults, follow_up, integers, masked, pagination, shape};

/// The capability that a step runs, as found by its name.
#[derive(Clone, Debug)]
pub struct StepTarget {
    pub card: Arc<Card>,
    /// The verdict of the policy.
    pub permission: Result<(), ResultError>,
}

/// A step that passed all checks.
#[derive(Debug)]
pub struct PreparedStep<'a> {
    /// Its index in the chain.
    pub index: usize,
    /// Its number as the caller counts.
    pub place: usize,
    pub request: &'a TaskRequest,
    pub card: Arc<Card>,
    /// Warnings for the caller.
    pub warnings: Vec<String>,
    pub schemas: Arc<CardSchemas>,
    /// The input with the schema's defaults. References are not filled in yet.
    pub input: Value,
    pub references: Vec<Reference>,
    /// The caller repeats it, so its requests are not repeated here.
    pub sent_once: bool,
}

impl PreparedStep<'_> {
    /// Returns the steps that must succeed before this one.
    pub(crate) fn needs(&self) -> impl Iterator<Item = usize> {
        self.references.iter().map(|reference| reference.step)
    }

    /// Returns the input with every reference filled in, checked again. `data` returns the data of a step.
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

    /// Returns the input with a placeholder for every reference, and without secrets, for a dry run.
    pub(crate) fn with_stand_ins(&self) -> Value {
        let mut filled = self.input.clone();
        for reference in &self.references {
            if let Some(place) = filled.pointer_mut(&reference.at) {
                *place = format!("<{}>", reference.text).into();
            }
        }
        without_secrets(&self.card.input_schema, &filled).into_owned()
    }
}

/// The steps that may run, and the problems of the others.
#[derive(Debug)]
pub struct Preparation<'a> {
    pub ready: Vec<PreparedStep<'a>>,
    /// By index in the chain.
    pub problems: Vec<(usize, ResultError)>,
}

/// Checks all steps. `targets` are the capabilities that they run, by step.
pub(crate) fn prepare<'a>(
    spec: &'a ChainSpec,
    targets: Vec<Result<StepTarget, ResultError>>,
    schemas: &Schemas,
    redactor: &Redactor,
) -> Preparation<'a> {
    let steps = &spec.steps;
    if steps.len() > ChainRequest::MOST_STEPS {
        return Preparation {
            ready: Vec::new(),
            problems: (0..steps.len())
                .map(|index| (index, ChainRequest::too_many(steps.len())))
                .collect(),
        };
    }
    let cards: Vec<_> = targets
        .iter()
        .map(|target| target.as_ref().ok().map(|it| Arc::clone(&it.card)))
        .collect();
    let mut problems = Vec::new();
    let mut ready = Vec::with_capacity(steps.len());
    for (index, target) in targets.into_iter().enumerate() {
        let prepared = target.and_then(|target| {
            if !spec.verbatim {
                check_name(steps, index)?;
            }
            target.permission?;
            let step = prepare_step(spec, &cards, index, target.card, schemas)?;
            masked::check_write(&step.card, &step.input)?;
            masked::check_own_secrets(redactor, &step.card, &step.input)?;
            Ok(step)
        });
        match prepared {
            Ok(step) => ready.push(step),
            Err(error) => {
                let card = cards[index].as_deref();
                problems.push((index, with_mend(&steps[index], card, error)));
            }
        }
    }
    Preparation { ready, problems }
}

fn prepare_step<'a>(
    spec: &'a ChainSpec,
    cards: &[Option<Arc<Card>>],
    index: usize,
    card: Arc<Card>,
    schemas: &Schemas,
) -> Result<PreparedStep<'a>, ResultError> {
    let request = &spec.steps[index].request;
    if !card.combine.is_empty() && card.route_order().is_empty() {
        // Invalid input is reported first. With valid input, the card was not expanded because no part was due.
        check_input_alone(&card, request, schemas)?;
        return Err(nothing_to_do(&card));
    }
    let mut warnings = Vec::new();
    if card.kind() == Kind::Code {
        warnings.extend(schemas::misspelt(&card, &request.input));
    }
    let schemas = schemas.of(&card)?;
    let mut given = Value::Object(request.input.clone());
    let references = if spec.verbatim {
        Vec::new()
    } else {
        references(&spec.steps, cards, index, &card, &mut given)?
    };
    let mut input = defaults::with_defaults(&card, given);
    if references.is_empty() {
        input = pagination::continued(&card, &request.input, input)?;
    }
    let places: Vec<_> = references.iter().map(|it| it.at.as_str()).collect();
    schemas.check_input(&card, &input, &places)?;
    shape::check_fields(&card, &request.options)?;
    warnings.extend(shape::unknown_fields(&card, &request.options));
    check_route(&card, request)?;
    Ok(PreparedStep {
        index,
        place: spec.place(index),
        request,
        card,
        warnings,
        schemas,
        input,
        references,
        sent_once: spec.sent_once.contains(&index),
    })
}

/// Checks a step as far as that is possible without the other steps.
pub fn check_alone(
    card: &Arc<Card>,
    request: &TaskRequest,
    schemas: &Schemas,
) -> Result<(), ResultError> {
    check_input_alone(card, request, schemas)?;
    shape::check_fields(card, &request.options)?;
    check_route(card, request)
}

/// Checks an input. References may stand for any value.
fn check_input_alone(
    card: &Arc<Card>,
    request: &TaskRequest,
    schemas: &Schemas,
) -> Result<(), ResultError> {
    let given = defaults::with_defaults(card, Value::Object(request.input.clone()));
    let open = reference::places(&given);
    let open: Vec<_> = open.iter().map(String::as_str).collect();
    schemas.of(card)?.check_input(card, &given, &open)
}

/// Returns the references of a step, type-checked.
fn references(
    steps: &[ChainStep],
    cards: &[Option<Arc<Card>>],
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
        // A problem of the other step is reported there.
        if let Some(from) = &cards[reference.step] {
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
        Some(other) => refuse(format!(
            "`as` is `{name}`, which is already the name of step {other}"
        )),
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

/// Adds the call that would mend invalid input, if there is one.
fn with_mend(step: &ChainStep, card: Option<&Card>, error: ResultError) -> ResultError {
    let Some(card) = card.filter(|_| error.code == ErrorCode::Validation) else {
        return error;
    };
    let given = Value::Object(step.request.input.clone());
    let mend = follow_up::mend(card, &given, error.code);
    error.or_mend(mend)
}

/// The error of a combined card whose input asks for nothing.
fn nothing_to_do(card: &Card) -> ResultError {
    let schema = &card.input_schema;
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let mut required = required.into_iter().flatten();
        required.any(|it| it.as_str() == Some(name))
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flat_map(Map::keys);
    let names: Vec<_> = names
        .filter(|name| !is_required(name))
        .map(|name| format!("`{name}`"))
        .collect();
    let message = format!(
        "bad input for {}: there is nothing to do; give at least one of {}",
        card.id,
        names.join(", ")
    );
    ResultError::new(ErrorCode::Validation, message)
}

/// Returns a JSON pointer in dotted form: `labels.0`.
fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}
