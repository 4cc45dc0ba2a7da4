//! Where in an execution something happens.

use std::sync::OnceLock;

use capstan_core::run::{Resumption, RunTurn};
use capstan_exec::CancelFlag;

use super::Recorder;
use crate::capability::Asker;

/// The place of a call in its execution, and the rules that hold there.
#[derive(Clone, Copy)]
pub(crate) struct CallContext<'a> {
    pub(crate) recorder: &'a Recorder,
    /// The call that it is a part of.
    pub(crate) call: Option<u32>,
    /// How many runs of code wait for it.
    pub(crate) depth: u32,
    /// Says when nothing more is to be begun.
    pub(crate) halt: Option<&'a CancelFlag<'a>>,
    /// The same, said by code that does not wait for it any more. Other than `halt`, nested code obeys it.
    pub(crate) cancel: Option<&'a CancelFlag<'a>>,
    /// Takes the number of the call that is made from here, if it is one alone.
    pub(crate) number: Option<&'a OnceLock<u32>>,
    /// The turn at the run of a skill that it belongs to: where that is over, nothing more is written.
    pub(crate) turn: Option<&'a RunTurn>,
    /// What it is a part of says that it changes nothing, so nothing may.
    pub(crate) reads_only: bool,
    /// On whose behalf names are looked up.
    pub(crate) asker: Asker,
    /// The run with which the only step goes on: it is a skill.
    pub(crate) resume: Option<&'a Resumption>,
}
