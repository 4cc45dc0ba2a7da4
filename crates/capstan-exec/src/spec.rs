//! A chain as it is run: what was asked for, and how it is to be run.

use capstan_core::{ChainRequest, ChainStep, TaskRequest};

/// The steps of a chain and the rules for running them. Callers send a [`ChainRequest`]; the rules are for those who
/// build chains themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainSpec {
    pub steps: Vec<ChainStep>,
    /// How long the whole chain may take.
    pub timeout_ms: Option<u64>,
    /// Inputs are taken as they are: nothing in them is a reference.
    pub verbatim: bool,
    /// The steps have nothing to do with each other: a bad one keeps none from running, and reads do not wait for
    /// writes.
    pub independent: bool,
    /// The first failure ends the chain: what has not left by then is not sent.
    pub fail_fast: bool,
    /// Code, skills or later stages use the results, so they need true values: only Capstan's own tokens are masked.
    /// Otherwise the results are only shown, and everything that looks like a secret is masked.
    pub passes_on: bool,
    /// The indices of steps that the caller repeats itself: none of their requests is repeated here.
    pub sent_once: Vec<usize>,
    /// By step: its number as the caller counts, where that is another one. Empty where it is the same for all.
    pub places: Vec<usize>,
}

impl ChainSpec {
    /// Returns the chain of a single run.
    pub fn from_task(request: TaskRequest) -> Self {
        Self {
            timeout_ms: request.options.timeout_ms,
            verbatim: true,
            steps: vec![ChainStep {
                request,
                ..ChainStep::default()
            }],
            ..Self::default()
        }
    }

    /// Returns the number of a step as the caller counts.
    pub fn place(&self, index: usize) -> usize {
        self.places.get(index).copied().unwrap_or(index)
    }
}

impl From<&ChainRequest> for ChainSpec {
    fn from(request: &ChainRequest) -> Self {
        Self {
            steps: request.steps.clone(),
            timeout_ms: request.timeout_ms,
            ..Self::default()
        }
    }
}
