//! A sandbox with workers of this crate, and somebody who answers calls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use capstan_core::code::{
    CallTarget, Limits, ScriptCall, ScriptEnd, ScriptError, ScriptErrorKind, ScriptReply,
    ScriptValue,
};
use capstan_core::port::{Isolation, Sandbox, ScriptCalls, ScriptRun, UnderWay};
use capstan_core::{ErrorCode, ResultError};
use capstan_sandbox::{SandboxSettings, WorkerCommand, sandbox};
use serde_json::{Map, Value, json};

pub(crate) fn settings() -> SandboxSettings {
    let worker = WorkerCommand::new(env!("CARGO_BIN_EXE_capstan-sandbox-worker"));
    SandboxSettings {
        patience: Duration::from_secs(60),
        ..SandboxSettings::new(Some(worker))
    }
}

pub(crate) fn processes() -> Arc<dyn Sandbox> {
    sandbox(settings())
}

pub(crate) fn threads() -> Arc<dyn Sandbox> {
    sandbox(SandboxSettings {
        isolation: Some(Isolation::Thread),
        ..settings()
    })
}

/// Small, so that what hits them hits them soon.
pub(crate) fn small() -> Limits {
    Limits {
        wall: Duration::from_millis(800),
        cpu: Duration::from_millis(300),
        memory_bytes: 16 << 20,
        output_bytes: 4096,
        console_bytes: 1024,
        calls: 50,
        ..Limits::default()
    }
}

/// Generous, for what is not about limits: machines are busy at times.
pub(crate) fn ample() -> Limits {
    Limits {
        wall: Duration::from_secs(60),
        cpu: Duration::from_secs(30),
        ..Limits::default()
    }
}

/// Answers by name: `echo.*` gives the input back, `fail.*` fails, `meta.*` has something beside,
/// `never.*` does not answer. `slow.*` does not answer either, and only reads; everything else may write.
#[derive(Default)]
pub(crate) struct Answers {
    /// The calls, as they came together.
    pub(crate) batches: Mutex<Vec<Vec<ScriptCall>>>,
    /// The calls that were given up.
    pub(crate) given_up: Mutex<Vec<u32>>,
}

impl Answers {
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let batches = self.batches.lock().unwrap();
        batches.iter().map(Vec::len).collect()
    }

    pub(crate) fn targets(&self) -> Vec<CallTarget> {
        let batches = self.batches.lock().unwrap();
        batches.iter().flatten().map(|c| c.target.clone()).collect()
    }
}

impl ScriptCalls for Answers {
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
        self.batches.lock().unwrap().push(calls.clone());
        let (never, now): (Vec<_>, Vec<_>) = calls.into_iter().partition(|call| {
            let capability = call.target.capability();
            capability.starts_with("never.") || capability.starts_with("slow.")
        });
        let mut under_way: Vec<UnderWay<'a>> = Vec::new();
        if !now.is_empty() {
            let replies = now.into_iter().map(answer).collect();
            under_way.push(Box::pin(async move {
                tokio::task::yield_now().await;
                replies
            }));
        }
        if !never.is_empty() {
            under_way.push(Box::pin(std::future::pending()));
        }
        under_way
    }

    fn drop_read(&self, id: u32) -> bool {
        let batches = self.batches.lock().unwrap();
        let mut calls = batches.iter().flatten();
        let reads =
            calls.any(|call| call.id == id && call.target.capability().starts_with("slow."));
        if reads {
            self.given_up.lock().unwrap().push(id);
        }
        reads
    }

    fn withdraw(&self, id: u32) -> bool {
        self.drop_read(id)
    }
}

fn answer(call: ScriptCall) -> ScriptReply {
    let capability = call.target.capability();
    let result = match capability.split('.').next() {
        Some("fail") => Err(
            ResultError::new(ErrorCode::NotFound, "there is no such thing")
                .with_detail("asked", call.input),
        ),
        Some("meta") => Ok(ScriptValue {
            data: json!({ "input": call.input }),
            meta: Some(json!({ "cursor": "next" })),
        }),
        _ => Ok(ScriptValue {
            data: call.input,
            meta: None,
        }),
    };
    ScriptReply {
        id: call.id,
        result,
    }
}

pub(crate) async fn run_with(
    sandbox: &dyn Sandbox,
    code: &str,
    args: Value,
    limits: Limits,
    calls: &dyn ScriptCalls,
) -> ScriptEnd {
    let args: Map<String, Value> = serde_json::from_value(args).unwrap();
    let script = match sandbox.read(code).await {
        Ok(script) => script,
        Err(error) => {
            return ScriptEnd {
                result: Err(error),
                console: Vec::new(),
                console_cut: false,
                warnings: Vec::new(),
                usage: Default::default(),
                dropped: Vec::new(),
            };
        }
    };
    sandbox
        .run(ScriptRun {
            script: &script,
            args: &args,
            limits,
            calls,
            depth: 0,
        })
        .await
}

pub(crate) async fn run(sandbox: &dyn Sandbox, code: &str) -> Result<Value, ScriptError> {
    let end = run_with(sandbox, code, json!({}), ample(), &Answers::default()).await;
    end.result
}

pub(crate) fn thrown(error: &ScriptError) -> &str {
    match &error.kind {
        ScriptErrorKind::Thrown { name } => name,
        other => panic!("{other:?}: {error}"),
    }
}
