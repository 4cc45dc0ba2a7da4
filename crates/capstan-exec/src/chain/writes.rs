//! The order of writes. They happen as they are written: one request with writes is under way at a
//! time, and a write waits until those before it leave with it or are over. Downstream servers are
//! apart from GitHub and from each other: one that hangs holds up nobody else.

use std::time::Instant;

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::{ErrorCode, Outcome, ResultError, RouteRequest};

use super::conduct::Chain;
use super::parcel::{Parcel, Pending, pack};
use super::step::{ActiveStep, Sent, State};

/// Writes that keep their order among each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// GitHub, code that may write there, and what Capstan does itself.
    Own,
    /// A downstream server.
    Server(String),
}

/// Where a write stands among the writes.
enum Turn {
    /// It is over.
    Over,
    /// It is ready to leave with those before it.
    Joins,
    /// It is ready, on a route where everyone travels alone.
    Alone,
    /// It will be ready without any write before it.
    Soon,
    /// Only after those before it.
    Later,
}

impl Chain<'_> {
    /// The next requests with writes that may leave now.
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
                    if together.len() >= self.around.limits.writes {
                        break;
                    }
                }
                Turn::Alone if together.is_empty() => {
                    together.push(index);
                    break;
                }
                // What is ready waits for those who are about to be: one request instead of two.
                Turn::Soon => return None,
                Turn::Alone | Turn::Later => break,
            }
        }
        self.dispatch_writes(&together, lane, now)
    }

    /// Where a write that is not over stands, when those before it leave `together`.
    fn turn_of(
        &mut self,
        index: usize,
        together: &[usize],
        awaits_a_write: bool,
        now: Instant,
    ) -> Turn {
        let settled = matches!(&self.steps[index].state, State::Running(it) if it.settled);
        if settled {
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

    /// A step whose lookups decide whether it writes: what they found holds only if no write before
    /// it has changed that since.
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
        let overtaken = self.steps[..index].iter().any(|step| {
            let since = |sent: &Sent| sent.answered.is_none_or(|answered| answered > looked);
            step.sent
                .as_ref()
                .is_some_and(|sent| since(sent) && shared(&sent.subjects))
        });
        let Some(running) = self.steps[index].running() else {
            return Turn::Over;
        };
        running.settled = false;
        if overtaken {
            running.attempt.look_again();
            self.steps[index].looked = self.ticks;
        } else if let Some(result) = running.attempt.settle() {
            self.steps[index].attempt_ended(result, |_| false);
        }
        self.go_on(now);
        // Just now it has asked for its lookups or for its operation, or those that refer to it have asked for theirs.
        self.give_up_unsendable(now);
        if self.steps[index].finished().is_some() {
            return Turn::Over;
        }
        self.turn_of(index, together, awaits_a_write, now)
    }

    /// What the write of a step is about: the ids that its lookups found, and every text it sends.
    /// Nothing is known of what names its target in an address, so it may be about anything.
    fn touches(&self, index: usize) -> Option<Vec<String>> {
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

    /// By step: whether it refers, directly or not, to a write that is not over, or to a read that waits for one.
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

    /// Nothing is written after a write of which nobody knows whether it is still going on.
    fn hold_back(&mut self, index: usize, doubtful: usize) {
        if self.steps[index].is_verifying() {
            return;
        }
        self.pending.retain(|pending| pending.step != index);
        let doubtful = self.steps[doubtful].prepared.place;
        let message = format!(
            "not sent: nobody knows whether step {doubtful} happened, and writes keep their order"
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
        // What an earlier step set would look as if this one had.
        let mut sent = earlier.iter().filter_map(|other| other.sent.as_ref());
        let claimed = sent.any(|sent| match (&sent.claim, &claim) {
            (Some(theirs), Some(ours)) => theirs.overlaps(ours),
            // It may have set anything.
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
        let mut parcels = match writes.first()?.is_batchable() {
            true => pack(writes, &self.around.limits, self.around.documents),
            false => writes.into_iter().map(|it| Parcel::alone(it, [])).collect(),
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
