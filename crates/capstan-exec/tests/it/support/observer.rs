//! An observer that writes down what it hears: `r0,1` and `w2` are departures of reads and writes of these steps,
//! `x2` one that was kept from leaving, `-2` a write that did not happen, `2:ok` the end of a step, `back` and `over` the return of a write.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use capstan_core::Outcome;
use capstan_core::card::Operation;
use capstan_core::port::{BoxFuture, Failure};
use capstan_exec::{Answered, ChainObserver, Departure, outcome_of};

use super::clock::VirtualClock;
use super::world::World;

pub(crate) struct Observer {
    pub(crate) chain: usize,
    pub(crate) clock: Arc<VirtualClock>,
    pub(crate) world: Arc<World>,
    pub(crate) rules: Rules,
    pub(crate) heard: Mutex<Vec<Heard>>,
}

/// What an observer does beside listening.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Keeps writes from leaving.
    pub(crate) refuses_writes: Option<Failure>,
    /// Takes so long before a write may leave.
    pub(crate) write_delay: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Departing {
        steps: Vec<usize>,
        operation: Operation,
        leaves_machine: bool,
    },
    /// The observer kept it from leaving.
    Refused(Vec<usize>),
    NotApplied(Vec<usize>),
    /// With what it says of the effect, where it failed.
    Ended(usize, Option<Outcome>),
    Returned {
        is_over: bool,
    },
}

impl Observer {
    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    fn hear(&self, heard: Heard) {
        self.heard.lock().unwrap().push(heard);
    }
}

impl ChainObserver for Observer {
    fn departing<'a>(&'a self, departure: Departure<'a>) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let Departure {
                steps,
                operation,
                leaves_machine,
            } = departure;
            if operation == Operation::Write {
                if !self.rules.write_delay.is_zero() {
                    self.clock.pass(self.rules.write_delay).await;
                }
                if let Some(failure) = &self.rules.refuses_writes {
                    self.hear(Heard::Refused(steps.to_vec()));
                    return Err(failure.clone());
                }
            }
            self.hear(Heard::Departing {
                steps: steps.to_vec(),
                operation,
                leaves_machine,
            });
            self.world.set_departing(self.chain, steps);
            Ok(())
        })
    }

    fn not_applied(&self, steps: &[usize]) {
        self.hear(Heard::NotApplied(steps.to_vec()));
    }

    fn ended(&self, step: usize, result: Result<&Answered, &Failure>) {
        let outcome = match result {
            Ok(_) => None,
            Err(failure) => Some(outcome_of::<()>(&Err(failure.clone()))),
        };
        self.hear(Heard::Ended(step, outcome));
    }

    fn write_returned(&self, chain_is_over: bool) {
        let is_over = chain_is_over;
        self.hear(Heard::Returned { is_over });
    }
}

/// Returns what was heard as text.
pub(crate) fn text(heard: &[Heard]) -> String {
    let numbers = |steps: &[usize]| {
        let numbers: Vec<_> = steps.iter().map(ToString::to_string).collect();
        numbers.join(",")
    };
    let words: Vec<_> = heard
        .iter()
        .map(|heard| match heard {
            Heard::Departing {
                steps,
                operation,
                leaves_machine,
            } => {
                let kind = match operation {
                    Operation::Read => "r",
                    Operation::Write => "w",
                };
                let stays = if *leaves_machine { "" } else { "(here)" };
                format!("{kind}{}{stays}", numbers(steps))
            }
            Heard::Refused(steps) => format!("x{}", numbers(steps)),
            Heard::NotApplied(steps) => format!("-{}", numbers(steps)),
            Heard::Ended(step, None) => format!("{step}:ok"),
            Heard::Ended(step, Some(outcome)) => format!("{step}:{}", outcome.as_str()),
            Heard::Returned { is_over: false } => "back".to_owned(),
            Heard::Returned { is_over: true } => "over".to_owned(),
        })
        .collect();
    words.join(" ")
}
