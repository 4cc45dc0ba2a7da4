//! The logs of jobs, in the format of GitHub's runners.

use time::{Duration, OffsetDateTime};

use super::archive::ArchiveEntry;
use crate::world::{JobStep, RunConclusion, WorkflowJob, WorkflowRun};

const MEGABYTE: usize = 1024 * 1024;

/// Returns the log of a whole job; with `megabytes`, its tests write at least so much.
pub(super) fn job_log(job: &WorkflowJob, megabytes: Option<u32>) -> Vec<u8> {
    let logs = job.steps.iter().map(|step| step_log(step, megabytes));
    logs.collect::<Vec<_>>().concat()
}

/// Returns the files of a run's logs: one for each job, and one for each step in a folder of the job's name.
pub(super) fn run_logs(run: &WorkflowRun, megabytes: Option<u32>) -> Vec<ArchiveEntry> {
    let mut entries = Vec::new();
    for (number, job) in (1..).zip(run.jobs()) {
        entries.push((
            format!("{number}_{}.txt", file_name(&job.name)),
            job_log(&job, megabytes),
        ));
        for step in &job.steps {
            entries.push((
                format!(
                    "{}/{}_{}.txt",
                    file_name(&job.name),
                    step.number,
                    file_name(&step.name)
                ),
                step_log(step, megabytes),
            ));
        }
    }
    entries
}

fn step_log(step: &JobStep, megabytes: Option<u32>) -> Vec<u8> {
    let mut log = LogWriter {
        text: String::new(),
        now: step.started_at,
    };
    match step.name.as_str() {
        "Set up job" => {
            log.line("Current runner version: '2.328.0'");
            log.group("Operating System", &["Ubuntu", "24.04.3", "LTS"]);
            log.line("Complete job name: build");
        }
        "Run tests" => run_tests(&mut log, step, megabytes),
        _ => log.line("Cleaning up orphan processes"),
    }
    log.text.into_bytes()
}

fn run_tests(log: &mut LogWriter, step: &JobStep, megabytes: Option<u32>) {
    log.group(
        "Run make test",
        &["make test", "shell: /usr/bin/bash -e {0}"],
    );
    log.line("test sequencer::starts_in_order ... ok");
    let wanted = usize::try_from(megabytes.unwrap_or(0)).unwrap_or(0) * MEGABYTE;
    let mut number: u64 = 0;
    while log.text.len() < wanted {
        number += 1;
        log.line(&format!("test generated::case_{number:08} ... ok"));
    }
    if step.conclusion == Some(RunConclusion::Failure) {
        log.line("test vote::rejects_an_outlier ... FAILED");
        log.line("##[error]assertion failed: votes agree (propulsion/src/vote.rs:41)");
        log.line("##[error]Process completed with exit code 2.");
    } else {
        log.line("test vote::rejects_an_outlier ... ok");
        log.line("##[warning]1 test was skipped");
    }
}

struct LogWriter {
    text: String,
    now: OffsetDateTime,
}

impl LogWriter {
    /// Writes a line with a time in tenths of microseconds.
    fn line(&mut self, text: &str) {
        use std::fmt::Write as _;
        self.now += Duration::microseconds(1250);
        let (date, time) = (self.now.date(), self.now.time());
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.text,
            "{date}T{:02}:{:02}:{:02}.{:07}Z {text}",
            time.hour(),
            time.minute(),
            time.second(),
            time.nanosecond() / 100
        );
    }

    fn group(&mut self, title: &str, lines: &[&str]) {
        self.line(&format!("##[group]{title}"));
        for line in lines {
            self.line(line);
        }
        self.line("##[endgroup]");
    }
}

/// Removes what GitHub removes from the names of files.
fn file_name(name: &str) -> String {
    name.replace(['/', ':', '<', '>', '|', '*', '?', '\\', '"'], "")
}
