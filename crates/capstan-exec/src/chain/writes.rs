//! The order of writes. They are applied in the order of the list: one request with writes is in flight at a time, and
//! a write waits until those before it are sent with it or have ended. Each service and each downstream server has an
//! order of its own, so one that hangs delays nobody else.

use std::time::Instant;

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::{ErrorCode, Outcome, ResultError, RouteRequest, ServiceName};

use super::conduct::Chain;
use super::parcel::{Parcel, Pending, pack};
use super::step::{ActiveStep, Sent, State};

/// Writes that keep their order among each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// GitHub, code that may write there, and what Capstan does itself.
    Main,
    Service(ServiceName),
    /// A downstream server.
    Server(String),
}

/// The position of a write among the others.
enum Turn {
    /// It has ended.
    Over,
    /// It is ready and can share a request with those before it.
    Joins,
    /// It is ready, on a route without batches.
    Alone,
    /// It will be ready without waiting for another write.
    Soon,
    /// It has to wait for the writes before it.
    Later,
}

impl Chain<'_> {
    /// Returns the requests with writes that may be sent now, at most one per lane.
    pub(super) fn next_writes(&mut self, now: Instant) -> Vec<Parcel> {
        let mut lanes: Vec<Lane> = Vec::new();
        for step in self.steps.iter().filter(|step| step.is_write()) {
            let lane = step.lane();
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
        let mut parcels = Vec::new();
        for lane in lanes {
            parcels.extend(self.next_writes_in(&lane, now));
        }
        parcels
    }

    pub(super) fn lane_is_free(&mut self, parcel: &Parcel) {
        let step = parcel.wants().next().map(|pending| pending.step);
        let lane = step.map(|step| self.steps[step].lane());
        self.under_way
            .writes
            .retain(|busy| Some(busy) != lane.as_ref());
    }

    fn next_writes_in(&mut self, lane: &Lane, now: Instant) -> Option<Parcel> {
        if self.under_way.writes.contains(lane) {
            return None;
        }
        let awaiting = self.awaiting_a_write();
        let mut together: Vec<usize> = Vec::new();
        let mut in_doubt = None;
        for (index, awaits_a_write) in awaiting.into_iter().enumerate() {
            if !self.steps[index].is_write() || self.steps[index].lane() != *lane {
                continue;
            }
            if let Some(finished) = self.steps[index].finished() {
                let unknown = finished.outcome() == Outcome::Unknown;
                in_doubt = in_doubt.or(unknown.then_some(index));
                continue;
            }
            if let Some(doubtful) = in_doubt {
                self.hold_back(index, doubtful);
                continue;
            }
            match self.turn_of(index, &together, awaits_a_write, now) {
                Turn::Over => {}
                Turn::Joins => {
                    together.push(index);
                    if together.len() >= self.context.limits.writes {
                        break;
                    }
                }
                Turn::Alone if together.is_empty() => {
                    together.push(index);
                    break;
                }
                // Waiting for a write that is almost ready saves a request.
                Turn::Soon => return None,
                Turn::Alone | Turn::Later => break,
            }
        }
        self.dispatch_writes(&together, lane, now)
    }

    /// Returns the position of a write that has not ended, if those before it are sent `together`.
    fn turn_of(
        &mut self,
        index: usize,
        together: &[usize],
        awaits_a_write: bool,
        now: Instant,
    ) -> Turn {
        let awaits_turn = matches!(&self.steps[index].state, State::Running(it) if it.awaits_turn);
        if awaits_turn {
            return self.settle(index, together, awaits_a_write, now);
        }
        match self.pending_write(index) {
            Some(pending) if pending.due > now => Turn::Later,
            Some(pending) if pending.is_batchable() => Turn::Joins,
            Some(_) => Turn::Alone,
            None if awaits_a_write => Turn::Later,
            None => Turn::Soon,
        }
    }

    /// Evaluates lookups that decide whether a step writes. Their answers are stale if an earlier write touched the same
    /// thing since; then they are sent again.
    fn settle(
        &mut self,
        index: usize,
        together: &[usize],
        awaits_a_write: bool,
        now: Instant,
    ) -> Turn {
        let ActiveStep { looked, state, .. } = &self.steps[index];
        let looked = *looked;
        let State::Running(running) = state else {
            return Turn::Over;
        };
        let subjects = running.attempt.subjects();
        let shared = |others: &Option<Vec<String>>| match others {
            Some(others) => others.iter().any(|it| subjects.contains(&it.as_str())),
            None => true,
        };
        if together.iter().any(|other| shared(&self.touches(*other))) {
            return Turn::Later;
        }
        let lookups_are_stale = self.steps[..index].iter().any(|step| {
            let since = |sent: &Sent| sent.answered.is_none_or(|answered| answered > looked);
            step.sent
                .as_ref()
                .is_some_and(|sent| since(sent) && shared(&sent.subjects))
        });
        let Some(running) = self.steps[index].running() else {
            return Turn::Over;
        };
        running.awaits_turn = false;
        if lookups_are_stale {
            running.attempt.look_again();
            self.steps[index].looked = self.ticks;
        } else if let Some(result) = running.attempt.settle() {
            self.steps[index].attempt_ended(result, |_| false);
        }
        self.go_on(now);
        // It has just requested its lookups or its operation, or steps that refer to it have requested theirs.
        self.give_up_unsendable(now);
        if self.steps[index].finished().is_some() {
            return Turn::Over;
        }
        self.turn_of(index, together, awaits_a_write, now)
    }

    /// Returns what the write of a step is about: the ids that its lookups found, and every text that it sends. Returns
    /// `None` for requests that name their target in an address: they may be about anything.
    fn touches(&self, index: usize) -> Option<Vec<String>> {
        // A document of the caller may name what it is about in its text.
        if self.steps[index].card().request.is_some() {
            return None;
        }
        let RouteRequest::Graphql(request) = &self.pending_write(index)?.want.request else {
            return None;
        };
        let mut subjects = Vec::new();
        if let State::Running(running) = &self.steps[index].state {
            subjects.extend(running.attempt.subjects().into_iter().map(str::to_owned));
        }
        for value in request.variables.values() {
            texts(value, &mut subjects);
        }
        Some(subjects)
    }

    fn pending_write(&self, index: usize) -> Option<&Pending> {
        let mut pending = self.pending.iter();
        pending.find(|it| it.step == index && it.operation() == Operation::Write)
    }

    /// Returns, by step, whether it refers, directly or indirectly, to a write that has not ended or to a read that waits
    /// for one.
    fn awaiting_a_write(&self) -> Vec<bool> {
        let waits = self.reads_that_wait();
        let mut awaiting = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let mut needs = step.prepared.needs();
            awaiting.push(needs.any(|needed| {
                let step = &self.steps[needed];
                let is_late = step.is_write() || awaiting[needed] || waits[needed];
                step.finished().is_none() && is_late
            }));
        }
        awaiting
    }

    /// Refuses a write because an earlier one has an unknown outcome and may still be in progress.
    fn hold_back(&mut self, index: usize, doubtful: usize) {
        if self.steps[index].is_verifying() {
            return;
        }
        self.pending.retain(|pending| pending.step != index);
        let doubtful = self.steps[doubtful].prepared.place;
        let message = format!(
            "not sent: the outcome of step {doubtful} is unknown, and writes keep their order"
        );
        let error = ResultError::new(ErrorCode::Cancelled, message).with_detail("step", doubtful);
        self.steps[index].refuse(error);
    }

    fn mark_sent(&mut self, index: usize, subjects: Option<Vec<String>>) {
        let (earlier, rest) = self.steps.split_at_mut(index);
        let Some(step) = rest.first_mut() else {
            return;
        };
        let claim = step.running().and_then(|running| running.attempt.claim());
        // If an earlier step set the same fields, a later read cannot prove that this write was applied.
        let mut sent = earlier.iter().filter_map(|other| other.sent.as_ref());
        let claimed = sent.any(|sent| match (&sent.claim, &claim) {
            (Some(theirs), Some(ours)) => theirs.overlaps(ours),
            // It may have set any field.
            (None, Some(_)) => sent.subjects.is_none(),
            (_, None) => false,
        });
        if let Some(running) = step.running().filter(|_| claimed) {
            running.attempt.forgo_proof();
        }
        step.sent = Some(Sent {
            subjects,
            claim,
            answered: None,
        });
    }

    fn dispatch_writes(&mut self, steps: &[usize], lane: &Lane, now: Instant) -> Option<Parcel> {
        let touched: Vec<_> = steps
            .iter()
            .map(|step| (*step, self.touches(*step)))
            .collect();
        let writes = self.take_due(now, |pending| {
            pending.operation() == Operation::Write && steps.contains(&pending.step)
        });
        let mut parcels = if writes.first()?.is_batchable() {
            pack(writes, &self.context.limits, self.context.documents)
        } else {
            writes.into_iter().map(|it| Parcel::alone(it, [])).collect()
        };
        let first = parcels.remove(0);
        for parcel in parcels {
            self.pending.extend(parcel.wants().cloned());
        }
        for (step, subjects) in touched {
            if first.wants().any(|pending| pending.step == step) {
                self.mark_sent(step, subjects);
            }
        }
        self.under_way.writes.push(lane.clone());
        Some(first)
    }
}

/// Every text in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        _ => {}
    }
}
