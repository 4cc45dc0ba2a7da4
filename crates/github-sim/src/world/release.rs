//! Releases, workflows and their runs.

use super::names::wire_enum;
use time::OffsetDateTime;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub id: u64,
    pub tag: String,
    pub name: Option<String>,
    pub body: String,
    pub draft: bool,
    pub prerelease: bool,
    pub author: String,
    pub target: String,
    pub created_at: OffsetDateTime,
    pub published_at: Option<OffsetDateTime>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workflow {
    pub id: u64,
    pub name: String,
    /// For instance `.github/workflows/ci.yml`.
    pub path: String,
    pub state: String,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

wire_enum! {
    RunStatus {
        Queued = "QUEUED",
        InProgress = "IN_PROGRESS",
        Completed = "COMPLETED",
        Waiting = "WAITING",
        Requested = "REQUESTED",
        Pending = "PENDING",
    }
}

/// The result of a workflow run, with the same values as that of a check run.
pub type RunConclusion = super::commit::CheckConclusion;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowRun {
    pub id: u64,
    /// Database id of the workflow.
    pub workflow: u64,
    pub display_title: String,
    pub status: RunStatus,
    pub conclusion: Option<RunConclusion>,
    pub event: String,
    pub head_branch: String,
    pub head_sha: String,
    pub run_number: u64,
    pub run_attempt: u64,
    pub actor: String,
    pub created_at: OffsetDateTime,
    pub started_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}
