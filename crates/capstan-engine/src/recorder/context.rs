//! The context of a call within its execution.

use std::sync::OnceLock;

use capstan_core::run::{Resumption, RunTurn};
use capstan_exec::CancelFlag;

use super::Recorder;
use crate::capability::Asker;

/// The place of a call in its execution, and the rules that apply there.
#[derive(Clone, Copy)]
pub(crate) struct CallContext<'a> {
    pub(crate) recorder: &'a Recorder,
    /// The number of the call that makes the calls of this context; `None` at the top of the execution.
    pub(crate) parent: Option<u32>,
    /// How many runs of code are waiting for this one: the depth of code that calls code.
    pub(crate) depth: u32,
    /// When set, no further step is begun. Code that already runs may still call and finish, because it is unknown
    /// how much of its work is done.
    pub(crate) stop: Option<&'a CancelFlag<'a>>,
    /// When set, the code that made this call no longer waits for it. In contrast to `stop`, code that already runs
    /// obeys it, too.
    pub(crate) abandon: Option<&'a CancelFlag<'a>>,
    /// Receives the number of the call that is opened in this context, if the chain has exactly one step.
    pub(crate) opened_call: Option<&'a OnceLock<u32>>,
    /// The turn at the run of the enclosing skill. Once the turn is over, nothing more is written.
    pub(crate) turn: Option<&'a RunTurn>,
    /// The enclosing step is declared as reading only, so no write is permitted.
    pub(crate) reads_only: bool,
    /// On whose behalf names are looked up.
    pub(crate) asker: Asker,
    /// The run that the only step of the chain, a skill, resumes.
    pub(crate) resume: Option<&'a Resumption>,
}
