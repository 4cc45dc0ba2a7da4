//! What code may use, as the configuration says it.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::bail;
use capstan_core::code::Limits;
use capstan_sandbox::SandboxSettings;
use serde::Deserialize;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxConfig {
    pub memory_mb: Option<u64>,
    pub cpu_ms: Option<u64>,
    pub output_kb: Option<u64>,
    pub calls: Option<u32>,
    /// How many runs may compute at once.
    pub concurrency: Option<usize>,
    /// How many runs there may be at once, those included that wait.
    pub runs: Option<usize>,
    /// `process`, or `thread` where processes cannot be had.
    pub isolation: Option<IsolationConfig>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IsolationConfig {
    Process,
    Thread,
}

/// Less is not enough for anything, and more is a mistake.
const MEMORY_MB: RangeInclusive<u64> = 4..=4096;
const CPU_MS: RangeInclusive<u64> = 1..=600_000;
const OUTPUT_KB: RangeInclusive<u64> = 1..=65_536;
const CALLS: RangeInclusive<u64> = 1..=100_000;
const CONCURRENCY: RangeInclusive<u64> = 1..=256;
const RUNS: RangeInclusive<u64> = 1..=1024;

impl SandboxConfig {
    /// What a file may say.
    pub(super) fn check(&self, file: &Path) -> anyhow::Result<()> {
        let count = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        for (name, said, range) in [
            ("memory_mb", self.memory_mb, MEMORY_MB),
            ("cpu_ms", self.cpu_ms, CPU_MS),
            ("output_kb", self.output_kb, OUTPUT_KB),
            ("calls", self.calls.map(u64::from), CALLS),
            ("concurrency", self.concurrency.map(count), CONCURRENCY),
            ("runs", self.runs.map(count), RUNS),
        ] {
            if let Some(said) = said.filter(|said| !range.contains(said)) {
                bail!(
                    "`sandbox.{name}` in `{}` is {said}: expected {} to {}",
                    file.display(),
                    range.start(),
                    range.end()
                );
            }
        }
        Ok(())
    }

    /// With what a file says that merely lies in the current folder: never more than there would be
    /// without it.
    pub(super) fn narrowed_by(&self, found: &Self) -> Self {
        let usual = Self::usual();
        Self {
            memory_mb: narrowed(self.memory_mb, found.memory_mb, usual.memory_mb),
            cpu_ms: narrowed(self.cpu_ms, found.cpu_ms, usual.cpu_ms),
            output_kb: narrowed(self.output_kb, found.output_kb, usual.output_kb),
            calls: narrowed(self.calls, found.calls, usual.calls),
            concurrency: narrowed(self.concurrency, found.concurrency, usual.concurrency),
            runs: narrowed(self.runs, found.runs, usual.runs),
            isolation: self.isolation,
        }
    }

    /// What holds where nothing is said.
    fn usual() -> Self {
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

fn narrowed<T: Ord + Copy>(own: Option<T>, found: Option<T>, usual: Option<T>) -> Option<T> {
    match (found, own.or(usual)) {
        (Some(found), Some(most)) => Some(found.min(most)),
        _ => own,
    }
}
