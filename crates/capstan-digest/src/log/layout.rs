//! The files of a run's logs: one for each job, `0_build.txt`, and often one for each step, `build/2_Run tests.txt`.

use crate::archive::ArchiveFile;

/// A job in the logs of a run.
#[derive(Debug)]
pub(super) struct JobFiles {
    pub(super) job: String,
    /// The number in the name of its file, by which jobs are sorted.
    order: u64,
    pub(super) whole: Option<ArchiveFile>,
    /// The steps in their order; empty if the archive has no files for steps.
    pub(super) steps: Vec<StepFile>,
}

#[derive(Debug)]
pub(super) struct StepFile {
    number: u64,
    pub(super) file: ArchiveFile,
}

/// Returns whether the archive has a job of this name.
pub(crate) fn is_job(files: &[ArchiveFile], name: &str) -> bool {
    !files.iter().any(|file| file.name == name) && jobs(files).iter().any(|job| job.job == name)
}

/// Returns the jobs in their order. A text file with another name counts as the log of a job.
pub(super) fn jobs(files: &[ArchiveFile]) -> Vec<JobFiles> {
    let mut jobs: Vec<JobFiles> = Vec::new();
    for file in files {
        let Some(path) = file.name.strip_suffix(".txt") else {
            continue;
        };
        let (folder, name) = match path.split_once('/') {
            Some((folder, name)) => (Some(folder), name),
            None => (None, path),
        };
        match (folder, numbered(name)) {
            (None, number) => {
                let (order, job) = number.unwrap_or((u64::MAX, name));
                let job = job_of(&mut jobs, job);
                job.order = order;
                job.whole = Some(file.clone());
            }
            (Some(folder), Some((number, _))) => job_of(&mut jobs, folder).steps.push(StepFile {
                number,
                file: file.clone(),
            }),
            // What the runner says for itself, such as `build/system.txt`.
            (Some(_), None) => {}
        }
    }
    for job in &mut jobs {
        job.steps.sort_by_key(|step| step.number);
    }
    jobs.sort_by_key(|job| job.order);
    jobs
}

fn job_of<'a>(jobs: &'a mut Vec<JobFiles>, name: &str) -> &'a mut JobFiles {
    let at = jobs.iter().position(|job| job.job == name);
    let at = at.unwrap_or_else(|| {
        jobs.push(JobFiles {
            job: name.to_owned(),
            order: u64::MAX,
            whole: None,
            steps: Vec::new(),
        });
        jobs.len() - 1
    });
    &mut jobs[at]
}

/// Splits `2_Run tests` into its number and its name.
fn numbered(name: &str) -> Option<(u64, &str)> {
    let (number, rest) = name.split_once('_')?;
    Some((number.parse().ok()?, rest))
}
