//! One step of a chain before it is run: what it is to run, its input, and what it waits for.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind};
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Redactor, ResultError, TaskRequest};

use super::reference::{self, Earlier, Reference};
use crate::schemas::{self, CardSchemas, Schemas};
use crate::spec::ChainSpec;
use crate::{defaults, follow_up, integers, masked, pagination, shape};

/// What a step is to run, as whoever knows the names of capabilities found it.
#[derive(Clone, Debug)]
pub struct StepTarget {
    pub card: Arc<Card>,
    /// Whether the policy lets it be run.
    pub permission: Result<(), ResultError>,
}

/// A step that may run.
#[derive(Debug)]
pub struct PreparedStep<'a> {
    /// Its place in the request.
    pub index: usize,
    /// Its number as the caller counts.
    pub place: usize,
    pub request: &'a TaskRequest,
    pub card: Arc<Card>,
    /// What its caller should hear.
    pub warnings: Vec<String>,
    pub schemas: Arc<CardSchemas>,
    /// With the schema's defaults, and references still as they are written.
    pub input: Value,
    pub references: Vec<Reference>,
    /// Its caller repeats it, so no request of it is repeated here.
    pub sent_once: bool,
}

impl PreparedStep<'_> {
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
#[derive(Debug)]
pub struct Preparation<'a> {
    pub ready: Vec<PreparedStep<'a>>,
    /// By their places in the request.
    pub problems: Vec<(usize, ResultError)>,
}

/// Checks all steps. `targets` says what each of them is to run.
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
        // Its input is valid, or it would be told so below: then it was not written out for want of work.
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

/// Checks what can be told of a step without the steps around it.
pub fn check_alone(
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
    let given = defaults::with_defaults(card, Value::Object(request.input.clone()));
    let open = reference::places(&given);
    let open: Vec<_> = open.iter().map(String::as_str).collect();
    schemas.of(card)?.check_input(card, &given, &open)
}

/// The references of a step, each of which fits where it stands.
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
        // A step that is bad itself is told so; what refers to it need not be.
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

/// Adds the call that would mend bad input, if there is one.
fn with_mend(step: &ChainStep, card: Option<&Card>, error: ResultError) -> ResultError {
    let Some(card) = card.filter(|_| error.code == ErrorCode::Validation) else {
        return error;
    };
    let given = Value::Object(step.request.input.clone());
    let mend = follow_up::mend(card, &given, error.code);
    error.or_mend(mend)
}

/// Says what to give to a combined card that was given nothing to do.
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
        "bad input for {}: nothing is to be done; give at least one of {}",
        card.id,
        names.join(", ")
    );
    ResultError::new(ErrorCode::Validation, message)
}

/// `/labels/0` as people write it.
fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}
