//! The errors that callers see when a run fails. Each says what to do.

use std::time::Duration;

use capstan_core::code::{Limits, ScriptError, ScriptErrorKind, Stopped};

pub(crate) fn limit(which: Stopped, limits: &Limits) -> ScriptError {
    let message = match which {
        Stopped::Wall => format!(
            "the code took longer than {}, waiting for calls included; ask for a longer time-out \
             (at most {}) or do less in one run",
            duration(limits.wall),
            duration(Limits::LONGEST_WALL),
        ),
        Stopped::Cpu => format!(
            "the code used more than {} of the processor; look for a loop that does not end, or do \
             less in one run",
            duration(limits.cpu),
        ),
        Stopped::Memory => format!(
            "the code needed more than {} of memory; handle less data at a time",
            size(limits.memory_bytes),
        ),
        Stopped::Stack => format!(
            "the code recursed too deeply for its stack of {}; use a loop, or fewer levels",
            size(limits.stack_bytes),
        ),
        Stopped::Output => format!(
            "the result is larger than {} as JSON; return only what is needed",
            size(limits.output_bytes),
        ),
        Stopped::Calls => format!(
            "the code made more than {} calls; do less in one run",
            limits.calls,
        ),
        Stopped::Source => "the code is nested too deeply to be read; split it".to_owned(),
    };
    ScriptError::new(ScriptErrorKind::Limit(which), message)
}

pub(crate) fn busy(runners: usize, patience: Duration) -> ScriptError {
    ScriptError::new(
        ScriptErrorKind::Busy,
        format!(
            "no run could begin for {}: {runners} were computing, or too many were waiting; try again later, or \
             run less at once",
            duration(patience),
        ),
    )
}

pub(crate) fn never_settles() -> ScriptError {
    let name = "NeverSettles".to_owned();
    ScriptError::new(
        ScriptErrorKind::Thrown { name },
        "the code never finishes: it awaits a promise that nothing resolves",
    )
}

pub(crate) fn not_json(flaw: &str) -> ScriptError {
    ScriptError::new(
        ScriptErrorKind::NotJson,
        format!("the result cannot be written as JSON: it is or contains {flaw}"),
    )
}

pub(crate) fn broken(what: &str) -> ScriptError {
    ScriptError::new(
        ScriptErrorKind::Broken,
        format!("the sandbox failed: {what}; running the code again may help"),
    )
}

pub(crate) fn not_started(error: &std::io::Error) -> ScriptError {
    ScriptError::new(
        ScriptErrorKind::Broken,
        format!(
            "no worker could be started to run the code: {error}; run `capstan doctor` for details"
        ),
    )
}

fn duration(duration: Duration) -> String {
    if duration < Duration::from_secs(1) || duration.subsec_millis() > 0 {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{} s", duration.as_secs())
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes >= 1 << 10 && bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}
