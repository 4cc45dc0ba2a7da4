//! What is kept of an execution when it is over, off the way of its answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::code::{Mode, Node, Trace};
use capstan_core::port::{Failure, StoreError};
use capstan_core::run::{Noted, RunTurn};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, ChainStatus, ErrorCode, ResultEnvelope, ResultError, Route,
    TaskRequest,
};

use crate::recorder::{CallContext, Recorder, TraceSubject};
use crate::shared::Shared;

/// Records executions: before their writes leave, as they go on, and when they are over.
pub(crate) struct Recording {
    shared: Arc<Shared>,
}

impl Recording {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    pub(crate) fn recorder(&self) -> Recorder {
        let keeps = self.shared.store().is_some();
        let follows = self.shared.session.last(self.shared.clock.now());
        Recorder::new(
            Arc::clone(&self.shared.clock),
            self.shared.redactor.clone(),
            keeps,
        )
        .following(follows)
    }

    /// Adds to the envelope of one run what only the trace knows.
    pub(crate) fn complete(
        &self,
        envelope: &mut ResultEnvelope,
        recorder: &Recorder,
        request: &TaskRequest,
    ) {
        let is_code = envelope.meta.mode.is_some();
        envelope.meta.warnings.extend(recorder.warnings());
        envelope
            .meta
            .warnings
            .extend(self.shared.session.take_warnings());
        if is_code {
            // The run itself is the first call of its trace; what it called is within it.
            envelope.meta.calls = recorder.calls_made(Some(0));
            envelope.meta.timings = Some(recorder.timings(Some(0)));
        }
        // Of code that has no value, what it printed is all that there is.
        let says_nothing =
            is_code && envelope.ok && envelope.data.as_ref().is_none_or(Value::is_null);
        if request.options.trace || says_nothing {
            envelope.meta.console = recorder.console_so_far();
        }
        if self.shared.store().is_some() && (request.options.trace || (is_code && !envelope.ok)) {
            envelope.meta.trace_id = Some(recorder.id().clone());
        }
    }

    /// Keeps the trace of one run. Nobody waits for it.
    pub(crate) fn keep_task(
        &self,
        recorder: Recorder,
        request: &TaskRequest,
        envelope: &ResultEnvelope,
    ) {
        let meta = &envelope.meta;
        // Looking at what is remembered is nothing to remember, be it with a mistake.
        let is_local =
            meta.route_used == Some(Route::Local) || self.is_own_look(&request.capability);
        if is_local && recorder.calls_made(Some(0)).is_empty() {
            return;
        }
        let name = meta.capability_fqdn.as_deref();
        self.keep(
            recorder,
            &TraceSubject {
                mode: meta.mode.unwrap_or(Mode::Single),
                intent: request.intent.as_deref(),
                capability: Some(name.unwrap_or(&request.capability)),
                error: envelope.error.as_ref(),
            },
        );
    }

    /// Keeps the trace of a chain. Nobody waits for it.
    pub(crate) fn keep_chain(
        &self,
        recorder: Recorder,
        request: &ChainRequest,
        envelope: &ChainResultEnvelope,
    ) {
        let failed = envelope.status != ChainStatus::Success;
        let error = envelope.results.iter().find_map(|it| it.error.as_ref());
        self.keep(
            recorder,
            &TraceSubject {
                mode: Mode::Chain,
                intent: request.intent.as_deref(),
                capability: None,
                error: error.filter(|_| failed),
            },
        );
    }

    /// Whether Capstan itself shows something by this id, and changes nothing.
    fn is_own_look(&self, capability: &str) -> bool {
        let card = (self.shared.own_cards.get)(capability);
        card.is_some_and(|card| card.operation == Operation::Read)
    }

    pub(crate) fn keep(&self, recorder: Recorder, about: &TraceSubject<'_>) {
        if let Some(store) = self.shared.store() {
            let trace = recorder.finish(about);
            self.remember_last(&trace);
            self.shared.session.has_news.store(true, Ordering::Relaxed);
            // It starts when it is called; whether it succeeds is of no concern to the answer.
            drop(store.add_trace(self.shared.viewer(), trace));
            // Now and then is often enough, however many processes there are.
            if fastrand::u32(..PRUNE_EVERY) == 0 {
                drop(store.prune_traces(self.shared.viewer(), MOST_TRACES));
            }
        }
    }

    /// What was executed, as the next execution of the session follows it.
    pub(crate) fn remember_last(&self, trace: &Trace) {
        let last = trace.calls.iter().rfind(|call| call.within.is_none());
        if let Some(call) = last.filter(|call| trace.ok && call.ok) {
            let node = match &call.code {
                Some(code) => Node::Code(code.clone()),
                None => Node::Named(call.capability.clone()),
            };
            self.shared.session.set_last(node, self.shared.clock.now());
        }
    }

    /// Records an execution before calls of it leave that write. What is then known of it survives a
    /// `kill -9`. An error says why they must not leave.
    pub(crate) async fn record_departure(
        &self,
        within: CallContext<'_>,
        leaving: &[u32],
    ) -> Result<(), Failure> {
        let CallContext { recorder, turn, .. } = within;
        // What nobody could record from its beginning claims nothing, so it needs no further wait.
        if let Some(store) = self.shared.store().filter(|_| recorder.is_recordable()) {
            let open = recorder.take_unrecorded(leaving);
            let recorded = store.record_execution(self.shared.viewer(), open, turn.cloned());
            match recorded.await {
                Ok(Noted::Kept) => recorder.set_recorded(true),
                Ok(Noted::TurnOver) => return Err(turn_over(turn)),
                // Whether somebody else has the run by now cannot be found out; or what is recorded says
                // that this was never sent.
                Err(error) if turn.is_some() || recorder.is_recorded() => {
                    return Err(unrecorded(&error));
                }
                // Who can keep no traces can still work.
                Err(error) => {
                    recorder.set_recorded(false);
                    let warning = format!("this execution is not recorded: {error}");
                    let warning = self.shared.redactor.text(&warning).into_owned();
                    self.shared.session.warn([warning]);
                }
            }
        }
        recorder.set_left(leaving, Operation::Write, true);
        Ok(())
    }

    /// Records what is known by now, off the way of what comes next.
    pub(crate) fn record_progress(&self, within: CallContext<'_>) {
        let recorder = within.recorder;
        if let Some(store) = self.shared.store().filter(|_| recorder.is_recorded()) {
            let open = recorder.take_unrecorded(&[]);
            if !open.calls.is_empty() {
                drop(store.record_execution(self.shared.viewer(), open, None));
            }
        }
    }

    /// Watches an execution that its caller may drop before it is over.
    pub(crate) fn begin<'a>(
        &'a self,
        mode: Mode,
        intent: Option<&'a str>,
        capability: Option<&'a str>,
    ) -> ActiveExecution<'a> {
        let has_several = matches!(mode, Mode::Chain | Mode::Direct);
        ActiveExecution {
            recording: self,
            recorder: Some(
                self.recorder()
                    .of_several(has_several)
                    .asked_for(mode, intent, capability),
            ),
            mode,
            intent,
            capability,
        }
    }
}

/// How many traces are kept for each who executes something.
const MOST_TRACES: u64 = 10_000;
const PRUNE_EVERY: u32 = 256;

/// An execution under way. What it did is kept even if nobody waits for its end.
pub(crate) struct ActiveExecution<'a> {
    recording: &'a Recording,
    recorder: Option<Recorder>,
    mode: Mode,
    intent: Option<&'a str>,
    capability: Option<&'a str>,
}

impl ActiveExecution<'_> {
    pub(crate) fn recorder(&mut self) -> &Recorder {
        let recording = self.recording;
        self.recorder.get_or_insert_with(|| recording.recorder())
    }

    /// It is over: whoever takes the record keeps it.
    pub(crate) fn finish(mut self) -> Recorder {
        let recorder = self.recorder.take();
        recorder.unwrap_or_else(|| self.recording.recorder())
    }
}

impl Drop for ActiveExecution<'_> {
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            let error =
                ResultError::new(ErrorCode::Cancelled, "the caller did not wait for the end");
            let turned_out = recorder.turned_out().cloned();
            let (mode, capability) = match (self.mode, &turned_out) {
                (Mode::Single, Some((mode, name))) => (*mode, Some(name.as_str())),
                (mode, _) => (mode, self.capability),
            };
            let about = TraceSubject {
                mode,
                intent: self.intent,
                capability,
                error: Some(&error),
            };
            let session = &self.recording.shared.session;
            session.set_interruption(recorder.interruption());
            let is_look =
                mode == Mode::Single && capability.is_some_and(|id| self.recording.is_own_look(id));
            if !is_look || !recorder.calls_made(Some(0)).is_empty() {
                self.recording.keep(recorder, &about);
            }
        }
    }
}

fn turn_over(turn: Option<&RunTurn>) -> Failure {
    let message = match turn {
        Some(RunTurn { run, attempt }) => format!(
            "not sent: attempt {attempt} of run {run} is over: somebody else took the run over, or it \
             ended"
        ),
        None => "not sent: somebody else has the run".to_owned(),
    };
    Failure::not_sent(ResultError::new(ErrorCode::Conflict, message))
}

fn unrecorded(error: &StoreError) -> Failure {
    let message = format!("not sent, because that could not be recorded before: {error}");
    Failure::not_sent(ResultError::new(ErrorCode::Unknown, message))
}
