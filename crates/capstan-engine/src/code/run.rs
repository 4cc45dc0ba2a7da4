//! Runs code in the sandbox, and counts its use.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use capstan_core::code::{
    Capability, ConsoleLine, Limits, Script, ScriptError, ScriptErrorKind, Stopped, Use,
};
use capstan_core::port::{Answer, Failure, Sandbox, ScriptRun};
use capstan_core::{ErrorCode, ResultError};

use super::CodeRunner;
use super::evidence::relaxation;
use super::failure::{busy_message, script_error, timeout_message};
use super::host::Host;
use super::watched::{UsedCode, uncounted_warning};
use crate::capability::Asker;
use crate::recorder::CallContext;

/// How deep code may call code. Deeper nesting is probably an endless recursion.
const DEEPEST_CODE: u32 = 8;

/// How many console lines an error includes: the last ones.
const MOST_CONSOLE_LINES: usize = 20;

/// The result of running a script, and what must be recorded about it.
pub(crate) struct ScriptOutcome {
    pub(crate) result: Result<Value, Failure>,
    pub(crate) console: Vec<ConsoleLine>,
    pub(crate) console_cut: bool,
    pub(crate) used: Use,
    /// `false` if the run was refused before it began; then it does not count as a use.
    pub(crate) began: bool,
    /// Warnings for the caller.
    pub(crate) warnings: Vec<String>,
}

impl CodeRunner<'_> {
    /// Runs remembered code, counts the use, and returns an answer like that of a route.
    pub(crate) async fn run_by_name(
        &self,
        capability: &Capability,
        args: &Map<String, Value>,
        deadline: Instant,
        context: CallContext<'_>,
    ) -> Result<Answer, Failure> {
        let sandbox = self.shared.sandbox().map_err(Failure::not_sent)?;
        let script = sandbox.read(&capability.pattern.code).await;
        let script = script.map_err(|error| Failure::not_sent(script_error(error)))?;
        let context = CallContext {
            asker: context.asker.max(Asker::OwnCode),
            ..context
        };
        let watched = self.watch_use(UsedCode::Named(&capability.record.fqdn));
        let ran = self
            .run_script(sandbox, &script, args, deadline, context)
            .await;
        watched.finish();
        let mut warnings = ran.warnings;
        if ran.began
            && let Some(store) = self.shared.store()
        {
            let counted = store.record_use(&capability.record.fqdn, ran.used);
            if let Err(error) = counted.await {
                warnings.push(uncounted_warning(&error));
            }
        }
        if ran.result.is_ok() {
            warnings.extend(self.learn_parameters(capability, args).await);
        }
        context
            .recorder
            .record_console(ran.console, ran.console_cut);
        ran.result.map(|body| Answer {
            warnings,
            ..Answer::of(body)
        })
    }

    /// Relaxes the known schema of the parameters after a successful run. Returns a warning if that cannot be stored.
    pub(super) async fn learn_parameters(
        &self,
        capability: &Capability,
        args: &Map<String, Value>,
    ) -> Option<String> {
        let learned = relaxation(&capability.pattern.parameters, args);
        if learned.is_empty() {
            return None;
        }
        let store = self.shared.store()?;
        let stored = store.relax_parameters(&capability.record.fqdn, learned);
        let error = stored.await.err()?;
        Some(format!(
            "what this run shows about the parameters was not saved: {error}"
        ))
    }

    /// Runs a script in the sandbox, and serves its calls.
    pub(crate) async fn run_script(
        &self,
        sandbox: &dyn Sandbox,
        script: &Script,
        args: &Map<String, Value>,
        deadline: Instant,
        context: CallContext<'_>,
    ) -> ScriptOutcome {
        let started = self.shared.clock.now();
        let depth = context.depth;
        if depth >= DEEPEST_CODE {
            let message = format!(
                "code calls code more than {DEEPEST_CODE} levels deep: it may be calling itself"
            );
            let error = ResultError::new(ErrorCode::Validation, message);
            return ScriptOutcome {
                result: Err(Failure::not_sent(error)),
                console: Vec::new(),
                console_cut: false,
                used: self.measured_use(false, started),
                began: false,
                warnings: Vec::new(),
            };
        }
        // Code that has begun may finish, because it would be unknown how much of its work is done. Only its caller
        // can abandon it.
        let context = CallContext {
            depth: depth + 1,
            stop: context.abandon,
            ..context
        };
        let host = Host::new(*self, context, deadline);
        let end = sandbox
            .run(ScriptRun {
                script,
                args,
                limits: self.limits(deadline.saturating_duration_since(started)),
                calls: &host,
                depth,
            })
            .await;
        let mut warnings: Vec<String> = dropped_calls_warning(&end.dropped).into_iter().collect();
        let mut ended = end.result;
        if ended.is_ok() {
            context.recorder.record_warnings(&end.warnings);
            let unknown = host.unknown_writes();
            if !unknown.is_empty() && self.shared.clock.now() >= deadline {
                // The time was over while the code waited for a write.
                let kind = ScriptErrorKind::Limit(Stopped::Wall);
                ended = Err(ScriptError::new(kind, String::new()));
            } else if depth == 0 {
                // For nested code, the outermost run reports the unknown writes.
                warnings.extend(unknown_writes_warning(&unknown));
            }
        }
        let used = self.measured_use(ended.is_ok(), started);
        let mut began = true;
        let result = ended.map_err(|mut error| {
            let time_limit = context.recorder.time_until(deadline);
            match error.kind {
                ScriptErrorKind::Limit(Stopped::Wall) => {
                    error.message = timeout_message(time_limit);
                    if let Some(unknown) = unknown_writes_warning(&host.unknown_writes()) {
                        error.message = format!("{}; {unknown}", error.message);
                    }
                }
                ScriptErrorKind::Busy => {
                    began = false;
                    if self.shared.clock.now() >= deadline {
                        error.message = busy_message(time_limit);
                    }
                }
                _ => {}
            }
            let mut failed = host.failure_with_writes(script_error(error));
            if !end.console.is_empty() {
                let from = end.console.len().saturating_sub(MOST_CONSOLE_LINES);
                let lines = end.console[from..].iter().map(|line| line.text.clone());
                let lines: Vec<_> = lines.collect();
                failed.error.set_detail("console", lines);
            }
            failed
        });
        ScriptOutcome {
            result,
            console: end.console,
            console_cut: end.console_cut,
            used,
            began,
            warnings,
        }
    }

    /// Returns the limits of a run that has the time `left`.
    fn limits(&self, left: Duration) -> Limits {
        Limits {
            wall: left.min(Limits::LONGEST_WALL),
            ..self.shared.settings.limits.clone()
        }
    }

    /// Returns the statistics of a run that began at `started` and ends now.
    pub(super) fn measured_use(&self, ok: bool, started: Instant) -> Use {
        let took = self.shared.clock.now().saturating_duration_since(started);
        Use {
            ok,
            latency_ms: took.as_secs_f64() * 1000.0,
            at: self.shared.timestamp(),
        }
    }
}

/// Returns the warning about calls that were still under way when the code returned; `None` if there were none.
fn dropped_calls_warning(calls: &[String]) -> Option<String> {
    let which = call_names(calls)?;
    Some(format!(
        "dropped {which}: the code returned without awaiting the answer; await a call to use its result"
    ))
}

/// Returns the warning about writes with an unknown outcome; `None` if there are none.
fn unknown_writes_warning(writes: &[String]) -> Option<String> {
    let which = call_names(writes)?;
    let (they, them) = if writes.len() == 1 {
        ("it", "it")
    } else {
        ("they", "them")
    };
    Some(format!(
        "the outcome of {which} is unknown: {they} may have happened; look before you do {them} again"
    ))
}

/// Describes calls: one by its name, several by their number and the first names. Returns `None` for no calls.
fn call_names(calls: &[String]) -> Option<String> {
    const MOST_NAMED: usize = 3;
    let first = calls.first()?;
    if calls.len() == 1 {
        return Some(first.clone());
    }
    let named: Vec<_> = calls.iter().take(MOST_NAMED).map(String::as_str).collect();
    Some(format!("{} calls ({})", calls.len(), named.join(", ")))
}
