//! The steps of a skill before and after they are bound.

use std::collections::BTreeSet;
use std::time::Duration;

use capstan_core::expr::Expr;

use crate::Given;
use crate::library::Contract;
use crate::skill::{Compose, Retry};

/// One step of a skill, with what is known of what it runs.
pub(crate) struct Part<'a> {
    pub(crate) compose: &'a Compose,
    pub(crate) contract: Contract,
    /// Its inputs are stated in its own file, so their names are meant. Cards and tools have filters of
    /// names that other steps give by accident.
    pub(crate) states_its_input: bool,
}

/// A skill whose steps know where everything comes from.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// In the order of `composes`; nothing for those that are never run.
    pub(crate) steps: Vec<Option<BoundStep>>,
    /// The output, field by field.
    pub(crate) outputs: Vec<(String, Given)>,
    /// Steps whose results add their fields to the output, in order.
    pub(crate) spread: Vec<usize>,
    pub(crate) contract: Contract,
}

#[derive(Clone, Debug)]
pub(crate) struct BoundStep {
    /// Expressions over `$input` and `$step.output`.
    pub(crate) inputs: Vec<(String, Given)>,
    pub(crate) condition: Option<Expr>,
    /// Steps without whose results it cannot run: where they are skipped it is too.
    pub(crate) needs: BTreeSet<usize>,
    /// Steps that must be over.
    pub(crate) after: BTreeSet<usize>,
    pub(crate) retry: Option<Retry>,
    pub(crate) timeout: Option<Duration>,
}

/// What the steps of a skill are called.
pub(crate) fn names<'a>(parts: &'a [Part<'_>]) -> impl Iterator<Item = &'a str> {
    parts.iter().map(|part| part.compose.step_name())
}
