//! Which calls become steps, what the steps are called, and where their inputs may come from.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use capstan_schema::Schema;
use serde_json::Value;

use super::naming;
use super::observed::{DraftError, Link, Observed};
use super::places::sources;
use super::schema::alone;
use super::values::{DEEPEST, depth, plain};
use crate::library::Contract;
use crate::{OperationClass, Outside};

pub(super) struct Step<'a> {
    pub(super) name: String,
    pub(super) call: &'a Observed,
    pub(super) contract: Contract,
    /// The batch of the call, and how many of its batch had to be over before it.
    pub(super) turn: (u32, usize),
    pub(super) inputs: Vec<Input<'a>>,
    /// Inputs that it has and was not given.
    pub(super) others: BTreeSet<String>,
}

/// An input that a step is given.
pub(super) struct Input<'a> {
    pub(super) given: Given<'a>,
    /// Where it may come from, the best first.
    pub(super) ways: Vec<Way>,
    /// The one that is tried.
    pub(super) way: usize,
    /// Of its schema only the type is good enough to be repeated.
    pub(super) is_coarse: bool,
}

/// What is known of an input.
pub(super) struct Given<'a> {
    pub(super) name: String,
    /// Nothing where it was not kept.
    pub(super) value: Option<&'a Value>,
    /// A schema that stands for itself, where there is one.
    pub(super) schema: Option<Value>,
    pub(super) required: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Way {
    /// From what other steps give: as it stands in the file.
    Taken(Value, BTreeSet<usize>),
    /// As it was.
    Literal,
    /// From the input of the skill.
    Asked,
}

impl Step<'_> {
    pub(super) fn writes(&self) -> bool {
        self.contract.operation == OperationClass::Write
    }
}

impl Input<'_> {
    pub(super) fn way(&self) -> &Way {
        self.ways.get(self.way).unwrap_or(&Way::Asked)
    }

    /// The next best way, if there is one.
    pub(super) fn go_on(&mut self) -> bool {
        let goes_on = self.way + 1 < self.ways.len();
        self.way += usize::from(goes_on);
        goes_on
    }
}

/// A call that becomes a step, with its place among all calls.
type Chosen<'a> = (usize, &'a Observed, Contract);

/// The steps, each after those that it may take something from, and what is to be told.
pub(super) fn choose<'a>(
    calls: &'a [Observed],
    outside: &dyn Outside,
) -> Result<(Vec<Step<'a>>, Vec<String>), DraftError> {
    let (mut chosen, left_out) = parted(calls, outside);
    match chosen.len() {
        0 if calls.is_empty() => {
            let why = "no card, tool or remembered code was called";
            return Err(DraftError::Nothing(why.to_owned()));
        }
        0 => return Err(DraftError::Nothing(left_out.join("; "))),
        count if count > Observed::MOST => return Err(DraftError::TooMany(count)),
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
    let mut steps: Vec<Step<'a>> = Vec::with_capacity(chosen.len());
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
        // However soon it could begin, a write does not overtake others.
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
            if input.given.value.is_none() && input.ways.len() == 1 {
                let input = &input.given.name;
                notes.push(format!(
                    "`{name}`: the value of `{input}` was not kept; it is an input without an example"
                ));
            }
        }
        steps.push(Step {
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

/// The calls that become steps, and why others do not.
fn parted<'a>(calls: &'a [Observed], outside: &dyn Outside) -> (Vec<Chosen<'a>>, Vec<String>) {
    let mut chosen = Vec::new();
    let mut left_out: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (place, call) in calls.iter().enumerate() {
        let known = outside.find(&call.capability);
        let why = match (known, call.ok) {
            (_, false) => "failed",
            (None, true) => "is no card, no tool and no remembered code",
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

/// What a call is given, and which of its inputs are left.
fn inputs<'a>(
    call: &'a Observed,
    contract: &Contract,
    links: &[(&Link, usize)],
    earlier: &[Step<'a>],
) -> (Vec<Input<'a>>, BTreeSet<String>) {
    let document = contract.input.as_deref();
    let properties = document.map(|it| Schema::new(it).properties());
    let properties = properties.unwrap_or_default();
    let observed = call.input.iter().flatten();
    let mut all: Vec<Given<'a>> = observed
        .map(|(name, value)| Given {
            name: name.clone(),
            value: Some(value).filter(|_| !call.hidden.contains(name)),
            schema: None,
            // Of what is not known it is not known to be optional.
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
            None if property.required => all.push(Given {
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
        let mut ways = Vec::new();
        if !own.is_empty() {
            ways.extend(linked(call, &given.name, &pointer, &own, earlier));
        }
        for (number, path) in sources(&given, call.batch, earlier) {
            if let Some(text) = naming::path(&earlier[number].name, &path) {
                let way = Way::Taken(text.into(), BTreeSet::from([number]));
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        let fits = given.value.is_some_and(|value| depth(value) <= DEEPEST);
        if !given.required && fits && own.is_empty() {
            ways.push(Way::Literal);
        }
        ways.push(Way::Asked);
        inputs.push(Input {
            given,
            ways,
            way: 0,
            is_coarse: false,
        });
    }
    (inputs, others)
}

/// An input with expressions where it is known what was filled in.
fn linked(
    call: &Observed,
    name: &str,
    pointer: &str,
    links: &[&(&Link, usize)],
    earlier: &[Step<'_>],
) -> Option<Way> {
    let mut value = plain(call.input.as_ref()?.get(name)?);
    let mut from = BTreeSet::new();
    for (link, number) in links {
        let text = naming::path(&earlier[*number].name, &link.path)?;
        let place = value.pointer_mut(link.at.strip_prefix(pointer)?)?;
        *place = text.into();
        from.insert(*number);
    }
    (depth(&value) <= DEEPEST).then_some(Way::Taken(value, from))
}
