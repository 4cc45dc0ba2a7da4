//! Records executions in the store: before their writes are sent, during them, and at their end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use capstan_graph::may_teach;
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

/// Records executions in the store.
pub(crate) struct TraceLog {
    shared: Arc<Shared>,
}

impl TraceLog {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Creates the recorder of an execution that begins now.
    pub(crate) fn new_recorder(&self) -> Recorder {
        let keeps_values = self.shared.store().is_some();
        let follows = self.shared.session.last(self.shared.clock.now());
        Recorder::new(
            Arc::clone(&self.shared.clock),
            self.shared.redactor.clone(),
            keeps_values,
        )
        .with_predecessor(follows)
    }

    /// Adds facts that only the recorder knows to the envelope of a single run: warnings, calls, timings, console,
    /// and the id of the trace.
    pub(crate) fn add_trace_facts(
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
            // The run itself is call 0 of its trace; its calls are below that.
            envelope.meta.calls = recorder.calls_made(Some(0));
            envelope.meta.timings = Some(recorder.timings(Some(0)));
        }
        // If code returns no value, its console output is its only result.
        let has_no_value =
            is_code && envelope.ok && envelope.data.as_ref().is_none_or(Value::is_null);
        if request.options.trace || has_no_value {
            envelope.meta.console = recorder.console_so_far();
        }
        if self.shared.store().is_some() && (request.options.trace || (is_code && !envelope.ok)) {
            envelope.meta.trace_id = Some(recorder.id().clone());
        }
    }

    /// Stores the trace of a single run, without waiting for the store.
    pub(crate) fn keep_task(
        &self,
        recorder: Recorder,
        request: &TaskRequest,
        envelope: &ResultEnvelope,
    ) {
        let meta = &envelope.meta;
        // Reading the store is not worth a trace, even if the call was invalid.
        let is_local =
            meta.route_used == Some(Route::Local) || self.is_own_read(&request.capability);
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

    /// Stores the trace of a chain, without waiting for the store.
    pub(crate) fn keep_chain(
        &self,
        recorder: Recorder,
        request: &ChainRequest,
        envelope: &ChainResultEnvelope,
    ) {
        let error = if envelope.status == ChainStatus::Success {
            None
        } else {
            envelope.results.iter().find_map(|it| it.error.as_ref())
        };
        self.keep(
            recorder,
            &TraceSubject {
                mode: Mode::Chain,
                intent: request.intent.as_deref(),
                capability: None,
                error,
            },
        );
    }

    /// Returns whether this id is one of Capstan's own actions that only read.
    fn is_own_read(&self, capability: &str) -> bool {
        let card = (self.shared.own_cards.get)(capability);
        card.is_some_and(|card| card.operation == Operation::Read)
    }

    /// Stores the trace of a finished execution, without waiting for the store.
    pub(crate) fn keep(&self, recorder: Recorder, about: &TraceSubject<'_>) {
        if let Some(store) = self.shared.store() {
            let has_written = recorder.is_recorded();
            let trace = recorder.finish(about);
            self.remember_last(&trace);
            self.shared.session.has_news.store(true, Ordering::Relaxed);
            let viewer = self.shared.viewer();
            if has_written {
                // The store already says that writes were sent; it should soon say how they ended. It begins
                // when it is called, and the answer does not depend on its success.
                drop(store.add_trace(viewer, trace));
            } else {
                let is_learned = !may_teach(&trace);
                store.add_trace_later(viewer, trace, is_learned);
            }
            // Pruning at random is often enough, with any number of processes.
            if fastrand::u32(..PRUNE_ONE_IN) == 0 {
                drop(store.prune_traces(self.shared.viewer(), MOST_TRACES));
            }
        }
    }

    /// Remembers the last call at the top, if it succeeded: the next execution of the session follows it.
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

    /// Records an execution before writes of it are sent, so that the record survives a `kill -9`. On an error the
    /// writes must not be sent.
    pub(crate) async fn record_departure(
        &self,
        context: CallContext<'_>,
        leaving: &[u32],
    ) -> Result<(), Failure> {
        let CallContext { recorder, turn, .. } = context;
        // If the first attempt failed, there is no stored record of this execution that could become outdated.
        if recorder.is_recordable()
            && let Some(store) = self.shared.store()
        {
            let open = recorder.take_unrecorded(leaving);
            let recorded = store.record_execution(self.shared.viewer(), open, turn.cloned());
            match recorded.await {
                Ok(Noted::Kept) => recorder.set_recorded(true),
                Ok(Noted::TurnOver) => return Err(turn_over_failure(turn)),
                // If there is a turn: another process may have taken the run over. With an earlier record: the store
                // would say that these writes were never sent.
                Err(error) if turn.is_some() || recorder.is_recorded() => {
                    return Err(unrecorded_failure(&error));
                }
                // A store that cannot keep traces does not prevent work.
                Err(error) => {
                    recorder.set_recorded(false);
                    let warning = format!("this execution is not recorded: {error}");
                    let warning = self.shared.redactor.text(&warning).into_owned();
                    self.shared.session.warn([warning]);
                }
            }
        }
        recorder.set_sent(leaving, Operation::Write, true);
        Ok(())
    }

    /// Records the progress of an execution, without waiting for the store.
    pub(crate) fn record_progress(&self, context: CallContext<'_>) {
        let recorder = context.recorder;
        if recorder.is_recorded()
            && let Some(store) = self.shared.store()
        {
            let open = recorder.take_unrecorded(&[]);
            if !open.calls.is_empty() {
                drop(store.record_execution(self.shared.viewer(), open, None));
            }
        }
    }

    /// Begins an execution. If its caller drops it before the end, its trace is still stored.
    pub(crate) fn begin<'a>(
        &'a self,
        mode: Mode,
        intent: Option<&'a str>,
        capability: Option<&'a str>,
    ) -> ActiveExecution<'a> {
        let has_several = matches!(mode, Mode::Chain | Mode::Direct);
        ActiveExecution {
            trace_log: self,
            recorder: Some(
                self.new_recorder()
                    .with_several_calls(has_several)
                    .with_request(mode, intent, capability),
            ),
            mode,
            intent,
            capability,
        }
    }
}

/// How many traces are kept for each viewer.
const MOST_TRACES: u64 = 10_000;

/// Old traces are pruned after one execution in so many, on average.
const PRUNE_ONE_IN: u32 = 256;

/// An execution under way. Its trace is stored even if the caller drops it.
pub(crate) struct ActiveExecution<'a> {
    trace_log: &'a TraceLog,
    recorder: Option<Recorder>,
    mode: Mode,
    intent: Option<&'a str>,
    capability: Option<&'a str>,
}

impl ActiveExecution<'_> {
    pub(crate) fn recorder(&mut self) -> &Recorder {
        let trace_log = self.trace_log;
        self.recorder
            .get_or_insert_with(|| trace_log.new_recorder())
    }

    /// Ends the execution and returns its recorder. The caller then stores the trace.
    pub(crate) fn finish(mut self) -> Recorder {
        let recorder = self.recorder.take();
        recorder.unwrap_or_else(|| self.trace_log.new_recorder())
    }
}

impl Drop for ActiveExecution<'_> {
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            let error =
                ResultError::new(ErrorCode::Cancelled, "the caller did not wait for the end");
            let subject = recorder.subject().cloned();
            let (mode, capability) = match (self.mode, &subject) {
                (Mode::Single, Some((mode, name))) => (*mode, Some(name.as_str())),
                (mode, _) => (mode, self.capability),
            };
            let about = TraceSubject {
                mode,
                intent: self.intent,
                capability,
                error: Some(&error),
            };
            let session = &self.trace_log.shared.session;
            session.set_interruption(recorder.interruption());
            let is_read =
                mode == Mode::Single && capability.is_some_and(|id| self.trace_log.is_own_read(id));
            if !is_read || !recorder.calls_made(Some(0)).is_empty() {
                self.trace_log.keep(recorder, &about);
            }
        }
    }
}

fn turn_over_failure(turn: Option<&RunTurn>) -> Failure {
    let message = match turn {
        Some(RunTurn { run, attempt }) => format!(
            "not sent: attempt {attempt} of run {run} is over: another process took the run over, \
             or it ended"
        ),
        None => "not sent: another process has the run".to_owned(),
    };
    Failure::not_sent(ResultError::new(ErrorCode::Conflict, message))
}

fn unrecorded_failure(error: &StoreError) -> Failure {
    let message = format!("not sent, because it could not be recorded first: {error}");
    Failure::not_sent(ResultError::new(ErrorCode::Unknown, message))
}
