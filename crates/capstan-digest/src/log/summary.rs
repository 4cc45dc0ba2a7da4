//! Digests of logs: of one job, of one file of an archive, and of all jobs of a run.

use std::io::{self, BufRead, Read, Seek};

use super::compose::{Failure, failures_text, fitted};
use super::gather::{Passage, gather};
use super::layout::{JobFiles, jobs};
use super::scan::{Scan, StepScan, Steps, Window, scan};
use crate::archive::{Archive, ArchiveFile};
use crate::digest::{Entry, FailedStep, FileDigest};
use crate::error::DigestError;
use crate::limits::{LOG_BYTES, MAX_LISTED};

/// The lines that are shown of a log without errors, and of each of several.
const END_LINES: u64 = 15;
const END_LINES_OF_JOB: u64 = 5;

/// The most failed steps that are listed.
const MAX_FAILED: usize = 20;

/// The most jobs without errors whose last lines are shown.
const MAX_ENDS: usize = 5;

/// Returns the digest of the log of one job.
pub(crate) fn digest_log(mut source: impl BufRead + Seek) -> io::Result<FileDigest> {
    let found = scan(&mut source, Steps::Several)?;
    let windows = windows_of(&found);
    source.rewind()?;
    let passages = gather(&mut source, &windows)?;
    Ok(of_one(&found, passages, None))
}

/// Returns the digest of one file of an archive.
pub(crate) fn digest_entry<R: Read + Seek>(
    archive: &mut Archive<R>,
    file: &ArchiveFile,
) -> Result<FileDigest, DigestError> {
    let (found, passages) = read_twice(archive, file, steps_of(file))?;
    Ok(of_one(&found, passages, Some(&file.name)))
}

/// Returns the digest of all jobs, or of one.
pub(crate) fn digest_archive<R: Read + Seek>(
    archive: &mut Archive<R>,
    only: Option<&str>,
) -> Result<FileDigest, DigestError> {
    let mut jobs = jobs(&archive.files);
    jobs.retain(|job| only.is_none_or(|only| job.job == only));
    let mut failures = Vec::new();
    let mut ends = String::new();
    let mut size = 0;
    for job in &jobs {
        let before = failures.len();
        for file in files_of(job) {
            let (found, passages) = read_twice(archive, file, steps_of(file))?;
            size += found.bytes;
            failures.extend(failures_in(
                &found,
                passages,
                Some(&job.job),
                Some(&file.name),
            ));
        }
        if failures.len() == before && failures.is_empty() && ends.len() < LOG_BYTES {
            ends.push_str(&end_of(archive, job, jobs.len())?);
        }
    }
    let entries: Vec<Entry> = archive.files.iter().map(ArchiveFile::entry).collect();
    if jobs.is_empty() {
        return Ok(FileDigest {
            entries: Some(entries.into_iter().take(MAX_LISTED).collect()),
            ..FileDigest::default()
        });
    }
    if failures.is_empty() {
        let whole = jobs.iter().filter_map(|job| job.whole.as_ref());
        return Ok(FileDigest {
            size,
            failed: Some(Vec::new()),
            entries: Some(whole.take(MAX_LISTED).map(ArchiveFile::entry).collect()),
            more: Some("`entry` with `lines`, `tail` or `find` reads one of them".to_owned()),
            text: Some(ends),
            ..FileDigest::default()
        });
    }
    let example = failures.iter().find_map(|it| it.step.entry.clone());
    let text = failures_text(&failures);
    Ok(FileDigest {
        size,
        failed: Some(failed_of(failures)),
        more: example.map(|entry| {
            format!(
                "`entry: {entry}` with `lines`, `tail` or `find` reads more of it; `find` alone searches all logs"
            )
        }),
        text: Some(text),
        ..FileDigest::default()
    })
}

/// Returns the files in which a job's steps are.
fn files_of(job: &JobFiles) -> Vec<&ArchiveFile> {
    if job.steps.is_empty() {
        return job.whole.iter().collect();
    }
    job.steps.iter().map(|step| &step.file).collect()
}

/// Returns what steps a file has: `build/2_Run tests.txt` has one.
fn steps_of(file: &ArchiveFile) -> Steps<'_> {
    let path = file.name.strip_suffix(".txt").unwrap_or(&file.name);
    match path.split_once('/') {
        Some((_, name)) => {
            let title = name.split_once('_').map_or(name, |(_, title)| title);
            Steps::Only(title)
        }
        None => Steps::Several,
    }
}

/// Returns the last lines of a job without errors.
fn end_of<R: Read + Seek>(
    archive: &mut Archive<R>,
    job: &JobFiles,
    jobs: usize,
) -> Result<String, DigestError> {
    if jobs > MAX_ENDS {
        return Ok(String::new());
    }
    let Some(file) = job
        .whole
        .as_ref()
        .or(job.steps.last().map(|step| &step.file))
    else {
        return Ok(String::new());
    };
    let in_entry = |error: io::Error| DigestError::in_entry(&file.name, &error);
    let found = scan(archive.read(file)?, steps_of(file)).map_err(in_entry)?;
    let count = if jobs == 1 {
        END_LINES
    } else {
        END_LINES_OF_JOB
    };
    let Some(end) = main_end(&found, count) else {
        return Ok(String::new());
    };
    let passages = gather(archive.read(file)?, &[end]).map_err(in_entry)?;
    Ok(format!(
        "== {}\n{}",
        job.job,
        fitted(&passages, LOG_BYTES / jobs.max(1))
    ))
}

fn read_twice<R: Read + Seek>(
    archive: &mut Archive<R>,
    file: &ArchiveFile,
    steps: Steps<'_>,
) -> Result<(Scan, Vec<Passage>), DigestError> {
    let in_entry = |error: io::Error| DigestError::in_entry(&file.name, &error);
    let found = scan(archive.read(file)?, steps).map_err(in_entry)?;
    let windows = windows_of(&found);
    // Without errors, nothing is read again.
    let passages = if found.steps.iter().any(StepScan::has_failed) {
        gather(archive.read(file)?, &windows).map_err(in_entry)?
    } else {
        Vec::new()
    };
    Ok((found, passages))
}

/// Returns what to read again: why steps failed, or else the end.
fn windows_of(found: &Scan) -> Vec<Window> {
    let failed = found.steps.iter().filter(|step| step.has_failed());
    let windows: Vec<Window> = failed.flat_map(StepScan::windows).collect();
    if windows.is_empty() {
        main_end(found, END_LINES).into_iter().collect()
    } else {
        windows
    }
}

/// Returns the last lines of the last step that does not only clean up.
fn main_end(found: &Scan, count: u64) -> Option<Window> {
    let mut steps = found.steps.iter().rev();
    let step = steps.find(|step| !step.is_upkeep).or(found.steps.last())?;
    Some(step.end(count))
}

fn of_one(found: &Scan, passages: Vec<Passage>, entry: Option<&str>) -> FileDigest {
    let mut digest = FileDigest {
        size: found.bytes,
        lines: Some(found.lines),
        ..FileDigest::default()
    };
    if !found.steps.iter().any(StepScan::has_failed) {
        let text = fitted(&passages, LOG_BYTES);
        digest.failed = Some(Vec::new());
        digest.more = more(found.lines, None);
        digest.text = Some(text);
        return digest;
    }
    let failures = failures_in(found, passages, None, entry);
    let first = failures.first().map(|failure| failure.step.lines);
    digest.text = Some(failures_text(&failures));
    digest.failed = Some(failed_of(failures));
    digest.more = more(found.lines, first);
    digest
}

/// Says how to read more of a log.
fn more(lines: u64, step: Option<(u64, u64)>) -> Option<String> {
    let (first, last) = step.unwrap_or((1, lines));
    (lines > 1).then(|| {
        let last = last.min(first + 99);
        format!("`lines: {first}-{last}`, `tail: 50` or `find: TEXT` reads more")
    })
}

/// Divides passages among the steps that failed.
fn failures_in(
    found: &Scan,
    passages: Vec<Passage>,
    job: Option<&str>,
    entry: Option<&str>,
) -> Vec<Failure> {
    let mut passages = passages.into_iter().peekable();
    let failed = found.steps.iter().filter(|step| step.has_failed());
    failed
        .map(|step| Failure {
            step: FailedStep {
                job: job.map(str::to_owned),
                step: step.title.clone(),
                exit_code: step.exit_code,
                entry: entry.filter(|_| job.is_some()).map(str::to_owned),
                lines: (step.first, step.last),
            },
            passages: std::iter::from_fn(|| {
                passages.next_if(|passage| passage.last() <= step.last)
            })
            .collect(),
        })
        .collect()
}

fn failed_of(failures: Vec<Failure>) -> Vec<FailedStep> {
    let steps = failures.into_iter().map(|failure| failure.step);
    steps.take(MAX_FAILED).collect()
}
