//! Code that comes with the call: read, run, and remembered when it went well.

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
use super::evidence::without_refuted;
use super::failure;
use super::run::Ran;
use super::watched::{Used, uncounted};
use crate::capability::{broken, check_direct_code};
use crate::envelope;
use crate::recorder::{Recorder, TraceSubject};
use crate::step_result::StepResult;

impl CodeRunner<'_> {
    /// Runs code once. If it succeeds it is a capability from then on; if it is one already, it is
    /// counted. Whatever happens, the answer is an envelope; it is given when what it says would
    /// survive the end of the process.
    pub(crate) async fn execute_code(&self, request: &CodeRequest) -> ResultEnvelope {
        let mut execution = self
            .recording
            .begin(Mode::Direct, Some(&request.intent), None);
        let mut meta = ResultMeta {
            mode: Some(Mode::Direct),
            ..ResultMeta::default()
        };
        let deadline = self.shared.clock.now() + self.time_for(request);
        let ready = self.ready(request).await;
        let (sandbox, script) = match ready {
            Ok(ready) => ready,
            Err(error) => {
                // Nothing was run, so there is nothing to keep.
                drop(execution.finish());
                return envelope::of_step(StepResult::failure(error, meta), &self.shared.redactor);
            }
        };
        execution.recorder().set_args(&request.args);
        let within = execution.recorder().top();
        let watched_use = self.watch_use(Used::Code(&script.hash));
        let ran = self.run_script(sandbox, &script, &request.args, deadline, within);
        let Ran {
            result,
            console,
            console_cut,
            used,
            began,
            warnings,
        } = ran.await;
        watched_use.over();
        let recorder = execution.finish();
        recorder.console(console, console_cut);
        meta.calls = recorder.calls_made(None);
        meta.timings = Some(recorder.timings(None));
        // What has no value has what it printed.
        let says_nothing = result.as_ref().is_ok_and(Value::is_null);
        if request.options.trace || says_nothing {
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
                        name(&mut meta, &capability);
                        // Where the code was known before, this run may show more of it.
                        let unkept = self.learn_parameters(&capability, &request.args).await;
                        meta.warnings.extend(unkept);
                    }
                    Ok(None) => {}
                    // What was done is done: the caller gets the result, and hears of the rest.
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
                self.recording.keep(recorder, &about);
                StepResult::failure(failure, meta)
            }
        };
        let mut envelope = envelope::of_step(result, &self.shared.redactor);
        if request.options.cost {
            let CodeRequest {
                intent, code, args, ..
            } = request;
            let sent = json!({"intent": intent, "code": code, "args": args});
            envelope.meta.cost = Some(crate::cost::of(&sent, &envelope));
        }
        envelope
    }

    /// Everything that can be wrong before anything runs.
    async fn ready(
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
                "`code` contains a token: code is remembered, and secrets must not be; \
                 GitHub is reached through `capstan`, which has its own",
            );
        }
        masked::check_args(&self.shared.redactor, &request.args)?;
        check_options(&request.options)?;
        check_direct_code(&self.shared.settings.policy)?;
        let sandbox = self.shared.sandbox()?;
        let script = sandbox.read(&request.code).await.map_err(failure)?;
        Ok((sandbox, script))
    }

    fn time_for(&self, request: &CodeRequest) -> Duration {
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
            parameters: without_refuted(script.parameters.clone(), &request.args),
            calls,
            used,
            trace: None,
        }
    }

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
            let mut error = broken(&error);
            error.message = format!("the code ran, but is not remembered: {}", error.message);
            error
        })
    }

    /// Counts a failure of code that is a capability already. Its full name, if it is one.
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
                name(meta, &capability);
                Some(capability.record.fqdn.to_string())
            }
            Err(error) => {
                meta.warnings.push(uncounted(&error));
                None
            }
        }
    }
}

fn name(meta: &mut ResultMeta, capability: &Capability) {
    meta.capability_id = capability.record.action.clone();
    meta.capability_name = Some(capability.record.name.to_string());
    meta.capability_fqdn = Some(capability.record.fqdn.to_string());
}

/// What cannot be kept is refused rather than changed in silence.
fn check_options(options: &Options) -> Result<(), ResultError> {
    let timeout_ms = options.timeout_ms;
    let of_cards = [
        ("route", options.route.is_some()),
        ("fields", options.fields.is_some()),
    ];
    if let Some((name, _)) = of_cards.into_iter().find(|(_, given)| *given) {
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
