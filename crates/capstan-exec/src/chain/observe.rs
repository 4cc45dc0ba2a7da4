//! The two traits by which callers take part in running a chain.

use std::time::Instant;

use capstan_core::RouteRequest;
use capstan_core::card::Operation;
use capstan_core::port::{Answer, BoxFuture, Failure};

use crate::attempt::Answered;

/// Runs steps that are not requests to GitHub. To a chain it is a route like the others.
pub trait Delegate: Sync {
    /// Runs a request once. `step` is the index of the prepared step. Dropping the future stops the work.
    fn call<'a>(
        &'a self,
        step: usize,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>>;
}

/// Observes the steps of a chain while it runs. Steps are identified by the indices of the prepared steps.
pub trait ChainObserver: Sync {
    /// A request is about to be sent for some steps. It is not sent if this fails.
    fn departing<'a>(&'a self, departure: Departure<'a>) -> BoxFuture<'a, Result<(), Failure>>;

    /// A request with writes came back, and certainly none of them was applied.
    fn not_applied(&self, steps: &[usize]);

    /// A step has ended.
    fn ended(&self, step: usize, result: Result<&Answered, &Failure>);

    /// A request with writes came back.
    fn write_returned(&self, chain_is_over: bool);
}

/// A request that is about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    pub steps: &'a [usize],
    pub operation: Operation,
    /// It goes to GitHub or to a downstream server. Local work does not leave the machine.
    pub leaves_machine: bool,
}

/// The progress of a chain or a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub finished: usize,
    pub total: usize,
    /// The steps of a skill that are running.
    pub doing: Vec<String>,
}

/// Receives progress.
pub type Watch<'a> = &'a (dyn Fn(Progress) + Sync);
