//! Chooses the calls that become steps, names the steps, and finds possible sources of their inputs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use capstan_schema::Schema;
use serde_json::Value;

use super::naming;
use super::observed::{DraftError, Link, ObservedCall};
use super::places::possible_sources;
use super::schema::alone;
use super::values::{DEEPEST, depth, plain};
use crate::library::Contract;
use crate::{OperationClass, OutsideCapabilities};

pub(super) struct DraftStep<'a> {
    pub(super) name: String,
    pub(super) call: &'a ObservedCall,
    pub(super) contract: Contract,
    /// The batch of the call, and how many calls of the batch had to finish before it.
    pub(super) turn: (u32, usize),
    pub(super) inputs: Vec<DraftInput<'a>>,
    /// Optional inputs that the call did not pass.
    pub(super) others: BTreeSet<String>,
}

/// An input that the step receives.
pub(super) struct DraftInput<'a> {
    pub(super) given: ObservedInput<'a>,
    /// The possible sources, best first.
    pub(super) sources: Vec<InputSource>,
    /// The index of the source in use.
    pub(super) current: usize,
    /// Whether only the type of its schema can be copied into the draft.
    pub(super) is_coarse: bool,
}

/// What is known of an input of a call.
pub(super) struct ObservedInput<'a> {
    pub(super) name: String,
    /// `None` if it was not recorded.
    pub(super) value: Option<&'a Value>,
    /// A self-contained schema, if there is one.
    pub(super) schema: Option<Value>,
    pub(super) required: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum InputSource {
    /// From outputs of other steps: the value with expressions, and the indices of these steps.
    FromSteps(Value, BTreeSet<usize>),
    /// The observed value.
    Literal,
    /// From the input of the skill.
    FromSkill,
}

impl DraftStep<'_> {
    pub(super) fn writes(&self) -> bool {
        self.contract.operation == OperationClass::Write
    }
}

impl DraftInput<'_> {
    pub(super) fn source(&self) -> &InputSource {
        self.sources
            .get(self.current)
            .unwrap_or(&InputSource::FromSkill)
    }

    /// Switches to the next source. Returns false if there is none.
    pub(super) fn try_next_source(&mut self) -> bool {
        let goes_on = self.current + 1 < self.sources.len();
        self.current += usize::from(goes_on);
        goes_on
    }
}

/// A call that becomes a step: its index among all calls, the call, and the contract.
type ChosenCall<'a> = (usize, &'a ObservedCall, Contract);

/// Returns the steps, each after those that it may depend on, and notes for the author.
pub(super) fn choose<'a>(
    calls: &'a [ObservedCall],
    outside: &dyn OutsideCapabilities,
) -> Result<(Vec<DraftStep<'a>>, Vec<String>), DraftError> {
    let (mut chosen, left_out) = choose_calls(calls, outside);
    match chosen.len() {
        0 if calls.is_empty() => {
            let why = "no card, tool or remembered code was called";
            return Err(DraftError::Nothing(why.to_owned()));
        }
        0 => return Err(DraftError::Nothing(left_out.join("; "))),
        count if count > ObservedCall::MOST => return Err(DraftError::TooMany(count)),
        _ => {}
    }
    let left_out = left_out.iter();
    let mut notes: Vec<_> = left_out.map(|why| format!("left out: {why}")).collect();
    chosen.sort_by_key(|(place, call, _)| (call.batch, *place));
    let numbers: HashMap<usize, usize> = chosen
        .iter()
        .enumerate()
        .map(|(number, (place, ..))| (*place, number))
        .collect();
    let mut steps: Vec<DraftStep<'a>> = Vec::with_capacity(chosen.len());
    for (_, call, contract) in chosen {
        let is_taken = |name: &str| steps.iter().any(|step| step.name == name);
        let name = naming::step(call.step.as_deref(), &call.capability, &is_taken);
        let links: Vec<(&Link, usize)> = call
            .links
            .iter()
            .filter_map(|link| {
                let number = *numbers.get(&link.from)?;
                (number < steps.len()).then_some((link, number))
            })
            .collect();
        let beside = links.iter().map(|(_, number)| steps[*number].turn);
        let beside = beside.filter(|(batch, _)| *batch == call.batch);
        let after_links = beside.map(|(_, before)| before + 1).max();
        // A write never overtakes other writes.
        let writes = contract.operation == OperationClass::Write;
        let others = steps.iter().filter(|it| writes && it.writes());
        let others = others.filter(|it| it.call.batch == call.batch);
        let turn = others.map(|it| it.turn.1).chain(after_links).max();
        let turn = turn.unwrap_or(0);
        let (inputs, others) = inputs(call, &contract, &links, &steps);
        if call.input.is_none() {
            notes.push(format!(
                "`{name}`: its input was not kept, so what is optional may be missing"
            ));
        }
        for input in &inputs {
            if input.given.value.is_none() && input.sources.len() == 1 {
                let input = &input.given.name;
                notes.push(format!(
                    "`{name}`: the value of `{input}` was not kept; it is an input without an example"
                ));
            }
        }
        steps.push(DraftStep {
            name,
            call,
            contract,
            turn: (call.batch, turn),
            inputs,
            others,
        });
    }
    Ok((steps, notes))
}

/// Returns the calls that become steps, and the reasons why others do not.
fn choose_calls<'a>(
    calls: &'a [ObservedCall],
    outside: &dyn OutsideCapabilities,
) -> (Vec<ChosenCall<'a>>, Vec<String>) {
    let mut chosen = Vec::new();
    let mut left_out: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (place, call) in calls.iter().enumerate() {
        let known = outside.find(&call.capability);
        let why = match (known, call.ok) {
            (_, false) => "failed",
            (None, true) => "is not a card, a tool or remembered code",
            (Some(known), true) => {
                chosen.push((place, call, known.contract));
                continue;
            }
        };
        *left_out.entry((&call.capability, why)).or_default() += 1;
    }
    let told = left_out.iter().map(|((name, why), count)| match count {
        1 => format!("`{name}` {why}"),
        count => format!("`{name}` {why} ({count} calls)"),
    });
    (chosen, told.collect())
}

/// Returns the inputs of a call, and the names of inputs that it did not pass.
fn inputs<'a>(
    call: &'a ObservedCall,
    contract: &Contract,
    links: &[(&Link, usize)],
    earlier: &[DraftStep<'a>],
) -> (Vec<DraftInput<'a>>, BTreeSet<String>) {
    let document = contract.input.as_deref();
    let properties = document.map(|it| Schema::new(it).properties());
    let properties = properties.unwrap_or_default();
    let observed = call.input.iter().flatten();
    let mut all: Vec<ObservedInput<'a>> = observed
        .map(|(name, value)| ObservedInput {
            name: name.clone(),
            value: (!call.hidden.contains(name)).then_some(value),
            schema: None,
            // Without a schema, an input is not known to be optional.
            required: document.is_none(),
        })
        .collect();
    let mut others = BTreeSet::new();
    for (name, property) in &properties {
        let node = property.schema().node();
        let schema = document.and_then(|document| alone(document, node));
        match all.iter_mut().find(|given| given.name == *name) {
            Some(given) => {
                given.schema = schema;
                given.required = property.required;
            }
            None if property.required => all.push(ObservedInput {
                name: (*name).to_owned(),
                value: None,
                schema,
                required: true,
            }),
            None => {
                others.insert((*name).to_owned());
            }
        }
    }
    let mut inputs = Vec::new();
    for given in all {
        let pointer = format!("/{}", given.name.replace('~', "~0").replace('/', "~1"));
        let own: Vec<_> = links
            .iter()
            .filter(|(link, _)| {
                let rest = link.at.strip_prefix(&pointer);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
            .collect();
        let default = given.schema.as_ref().and_then(|it| it.get("default"));
        if own.is_empty() && !given.required && given.value.is_some() && given.value == default {
            others.insert(given.name);
            continue;
        }
        let mut sources = Vec::new();
        if !own.is_empty() {
            sources.extend(linked(call, &given.name, &pointer, &own, earlier));
        }
        for (number, path) in possible_sources(&given, call.batch, earlier) {
            if let Some(text) = naming::path(&earlier[number].name, &path) {
                let source = InputSource::FromSteps(text.into(), BTreeSet::from([number]));
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
        let fits = given.value.is_some_and(|value| depth(value) <= DEEPEST);
        if !given.required && fits && own.is_empty() {
            sources.push(InputSource::Literal);
        }
        sources.push(InputSource::FromSkill);
        inputs.push(DraftInput {
            given,
            sources,
            current: 0,
            is_coarse: false,
        });
    }
    (inputs, others)
}

/// Returns the observed input with expressions where the origin of a value is known.
fn linked(
    call: &ObservedCall,
    name: &str,
    pointer: &str,
    links: &[&(&Link, usize)],
    earlier: &[DraftStep<'_>],
) -> Option<InputSource> {
    let mut value = plain(call.input.as_ref()?.get(name)?);
    let mut from = BTreeSet::new();
    for (link, number) in links {
        let text = naming::path(&earlier[*number].name, &link.path)?;
        let place = value.pointer_mut(link.at.strip_prefix(pointer)?)?;
        *place = text.into();
        from.insert(*number);
    }
    (depth(&value) <= DEEPEST).then_some(InputSource::FromSteps(value, from))
}
