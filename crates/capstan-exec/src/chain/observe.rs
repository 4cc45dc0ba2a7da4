//! Who takes part in running a chain: what runs the steps that are no requests to GitHub, and what learns how they end.

use std::time::Instant;

use serde_json::Value;

use capstan_core::RouteRequest;
use capstan_core::card::Operation;
use capstan_core::port::{Answer, BoxFuture, Failure};

/// Runs what is no request to GitHub. To a chain it is a route like the others.
pub trait Delegate: Sync {
    /// Does it, once. `step` is the index of the prepared step. Dropping the future stops the work.
    fn call<'a>(
        &'a self,
        step: usize,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>>;
}

/// Learns what becomes of the steps of a chain as it happens. Steps are named by the indices of the prepared steps.
pub trait ChainObserver: Sync {
    /// A request is about to leave for some steps. An error keeps it from leaving.
    fn departing<'a>(&'a self, departure: Departure<'a>) -> BoxFuture<'a, Result<(), Failure>>;

    /// A request with writes came back, and it is certain that none of them happened.
    fn not_applied(&self, steps: &[usize]);

    /// A step is over.
    fn ended(&self, step: usize, result: Result<&Value, &Failure>);

    /// A request with writes came back, and the chain goes on or not.
    fn write_returned(&self, chain_is_over: bool);
}

/// A request that is about to leave.
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    pub steps: &'a [usize],
    pub operation: Operation,
    /// It goes to GitHub or to a downstream server; what Capstan does itself does not leave the machine.
    pub leaves_machine: bool,
}

/// How far a chain, or a skill, is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub finished: usize,
    pub total: usize,
    /// The steps of a skill that are under way.
    pub doing: Vec<String>,
}

/// Hears how far something is.
pub type Watch<'a> = &'a (dyn Fn(Progress) + Sync);
