//! One run of code, from what is known of it to its result.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use capstan_core::code::{
    Capability, ConsoleLine, Limits, Script, ScriptError, ScriptErrorKind, Stopped, Use,
};
use capstan_core::port::{Answer, Failure, Sandbox, ScriptRun};
use capstan_core::{ErrorCode, ResultError};

use super::CodeRunner;
use super::evidence::refuted;
use super::failure::{busy_until, failure, out_of_time};
use super::host::Host;
use super::watched::{Used, uncounted};
use crate::capability::Asker;
use crate::recorder::CallContext;

/// Code that calls code that calls code: further down it is a mistake.
const DEEPEST: u32 = 8;

/// How much of the console is told with an error.
const CONSOLE_TOLD: usize = 20;

/// How a run went.
pub(crate) struct Ran {
    pub(crate) result: Result<Value, Failure>,
    pub(crate) console: Vec<ConsoleLine>,
    pub(crate) console_cut: bool,
    pub(crate) used: Use,
    /// What was refused before it began is no use.
    pub(crate) began: bool,
    /// What its caller should hear.
    pub(crate) warnings: Vec<String>,
}

impl CodeRunner<'_> {
    /// Runs remembered code, counts it, and answers like a route.
    pub(crate) async fn run_by_name(
        &self,
        capability: &Capability,
        args: &Map<String, Value>,
        deadline: Instant,
        within: CallContext<'_>,
    ) -> Result<Answer, Failure> {
        let sandbox = self.shared.sandbox().map_err(Failure::not_sent)?;
        let script = sandbox.read(&capability.pattern.code).await;
        let script = script.map_err(|error| Failure::not_sent(failure(error)))?;
        let within = CallContext {
            asker: within.asker.max(Asker::OwnCode),
            ..within
        };
        let watched = self.watch_use(Used::Named(&capability.record.fqdn));
        let ran = self
            .run_script(sandbox, &script, args, deadline, within)
            .await;
        watched.over();
        let mut warnings = ran.warnings;
        if let Some(store) = self.shared.store().filter(|_| ran.began) {
            let counted = store.record_use(&capability.record.fqdn, ran.used);
            if let Err(error) = counted.await {
                warnings.push(uncounted(&error));
            }
        }
        if ran.result.is_ok() {
            warnings.extend(self.learn_parameters(capability, args).await);
        }
        within.recorder.console(ran.console, ran.console_cut);
        ran.result.map(|body| Answer {
            warnings,
            ..Answer::of(body)
        })
    }

    /// Relaxes what is known of the parameters by a run that went well; what the caller should hear if
    /// that cannot be kept.
    pub(super) async fn learn_parameters(
        &self,
        capability: &Capability,
        args: &Map<String, Value>,
    ) -> Option<String> {
        let refuted = refuted(&capability.pattern.parameters, args);
        let store = self.shared.store().filter(|_| !refuted.is_empty())?;
        let learned = store.relax_parameters(&capability.record.fqdn, refuted);
        let error = learned.await.err()?;
        Some(format!(
            "what the run shows of its parameters is not kept: {error}"
        ))
    }

    pub(crate) async fn run_script(
        &self,
        sandbox: &dyn Sandbox,
        script: &Script,
        args: &Map<String, Value>,
        deadline: Instant,
        within: CallContext<'_>,
    ) -> Ran {
        let started = self.shared.clock.now();
        let depth = within.depth;
        if depth >= DEEPEST {
            let message = format!(
                "code calls code more than {DEEPEST} levels deep: it may be calling itself"
            );
            let error = ResultError::new(ErrorCode::Validation, message);
            return Ran {
                result: Err(Failure::not_sent(error)),
                console: Vec::new(),
                console_cut: false,
                used: self.used(false, started),
                began: false,
                warnings: Vec::new(),
            };
        }
        // Code that began is let finish, because nobody could tell how much of it is done; unless nobody
        // waits for it any more.
        let within = CallContext {
            depth: depth + 1,
            halt: within.cancel,
            ..within
        };
        let host = Host::new(*self, within, deadline);
        let end = sandbox
            .run(ScriptRun {
                script,
                args,
                limits: self.limits(deadline.saturating_duration_since(started)),
                calls: &host,
                depth,
            })
            .await;
        let mut warnings: Vec<String> = dropped(&end.dropped).into_iter().collect();
        let mut ended = end.result;
        if ended.is_ok() {
            within.recorder.record_warnings(&end.warnings);
            let unknown = host.unknown_writes();
            if !unknown.is_empty() && self.shared.clock.now() >= deadline {
                // Its time was over while it waited for a write.
                let kind = ScriptErrorKind::Limit(Stopped::Wall);
                ended = Err(ScriptError::new(kind, String::new()));
            } else if depth == 0 {
                // Of what is nested, whoever called it tells.
                warnings.extend(unknown_outcome(&unknown));
            }
        }
        let used = self.used(ended.is_ok(), started);
        let mut began = true;
        let result = ended.map_err(|mut error| {
            let whole = within.recorder.time_until(deadline);
            match error.kind {
                ScriptErrorKind::Limit(Stopped::Wall) => {
                    error.message = out_of_time(whole);
                    if let Some(unknown) = unknown_outcome(&host.unknown_writes()) {
                        error.message = format!("{}; {unknown}", error.message);
                    }
                }
                ScriptErrorKind::Busy => {
                    began = false;
                    if self.shared.clock.now() >= deadline {
                        error.message = busy_until(whole);
                    }
                }
                _ => {}
            }
            let mut failed = host.told(failure(error));
            if !end.console.is_empty() {
                let from = end.console.len().saturating_sub(CONSOLE_TOLD);
                let lines = end.console[from..].iter().map(|line| line.text.clone());
                let lines: Vec<_> = lines.collect();
                failed.error.set_detail("console", lines);
            }
            failed
        });
        Ran {
            result,
            console: end.console,
            console_cut: end.console_cut,
            used,
            began,
            warnings,
        }
    }

    /// What a run may use that must be over in so much time.
    fn limits(&self, left: Duration) -> Limits {
        Limits {
            wall: left.min(Limits::LONGEST_WALL),
            ..self.shared.settings.limits.clone()
        }
    }

    pub(super) fn used(&self, ok: bool, started: Instant) -> Use {
        let took = self.shared.clock.now().saturating_duration_since(started);
        Use {
            ok,
            latency_ms: took.as_secs_f64() * 1000.0,
            at: self.shared.timestamp(),
        }
    }
}

/// What is said of calls that were under way when the code had its result.
fn dropped(calls: &[String]) -> Option<String> {
    let which = named(calls)?;
    Some(format!(
        "dropped {which}: nobody awaited the answer when the code had its result; await a call to use what \
         it reads"
    ))
}

/// What is said of writes of which nobody knows whether they happened.
fn unknown_outcome(writes: &[String]) -> Option<String> {
    let which = named(writes)?;
    let (they, them) = if writes.len() == 1 {
        ("it", "it")
    } else {
        ("they", "them")
    };
    Some(format!(
        "the outcome of {which} is unknown: {they} may have happened; look before you do {them} again"
    ))
}

/// One call by its name, several by their number and the first names.
fn named(calls: &[String]) -> Option<String> {
    const NAMED: usize = 3;
    let first = calls.first()?;
    if calls.len() == 1 {
        return Some(first.clone());
    }
    let named: Vec<_> = calls.iter().take(NAMED).map(String::as_str).collect();
    Some(format!("{} calls ({})", calls.len(), named.join(", ")))
}
