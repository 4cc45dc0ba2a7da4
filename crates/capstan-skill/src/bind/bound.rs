//! The steps of a skill before and after they are bound.

use std::collections::BTreeSet;
use std::time::Duration;

use capstan_core::expr::Expr;

use crate::Given;
use crate::library::Contract;
use crate::skill::{Compose, Retry};

/// A step of a skill, with the contract of what it runs.
pub(crate) struct ComposedStep<'a> {
    pub(crate) compose: &'a Compose,
    pub(crate) contract: Contract,
    /// Whether the step's own file states its inputs. Only then are optional inputs bound to outputs of other
    /// steps by name: cards and tools have filters whose names match such outputs by accident.
    pub(crate) states_its_input: bool,
}

/// A skill after binding: the source of every input and output is known.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// The steps in the order of `composes`; `None` for steps that are never run.
    pub(crate) steps: Vec<Option<BoundStep>>,
    /// The fields of the output and where each comes from.
    pub(crate) outputs: Vec<(String, Given)>,
    /// Steps whose results add their fields to the output, in order.
    pub(crate) spread: Vec<usize>,
    pub(crate) contract: Contract,
}

#[derive(Clone, Debug)]
pub(crate) struct BoundStep {
    /// The inputs, as expressions over `$input` and `$step.output`.
    pub(crate) inputs: Vec<(String, Given)>,
    pub(crate) condition: Option<Expr>,
    /// Steps whose results this step requires. It is skipped if one of them is skipped.
    pub(crate) needs: BTreeSet<usize>,
    /// Steps that must have finished before this one starts.
    pub(crate) after: BTreeSet<usize>,
    pub(crate) retry: Option<Retry>,
    pub(crate) timeout: Option<Duration>,
}

/// Returns the names of the steps, in the order of `composes`.
pub(crate) fn names<'a>(parts: &'a [ComposedStep<'_>]) -> impl Iterator<Item = &'a str> {
    parts.iter().map(|part| part.compose.step_name())
}
