//! The fake GitHub with everything around it: things that are read and written, faults, and a log of what arrived.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use capstan_core::port::{Answer, Failure, PartialError};
use capstan_core::{Outcome, Route, RouteRequest};
use capstan_exec::CancelFlag;
use serde_json::{Map, Value, json};

use super::clock::VirtualClock;
use super::failures::{not_found, timed_out};
use super::fault::{Effect, Fault};
use super::log::Sent;
use super::request::{Action, Item, id_of, items};

/// How long an answer takes.
pub(crate) const LATENCY: Duration = Duration::from_secs(1);

pub(crate) struct World {
    clock: Arc<VirtualClock>,
    /// Is set when a request leaves that was asked to.
    pub(crate) cancel: CancelFlag<'static>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    things: BTreeMap<String, Thing>,
    missing: BTreeSet<String>,
    faults: Vec<Fault>,
    log: Vec<Sent>,
    ticks: u64,
    /// The steps that the next request is for, and their chain.
    departing: (usize, Vec<usize>),
    cancel_at: Option<usize>,
}

/// What is there under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thing {
    pub(crate) value: String,
    /// What was added to it, in order.
    pub(crate) remarks: Vec<String>,
}

/// A request that is under way.
struct UnderWay {
    index: usize,
    effect: Option<Effect>,
    /// By item: what a read found when it arrived.
    found: Vec<Value>,
    takes: Duration,
}

impl World {
    pub(crate) fn new(clock: &Arc<VirtualClock>) -> Arc<Self> {
        Arc::new(Self {
            clock: Arc::clone(clock),
            cancel: CancelFlag::default(),
            state: Mutex::default(),
        })
    }

    pub(crate) fn add_fault(&self, fault: Fault) {
        self.state.lock().unwrap().faults.push(fault);
    }

    pub(crate) fn set_value(&self, name: &str, value: &str) {
        let mut state = self.state.lock().unwrap();
        state.things.entry(name.to_owned()).or_default().value = value.to_owned();
    }

    /// Takes a thing away: whoever asks for it is told that it is not there.
    pub(crate) fn remove(&self, name: &str) {
        self.state.lock().unwrap().missing.insert(name.to_owned());
    }

    /// Sets the flag as soon as so many requests have left.
    pub(crate) fn cancel_at(&self, requests: usize) {
        self.state.lock().unwrap().cancel_at = Some(requests);
    }

    pub(crate) fn log(&self) -> Vec<Sent> {
        self.state.lock().unwrap().log.clone()
    }

    pub(crate) fn things(&self) -> BTreeMap<String, Thing> {
        self.state.lock().unwrap().things.clone()
    }

    /// Notes whose request comes next.
    pub(crate) fn set_departing(&self, chain: usize, steps: &[usize]) {
        self.state.lock().unwrap().departing = (chain, steps.to_vec());
    }

    /// Takes a request and answers it.
    pub(crate) async fn exchange(
        &self,
        request: &RouteRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let deadline = self.clock.since_start(deadline);
        let under_way = self.begin(request, deadline);
        let left = deadline.saturating_sub(self.clock.elapsed());
        self.clock.pass(under_way.takes.min(left)).await;
        self.finish(&under_way, under_way.takes > left)
    }

    fn begin(&self, request: &RouteRequest, deadline: Duration) -> UnderWay {
        let mut state = self.state.lock().unwrap();
        let index = state.log.len();
        let items = items(request);
        let (chain, steps) = std::mem::take(&mut state.departing);
        state.ticks += 1;
        let mut sent = Sent {
            chain,
            steps,
            route: request.route(),
            operation: request.operation(),
            said: vec![None; items.len()],
            is_applied: vec![false; items.len()],
            items,
            left_at: self.clock.elapsed(),
            deadline,
            began: state.ticks,
            ended: None,
        };
        let effect = state.effect_on(&sent);
        let found = sent.items.iter().map(|item| state.found(item)).collect();
        let things = u32::try_from(sent.items.len()).unwrap();
        let takes = match &effect {
            Some(Effect::Delay(more)) => LATENCY + *more,
            Some(Effect::DelayEach(more)) => LATENCY + *more * things,
            Some(Effect::Hang { .. }) => Duration::MAX,
            _ => LATENCY,
        };
        if let Some(Effect::Hang { happens: true }) = effect {
            state.apply(&mut sent, |_| true);
        }
        state.log.push(sent);
        if state.cancel_at == Some(state.log.len()) {
            self.cancel.set();
        }
        UnderWay {
            index,
            effect,
            found,
            takes,
        }
    }

    fn finish(&self, under_way: &UnderWay, is_late: bool) -> Result<Answer, Failure> {
        let mut state = self.state.lock().unwrap();
        let mut sent = state.log[under_way.index].clone();
        let result = state.answer(&mut sent, under_way, is_late);
        if let Err(failure) = &result {
            sent.said.fill(Some(failure.outcome));
        }
        state.ticks += 1;
        sent.ended = Some(state.ticks);
        state.log[under_way.index] = sent;
        result
    }
}

impl State {
    /// Returns what the first fault that strikes does to a request.
    fn effect_on(&mut self, sent: &Sent) -> Option<Effect> {
        for fault in &mut self.faults {
            if fault.strikes(sent) {
                return Some(fault.effect.clone());
            }
        }
        None
    }

    /// Carries out the writes of a request that are to be, in their order.
    fn apply(&mut self, sent: &mut Sent, is_meant: impl Fn(usize) -> bool) {
        for (index, item) in sent.items.iter().enumerate() {
            let is_write = sent.is_write() && !sent.is_applied[index] && is_meant(index);
            if !is_write {
                continue;
            }
            sent.is_applied[index] = true;
            match &item.action {
                Action::Set { thing, value } => {
                    self.things
                        .entry(thing.clone())
                        .or_default()
                        .value
                        .clone_from(value);
                }
                Action::Remark { thing, value } => {
                    let thing = self.things.entry(thing.clone()).or_default();
                    thing.remarks.push(value.clone());
                }
                Action::Write(name) => {
                    let thing = self.things.entry(name.clone()).or_default();
                    thing.remarks.push("written".to_owned());
                }
                Action::Read(_) | Action::Rows(_) | Action::Call => {}
            }
        }
    }

    fn answer(
        &mut self,
        sent: &mut Sent,
        under_way: &UnderWay,
        is_late: bool,
    ) -> Result<Answer, Failure> {
        let has = |labels: &[String], index: usize| labels.contains(&sent.items[index].label);
        let some = |labels: &[String]| (0..sent.items.len()).any(|index| has(labels, index));
        match under_way.effect.clone() {
            Some(Effect::Hang { .. }) => return Err(timed_out()),
            _ if is_late => {
                self.apply(sent, |_| true);
                return Err(timed_out());
            }
            Some(Effect::Refuse(failure)) => return Err(failure),
            Some(Effect::Lose(failure)) => {
                self.apply(sent, |_| true);
                return Err(failure);
            }
            Some(Effect::Cut(writes, failure)) => {
                self.apply(sent, |index| index < writes);
                return Err(failure);
            }
            Some(Effect::MoreThan(most, failure)) if sent.items.len() > most => {
                return Err(failure);
            }
            Some(Effect::Blame(labels, heading, failure)) if some(&labels) => {
                let blamed = sent
                    .items
                    .iter()
                    .filter(|item| labels.contains(&item.label));
                let errors = blamed.map(|item| {
                    let key = item.field.as_ref().map(|field| field.key.clone());
                    let path = heading.iter().cloned().chain(key);
                    error(&failure, path.collect())
                });
                let errors = errors.collect();
                return Err(Failure { errors, ..failure });
            }
            Some(Effect::Answer(body)) => {
                self.apply(sent, |_| true);
                return Ok(Answer::of(body));
            }
            Some(Effect::Beside(labels, failure)) if sent.route == Route::Graphql => {
                let failing = labels.into_iter().map(|label| (label, failure.clone()));
                return Ok(self.partial(sent, under_way, &failing.collect::<Vec<_>>()));
            }
            Some(Effect::BesideEach(failing)) if sent.route == Route::Graphql => {
                return Ok(self.partial(sent, under_way, &failing));
            }
            Some(Effect::Unplaced(labels, failure)) if sent.route == Route::Graphql => {
                let failing = labels.into_iter().map(|label| (label, failure.clone()));
                let failing: Vec<_> = failing.collect();
                let errors = vec![error(&failure, Vec::new())];
                return Ok(Answer {
                    errors,
                    ..self.partial(sent, under_way, &failing)
                });
            }
            Some(Effect::Within(labels, failure)) if sent.route == Route::Graphql => {
                let mut answer = self.partial(sent, under_way, &[]);
                let inside = sent.items.iter().filter(|it| labels.contains(&it.label));
                let errors = inside.filter_map(|item| {
                    let key = item.field.as_ref()?.key.clone();
                    let data = answer.body.get_mut(&key)?;
                    data["id"] = Value::Null;
                    Some(error(&failure, vec![key, "id".to_owned()]))
                });
                answer.errors = errors.collect();
                return Ok(answer);
            }
            _ => {}
        }
        if sent.route == Route::Graphql {
            return Ok(self.partial(sent, under_way, &[]));
        }
        self.apply(sent, |_| true);
        match self.result(sent, under_way, 0) {
            Value::Null => Err(not_found()),
            body => Ok(Answer::of(body)),
        }
    }

    /// Carries out and answers a GraphQL request, but for what fails, each with an error at its place.
    fn partial(
        &mut self,
        sent: &mut Sent,
        under_way: &UnderWay,
        failing: &[(String, Failure)],
    ) -> Answer {
        let failure_of = |item: &Item| {
            let found = failing.iter().find(|(label, _)| *label == item.label);
            found.map(|(_, failure)| failure.clone())
        };
        let failures: Vec<_> = sent.items.iter().map(failure_of).collect();
        self.apply(sent, |index| failures[index].is_none());
        let mut data = Map::new();
        let mut errors = Vec::new();
        for ((index, item), failure) in sent.items.iter().enumerate().zip(failures) {
            let field = item.field.as_ref().unwrap();
            let value = match &failure {
                Some(_) => Value::Null,
                None => self.result(sent, under_way, index),
            };
            if value.is_null() {
                let failure = failure.unwrap_or_else(not_found);
                sent.said[index] = Some(failure.outcome);
                errors.push(error(&failure, vec![field.key.clone()]));
            }
            data.insert(field.key.clone(), field.select(&value));
        }
        Answer {
            errors,
            ..Answer::of(Value::Object(data))
        }
    }

    /// What a request has to say of one of its things: of reads what there was when it arrived.
    fn result(&self, sent: &Sent, under_way: &UnderWay, index: usize) -> Value {
        if sent.is_write() {
            self.found(&sent.items[index])
        } else {
            under_way.found[index].clone()
        }
    }

    fn found(&self, item: &Item) -> Value {
        let name = match &item.action {
            Action::Read(name) | Action::Rows(name) | Action::Write(name) => name,
            Action::Set { thing, .. } | Action::Remark { thing, .. } => thing,
            Action::Call => return json!({"id": id_of(&item.label)}),
        };
        if self.missing.contains(name) {
            return Value::Null;
        }
        let thing = self.things.get(name).cloned().unwrap_or_default();
        json!({
            "id": id_of(name),
            "name": name,
            "value": thing.value,
            "remarks": thing.remarks,
            "nodes": [],
        })
    }
}

fn error(failure: &Failure, path: Vec<String>) -> PartialError {
    PartialError {
        failure: Box::new(failure.clone()),
        path,
    }
}

/// Whether a write that was answered so may have happened.
pub(crate) fn may_have_happened(said: Option<Outcome>) -> bool {
    said != Some(Outcome::NotApplied)
}
