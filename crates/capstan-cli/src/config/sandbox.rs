//! The limits of the sandbox in the configuration.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::bail;
use capstan_core::code::Limits;
use capstan_sandbox::SandboxSettings;
use serde::Deserialize;

/// The limits for code. `None` is the default of the sandbox.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxConfig {
    pub memory_mb: Option<u64>,
    pub cpu_ms: Option<u64>,
    pub output_kb: Option<u64>,
    pub calls: Option<u32>,
    /// The number of runs that may compute at once.
    pub concurrency: Option<usize>,
    /// The number of runs at once, including those that wait for a call.
    pub runs: Option<usize>,
    /// How runs are isolated. `None` chooses processes where the platform supports them.
    pub isolation: Option<IsolationConfig>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IsolationConfig {
    Process,
    Thread,
}

/// The values that a configuration may have. Less is too little for any code, and more is likely a mistake.
const MEMORY_MB: RangeInclusive<u64> = 4..=4096;
const CPU_MS: RangeInclusive<u64> = 1..=600_000;
const OUTPUT_KB: RangeInclusive<u64> = 1..=65_536;
const CALLS: RangeInclusive<u64> = 1..=100_000;
const CONCURRENCY: RangeInclusive<u64> = 1..=256;
const RUNS: RangeInclusive<u64> = 1..=1024;

impl SandboxConfig {
    /// Fails if a value is out of range.
    pub(super) fn check(&self, file: &Path) -> anyhow::Result<()> {
        let count = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        for (name, value, range) in [
            ("memory_mb", self.memory_mb, MEMORY_MB),
            ("cpu_ms", self.cpu_ms, CPU_MS),
            ("output_kb", self.output_kb, OUTPUT_KB),
            ("calls", self.calls.map(u64::from), CALLS),
            ("concurrency", self.concurrency.map(count), CONCURRENCY),
            ("runs", self.runs.map(count), RUNS),
        ] {
            if let Some(value) = value.filter(|value| !range.contains(value)) {
                bail!(
                    "`sandbox.{name}` in `{}` is {value}: expected {} to {}",
                    file.display(),
                    range.start(),
                    range.end()
                );
            }
        }
        Ok(())
    }

    /// Returns these limits restricted by those of a found file, which can never raise one.
    pub(super) fn restricted_by(&self, found: &Self) -> Self {
        let defaults = Self::defaults();
        Self {
            memory_mb: restricted(self.memory_mb, found.memory_mb, defaults.memory_mb),
            cpu_ms: restricted(self.cpu_ms, found.cpu_ms, defaults.cpu_ms),
            output_kb: restricted(self.output_kb, found.output_kb, defaults.output_kb),
            calls: restricted(self.calls, found.calls, defaults.calls),
            concurrency: restricted(self.concurrency, found.concurrency, defaults.concurrency),
            runs: restricted(self.runs, found.runs, defaults.runs),
            isolation: self.isolation,
        }
    }

    /// Returns the limits that apply without a configuration.
    fn defaults() -> Self {
        let limits = Limits::default();
        let settings = SandboxSettings::new(None);
        Self {
            memory_mb: Some(limits.memory_bytes >> 20),
            cpu_ms: u64::try_from(limits.cpu.as_millis()).ok(),
            output_kb: Some(limits.output_bytes >> 10),
            calls: Some(limits.calls),
            concurrency: Some(settings.runners),
            runs: Some(settings.most_runs),
            isolation: None,
        }
    }
}

/// Returns the limit of the found file, but at most the own limit or the default.
fn restricted<T: Ord + Copy>(own: Option<T>, found: Option<T>, default: Option<T>) -> Option<T> {
    match (found, own.or(default)) {
        (Some(found), Some(most)) => Some(found.min(most)),
        _ => own,
    }
}
