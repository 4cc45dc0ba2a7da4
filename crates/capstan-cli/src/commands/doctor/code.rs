//! The state of the sandbox and of the store.

use std::path::Path;

use capstan_core::card::Kind;
use capstan_core::port::{Isolation, SandboxState};
use capstan_engine::{Capstan, SearchRequest};
use serde::Serialize;

use super::github::print_status;
use crate::output::{DIM, Printer, wrapped};

/// The column in which details begin.
const DETAIL_COLUMN: usize = 17;

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
    /// The number of code capabilities that this user may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl SandboxReport {
    pub(super) fn from_state(state: SandboxState) -> Self {
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
        let place = match self.isolation {
            "process" => "separate processes",
            _ => "this process",
        };
        let how = format!("code runs in {place}, at most {} at once", self.concurrency);
        print_status(printer, "sandbox", Ok(&how));
        let detail = |name: &str, text: String| {
            let text = wrapped(&text, DETAIL_COLUMN);
            printer.line(format_args!("        {DIM}{name:8}{DIM:#} {text}"));
        };
        if !self.layers.is_empty() {
            detail("layers", self.layers.join(", "));
        }
        for missing in &self.missing {
            detail("missing", missing.clone());
        }
        let limits = &self.limits;
        let text = format!(
            "time {} s, processor time {} s, memory {} MB, stack {} KB, result {} KB, console {} KB, {} calls",
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
    /// Opens the store if its file exists; a missing file is not created.
    pub(super) async fn collect(capstan: &Capstan, file: Option<&Path>) -> Self {
        let mut report = Self {
            file: file.map(|file| file.display().to_string()),
            exists: file.is_some_and(Path::exists),
            capabilities: None,
            why: None,
        };
        if file.is_none() {
            let why = "nothing is remembered: set HOME or XDG_DATA_HOME";
            report.why = Some(why.to_owned());
        }
        if report.exists {
            let code = SearchRequest {
                kind: Some(Kind::Code),
                ..SearchRequest::default()
            };
            let (hits, warnings) = capstan.discovery().search(&code).await;
            report.why = warnings.into_iter().next();
            if report.why.is_none() {
                report.capabilities = Some(hits.len());
            }
        }
        report
    }

    pub(super) fn print(&self, printer: &Printer) {
        let file = self.file.as_deref().unwrap_or_default();
        match (&self.why, self.capabilities) {
            (Some(why), _) => print_status(printer, "store", Err(why)),
            (None, Some(1)) => {
                print_status(printer, "store", Ok(&format!("1 capability in {file}")));
            }
            (None, Some(count)) => {
                print_status(
                    printer,
                    "store",
                    Ok(&format!("{count} capabilities in {file}")),
                );
            }
            (None, None) => print_status(
                printer,
                "store",
                Ok(&format!("{file}, created on first use")),
            ),
        }
    }
}
