//! The jobs of workflow runs. They follow from the run: one job `build` with three steps.

use time::{Duration, OffsetDateTime};

use super::release::{RunConclusion, RunStatus, WorkflowRun};

/// A job of a workflow run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowJob {
    pub id: u64,
    pub run: u64,
    pub name: String,
    pub status: RunStatus,
    pub conclusion: Option<RunConclusion>,
    pub steps: Vec<JobStep>,
}

/// A step of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStep {
    /// Counts from 1.
    pub number: u64,
    pub name: String,
    pub status: RunStatus,
    pub conclusion: Option<RunConclusion>,
    pub started_at: OffsetDateTime,
}

const JOBS_PER_RUN: u64 = 100;
const STEPS: [&str; 3] = ["Set up job", "Run tests", "Complete job"];

impl WorkflowRun {
    /// Returns the jobs of the run. If it failed, its tests did.
    pub fn jobs(&self) -> Vec<WorkflowJob> {
        let steps = (1..).zip(STEPS).map(|(number, name)| {
            let is_tests = name == "Run tests";
            let offset = i64::try_from(number).unwrap_or_default() * 5;
            JobStep {
                number,
                name: name.to_owned(),
                status: self.status,
                conclusion: match self.conclusion {
                    Some(_) if !is_tests => Some(RunConclusion::Success),
                    conclusion => conclusion,
                },
                started_at: self.started_at + Duration::seconds(offset),
            }
        });
        vec![WorkflowJob {
            id: self.id * JOBS_PER_RUN + 1,
            run: self.id,
            name: "build".to_owned(),
            status: self.status,
            conclusion: self.conclusion,
            steps: steps.collect(),
        }]
    }

    /// Returns the job with this id if it belongs to the run.
    pub fn job(&self, id: u64) -> Option<WorkflowJob> {
        self.jobs().into_iter().find(|job| job.id == id)
    }
}
