//! Where code runs, and where it is remembered.

use std::path::Path;

use capstan_core::card::Kind;
use capstan_core::port::{Isolation, SandboxState};
use capstan_engine::{Capstan, SearchRequest};
use serde::Serialize;

use super::github::state;
use crate::output::{DIM, Printer, wrapped};

/// The column where details stand.
const DETAIL: usize = 17;

#[derive(Serialize)]
pub(super) struct SandboxReport {
    isolation: &'static str,
    layers: Vec<String>,
    missing: Vec<String>,
    concurrency: usize,
    limits: LimitsReport,
}

#[derive(Serialize)]
struct LimitsReport {
    wall_ms: u128,
    cpu_ms: u128,
    memory_mb: u64,
    stack_kb: u64,
    output_kb: u64,
    console_kb: u64,
    calls: u32,
}

#[derive(Serialize)]
pub(super) struct StoreReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    exists: bool,
    /// How many there are that this user may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl SandboxReport {
    pub(super) fn of(state: SandboxState) -> Self {
        let limits = &state.limits;
        Self {
            isolation: match state.isolation {
                Isolation::Process => "process",
                Isolation::Thread => "thread",
            },
            concurrency: state.concurrency,
            limits: LimitsReport {
                wall_ms: limits.wall.as_millis(),
                cpu_ms: limits.cpu.as_millis(),
                memory_mb: limits.memory_bytes >> 20,
                stack_kb: limits.stack_bytes >> 10,
                output_kb: limits.output_bytes >> 10,
                console_kb: limits.console_bytes >> 10,
                calls: limits.calls,
            },
            layers: state.layers,
            missing: state.missing,
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let how = match self.isolation {
            "process" => "in processes of their own",
            _ => "inside this process",
        };
        let how = format!("runs happen {how}, {} at once", self.concurrency);
        state(printer, "sandbox", Ok(&how));
        let detail = |name: &str, text: String| {
            let text = wrapped(&text, DETAIL);
            printer.line(format_args!("        {DIM}{name:8}{DIM:#} {text}"));
        };
        if !self.layers.is_empty() {
            detail("held by", self.layers.join(", "));
        }
        for missing in &self.missing {
            detail("missing", missing.clone());
        }
        let limits = &self.limits;
        let text = format!(
            "{} s, of the processor {} s, memory {} MB, stack {} KB, result {} KB, console {} KB, {} calls",
            limits.wall_ms as f64 / 1000.0,
            limits.cpu_ms as f64 / 1000.0,
            limits.memory_mb,
            limits.stack_kb,
            limits.output_kb,
            limits.console_kb,
            limits.calls
        );
        detail("limits", text);
    }
}

impl StoreReport {
    /// A file that is not there is not made.
    pub(super) async fn of(capstan: &Capstan, file: Option<&Path>) -> Self {
        let mut report = Self {
            file: file.map(|file| file.display().to_string()),
            exists: file.is_some_and(Path::exists),
            capabilities: None,
            why: None,
        };
        if file.is_none() {
            let why = "nothing is remembered: this machine says neither HOME nor XDG_DATA_HOME";
            report.why = Some(why.to_owned());
        }
        if report.exists {
            let code = SearchRequest {
                kind: Some(Kind::Code),
                ..SearchRequest::default()
            };
            let (hits, warnings) = capstan.discovery().search(&code).await;
            report.why = warnings.into_iter().next();
            report.capabilities = Some(hits.len()).filter(|_| report.why.is_none());
        }
        report
    }

    pub(super) fn print(&self, printer: &Printer) {
        let file = self.file.as_deref().unwrap_or_default();
        match (&self.why, self.capabilities) {
            (Some(why), _) => state(printer, "store", Err(why)),
            (None, Some(1)) => state(printer, "store", Ok(&format!("1 capability in {file}"))),
            (None, Some(count)) => {
                state(
                    printer,
                    "store",
                    Ok(&format!("{count} capabilities in {file}")),
                );
            }
            (None, None) => state(printer, "store", Ok(&format!("{file}, made on first use"))),
        }
    }
}
