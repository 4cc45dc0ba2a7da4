//! Runs code that comes with the call, and remembers it if it succeeds.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use capstan_core::code::{Capability, LONGEST_INTENT, Limits, Mode, Namespace, Node, Script, Use};
use capstan_core::port::{NewCapability, Sandbox};
use capstan_core::{CodeRequest, ErrorCode, Options, ResultEnvelope, ResultError, ResultMeta};
use capstan_exec::masked;

use super::CodeRunner;
use super::evidence::relaxed_schema;
use super::run::ScriptOutcome;
use super::script_error;
use super::watched::{UsedCode, uncounted_warning};
use crate::capability::{check_direct_code, store_error};
use crate::envelope;
use crate::recorder::{Recorder, TraceSubject};
use crate::step_result::StepResult;

impl CodeRunner<'_> {
    /// Runs code once. If it succeeds, it becomes a capability; if it already is one, the use is counted. Returns an
    /// envelope in every case, after its facts are on the disk.
    pub(crate) async fn execute_code(&self, request: &CodeRequest) -> ResultEnvelope {
        let mut execution = self
            .trace_log
            .begin(Mode::Direct, Some(&request.intent), None);
        let mut meta = ResultMeta {
            mode: Some(Mode::Direct),
            ..ResultMeta::default()
        };
        let deadline = self.shared.clock.now() + self.time_limit(request);
        let ready = self.check_request(request).await;
        let (sandbox, script) = match ready {
            Ok(ready) => ready,
            Err(error) => {
                // Nothing was run, so there is no trace to store.
                drop(execution.finish());
                return envelope::from_step(
                    StepResult::failure(error, meta),
                    &self.shared.redactor,
                );
            }
        };
        execution.recorder().set_args(&request.args);
        let context = execution.recorder().top();
        let watched_use = self.watch_use(UsedCode::Hash(&script.hash));
        let ran = self.run_script(sandbox, &script, &request.args, deadline, context);
        let ScriptOutcome {
            result,
            console,
            console_cut,
            used,
            began,
            warnings,
        } = ran.await;
        watched_use.finish();
        let recorder = execution.finish();
        recorder.record_console(console, console_cut);
        meta.calls = recorder.calls_made(None);
        meta.timings = Some(recorder.timings(None));
        // If code returns no value, its console output is its only result.
        let has_no_value = result.as_ref().is_ok_and(Value::is_null);
        if request.options.trace || has_no_value {
            meta.console = recorder.console_so_far();
        }
        if self.shared.store().is_some() && (request.options.trace || result.is_err()) {
            meta.trace_id = Some(recorder.id().clone());
        }
        meta.warnings.extend(warnings);
        meta.warnings.extend(recorder.warnings());
        meta.warnings.extend(self.shared.session.take_warnings());
        let result = match result {
            Ok(data) => {
                let new = self.new_capability(request, &script, used);
                let kept = self.register(new, recorder).await;
                match kept {
                    Ok(Some(capability)) => {
                        let node = Node::Code(capability.record.fqdn.clone());
                        self.shared.session.set_last(node, self.shared.clock.now());
                        self.shared.session.has_news.store(true, Ordering::Relaxed);
                        set_names(&mut meta, &capability);
                        // If the code was known before, this run may teach more about its parameters.
                        let warning = self.learn_parameters(&capability, &request.args).await;
                        meta.warnings.extend(warning);
                    }
                    Ok(None) => {}
                    // The effects of the code are not undone, so the caller gets the result, with a warning.
                    Err(error) => meta.warnings.push(error.message),
                }
                StepResult::success(data, meta)
            }
            Err(failure) => {
                let known = if began {
                    self.count_failure(&script, used, &mut meta).await
                } else {
                    None
                };
                let about = TraceSubject {
                    mode: Mode::Direct,
                    intent: Some(&request.intent),
                    capability: known.as_deref(),
                    error: Some(&failure.error),
                };
                self.trace_log.keep(recorder, &about);
                StepResult::failure(failure, meta)
            }
        };
        let mut envelope = envelope::from_step(result, &self.shared.redactor);
        if request.options.cost {
            let CodeRequest {
                intent, code, args, ..
            } = request;
            let sent = json!({"intent": intent, "code": code, "args": args});
            envelope.meta.cost = Some(crate::cost::estimate(&sent, &envelope));
        }
        envelope
    }

    /// Checks everything that can be checked before the code runs. Returns the sandbox and the parsed code.
    async fn check_request(
        &self,
        request: &CodeRequest,
    ) -> Result<(&dyn Sandbox, Arc<Script>), ResultError> {
        let refuse = |message: &str| Err(ResultError::new(ErrorCode::Validation, message));
        if request.intent.trim().is_empty() {
            return refuse("`intent` is missing: say in a few words what the code is for");
        }
        if request.intent.len() > LONGEST_INTENT {
            return refuse(
                "`intent` is too long: say in a few words what the code is for, at most 1000 bytes",
            );
        }
        if let Cow::Owned(_) = self.shared.redactor.text(&request.code) {
            return refuse(
                "`code` contains a token: code is remembered, and secrets must not be; call GitHub \
                 through `capstan`, which has its own token",
            );
        }
        masked::check_args(&self.shared.redactor, &request.args)?;
        check_options(&request.options)?;
        check_direct_code(&self.shared.settings.policy)?;
        let sandbox = self.shared.sandbox()?;
        let script = sandbox.read(&request.code).await.map_err(script_error)?;
        Ok((sandbox, script))
    }

    /// Returns how long the code may run.
    fn time_limit(&self, request: &CodeRequest) -> Duration {
        let asked = request.options.timeout_ms.map(Duration::from_millis);
        asked
            .unwrap_or(self.shared.settings.run_timeout)
            .min(Limits::LONGEST_WALL)
    }

    fn new_capability(&self, request: &CodeRequest, script: &Script, used: Use) -> NewCapability {
        let calls: Vec<String> = script.calls.iter().map(|call| call.capability()).collect();
        NewCapability {
            by: self.shared.viewer().clone(),
            hash: script.hash.clone(),
            code: request.code.clone(),
            intent: self
                .shared
                .redactor
                .text(request.intent.trim())
                .into_owned(),
            namespace: Namespace::of(&script.calls).to_string(),
            parameters: relaxed_schema(script.parameters.clone(), &request.args),
            calls,
            used,
            trace: None,
        }
    }

    /// Remembers code that succeeded, with its trace. Returns `None` if there is no store.
    async fn register(
        &self,
        mut new: NewCapability,
        recorder: Recorder,
    ) -> Result<Option<Capability>, ResultError> {
        let Some(store) = self.shared.store() else {
            return Ok(None);
        };
        let intent = new.intent.clone();
        new.trace = Some(recorder.finish(&TraceSubject {
            mode: Mode::Direct,
            intent: Some(&intent),
            capability: None,
            error: None,
        }));
        let registered = store.register(new).await;
        registered.map(Some).map_err(|error| {
            let mut error = store_error(&error);
            error.message = format!("the code ran, but is not remembered: {}", error.message);
            error
        })
    }

    /// Counts a failure of code that already is a capability. Returns its full name, or `None` if it is no
    /// capability.
    async fn count_failure(
        &self,
        script: &Script,
        used: Use,
        meta: &mut ResultMeta,
    ) -> Option<String> {
        let store = self.shared.store()?;
        let counted = store.record_use_of_code(self.shared.viewer(), &script.hash, used);
        match counted.await {
            Ok(capability) => {
                let capability = capability?;
                set_names(meta, &capability);
                Some(capability.record.fqdn.to_string())
            }
            Err(error) => {
                meta.warnings.push(uncounted_warning(&error));
                None
            }
        }
    }
}

/// Sets the names of a capability in the envelope's metadata.
fn set_names(meta: &mut ResultMeta, capability: &Capability) {
    meta.capability_id = capability.record.action.clone();
    meta.capability_name = Some(capability.record.name.to_string());
    meta.capability_fqdn = Some(capability.record.fqdn.to_string());
}

/// Refuses options that cannot be honoured, instead of ignoring them.
fn check_options(options: &Options) -> Result<(), ResultError> {
    let timeout_ms = options.timeout_ms;
    let for_cards_only = [
        ("route", options.route.is_some()),
        ("fields", options.fields.is_some()),
    ];
    if let Some((name, _)) = for_cards_only.into_iter().find(|(_, given)| *given) {
        let message = format!("`options.{name}` is not for code: it returns what it chooses to");
        return Err(ResultError::new(ErrorCode::Validation, message));
    }
    let longest = Limits::LONGEST_WALL.as_millis();
    match timeout_ms {
        Some(asked) if asked == 0 || u128::from(asked) > longest => {
            let message =
                format!("`options.timeout_ms` is {asked}: expected 1 to {longest} milliseconds");
            Err(ResultError::new(ErrorCode::Validation, message))
        }
        _ => Ok(()),
    }
}
