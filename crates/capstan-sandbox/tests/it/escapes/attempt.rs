//! Attempts: what is tried, how it has to end, and that the sandbox works afterwards.

use std::time::Duration;

use capstan_core::code::{Limits, ScriptErrorKind, Stopped};
use capstan_core::port::Sandbox;
use serde_json::{Value, json};

use crate::support::*;

pub(super) struct Attempt {
    pub(super) name: &'static str,
    pub(super) code: &'static str,
    pub(super) ends: Ends,
}

/// How an attempt has to end.
pub(super) enum Ends {
    With(Value),
    /// With an error that the code threw, of this name.
    Thrown(&'static str),
    /// At one of these limits.
    At(&'static [Stopped]),
    NotJson,
    /// With the error of a call.
    Call,
    /// Before it is run.
    Unread,
    /// Any way but by breaking the sandbox: the engine may take it or leave it.
    Somehow,
}

pub(super) use Ends::{At, Call, NotJson, Somehow, Thrown, Unread, With};

/// A busy machine decides which of the two comes first.
pub(super) const TIME: &[Stopped] = &[Stopped::Cpu, Stopped::Wall];
pub(super) const MEMORY: &[Stopped] = &[Stopped::Memory];
pub(super) const MEMORY_OR_TIME: &[Stopped] = &[Stopped::Memory, Stopped::Cpu, Stopped::Wall];
pub(super) const STACK: &[Stopped] = &[Stopped::Stack];

pub(super) const fn attempt(name: &'static str, code: &'static str, ends: Ends) -> Attempt {
    Attempt { name, code, ends }
}

/// What works is ended by the processor's clock, which does not depend on how busy the machine is;
/// what waits is ended by the other.
pub(super) fn limits(ends: &Ends) -> Limits {
    let waits = matches!(ends, At([Stopped::Wall]));
    Limits {
        wall: Duration::from_millis(if waits { 300 } else { 20_000 }),
        cpu: Duration::from_millis(200),
        ..small()
    }
}

pub(super) async fn make(attempts: Vec<Attempt>) {
    make_in(&*processes(), attempts).await;
}

pub(super) async fn make_in(sandbox: &dyn Sandbox, attempts: Vec<Attempt>) {
    let mut wrong = Vec::new();
    for Attempt { name, code, ends } in attempts {
        let answers = Answers::default();
        let end = run_with(sandbox, code, json!({ "n": 1 }), limits(&ends), &answers).await;
        let told = format!("{name}: {:?}", end.result);
        let error = end.result.as_ref().err();
        match (&ends, &end.result, error.map(|error| &error.kind)) {
            (With(value), Ok(result), _) if value == result => {}
            (Thrown(expected), _, Some(ScriptErrorKind::Thrown { name })) if expected == name => {}
            (At(expected), _, Some(ScriptErrorKind::Limit(which))) if expected.contains(which) => {}
            (NotJson, _, Some(ScriptErrorKind::NotJson)) => {}
            (Call, _, Some(ScriptErrorKind::Call(_))) => {}
            (
                Unread,
                _,
                Some(
                    ScriptErrorKind::Syntax
                    | ScriptErrorKind::Unsupported
                    | ScriptErrorKind::Limit(Stopped::Source),
                ),
            ) => {}
            (Somehow, Ok(_), _) => {}
            (Somehow, _, Some(kind)) if !matches!(kind, ScriptErrorKind::Broken) => {}
            _ => wrong.push(told.clone()),
        }
        if let Some(error) = error {
            assert!(!error.message.is_empty(), "{told}");
            assert!(error.message.len() < 5000, "{told}");
        }
        // Whoever comes next notices nothing.
        let code = "const r = await capstan.echo.it({ ok: [1, 2].map(n => n * args.n) }); \
                    console.log(typeof Object.prototype.polluted); r.ok";
        let end = run_with(sandbox, code, json!({ "n": 2 }), ample(), &answers).await;
        assert_eq!(end.result, Ok(json!([2, 4])), "after {told}");
        assert_eq!(end.console[0].text, "undefined", "after {told}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
