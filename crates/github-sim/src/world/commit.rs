//! Commits with their check runs and statuses.

use super::names::wire_enum;
use time::OffsetDateTime;

/// A commit with its check runs and statuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: u64,
    pub sha: String,
    /// The headline, and after a blank line the body.
    pub message: String,
    pub author: String,
    pub committed_at: OffsetDateTime,
    pub parents: Vec<String>,
    pub files: Vec<ChangedFile>,
    pub check_runs: Vec<CheckRun>,
    pub statuses: Vec<StatusContext>,
}

wire_enum! {
    /// How a commit changed a file.
    ChangeKind {
        Added = "ADDED",
        Modified = "MODIFIED",
        Deleted = "DELETED",
        Renamed = "RENAMED",
    }
}

/// A file changed by a commit or a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    pub change: ChangeKind,
    pub additions: u64,
    pub deletions: u64,
}

wire_enum! {
    CheckStatus {
        Queued = "QUEUED",
        InProgress = "IN_PROGRESS",
        Completed = "COMPLETED",
        Waiting = "WAITING",
        Pending = "PENDING",
        Requested = "REQUESTED",
    }
}

wire_enum! {
    CheckConclusion {
        Success = "SUCCESS",
        Failure = "FAILURE",
        Neutral = "NEUTRAL",
        Cancelled = "CANCELLED",
        Skipped = "SKIPPED",
        TimedOut = "TIMED_OUT",
        ActionRequired = "ACTION_REQUIRED",
        Stale = "STALE",
        StartupFailure = "STARTUP_FAILURE",
    }
}

/// A check that an app ran on a commit. In the simulator the app is always GitHub Actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRun {
    pub id: u64,
    pub name: String,
    pub workflow: Option<String>,
    pub event: String,
    pub status: CheckStatus,
    pub conclusion: Option<CheckConclusion>,
    pub started_at: Option<OffsetDateTime>,
    pub completed_at: Option<OffsetDateTime>,
    pub details_url: String,
    pub title: Option<String>,
    pub summary: Option<String>,
}

wire_enum! {
    CommitStatus {
        Success = "SUCCESS",
        Failure = "FAILURE",
        Error = "ERROR",
        Pending = "PENDING",
        Expected = "EXPECTED",
    }
}

/// A commit status, the older mechanism, set by an outside service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusContext {
    pub id: u64,
    pub context: String,
    pub state: CommitStatus,
    pub description: Option<String>,
    pub target_url: Option<String>,
    pub creator: String,
    pub created_at: OffsetDateTime,
}

/// The combined state of all checks and statuses of a commit.
pub type Rollup = CommitStatus;

impl Commit {
    pub fn headline(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    pub fn body(&self) -> &str {
        self.message
            .split_once('\n')
            .map_or("", |(_, rest)| rest.trim_start_matches('\n'))
    }

    pub fn short_sha(&self) -> &str {
        self.sha.get(..7).unwrap_or(&self.sha)
    }

    /// Returns the worst state of all checks and statuses; `None` if there are none.
    pub fn rollup(&self) -> Option<Rollup> {
        let checks = self.check_runs.iter().map(CheckRun::as_status);
        let statuses = self.statuses.iter().map(|status| status.state);
        checks.chain(statuses).max_by_key(|state| match state {
            CommitStatus::Success => 0,
            CommitStatus::Expected | CommitStatus::Pending => 1,
            CommitStatus::Error => 2,
            CommitStatus::Failure => 3,
        })
    }

    /// Returns the state of the last check or status with this name; `None` if it has not reported.
    pub fn check_state(&self, name: &str) -> Option<CommitStatus> {
        let checks = self
            .check_runs
            .iter()
            .filter(|run| run.name == name)
            .map(CheckRun::as_status);
        let statuses = self
            .statuses
            .iter()
            .filter(|status| status.context == name)
            .map(|status| status.state);
        checks.chain(statuses).last()
    }

    /// Returns the combined state of the statuses alone, without check runs, as REST's `/status` does.
    pub fn combined_status(&self) -> CommitStatus {
        let states = || self.statuses.iter().map(|status| status.state);
        if states().any(|s| matches!(s, CommitStatus::Failure | CommitStatus::Error)) {
            CommitStatus::Failure
        } else if self.statuses.is_empty() || states().any(|s| s != CommitStatus::Success) {
            CommitStatus::Pending
        } else {
            CommitStatus::Success
        }
    }
}

impl CheckRun {
    fn as_status(&self) -> CommitStatus {
        match self.conclusion {
            None => CommitStatus::Pending,
            Some(
                CheckConclusion::Success | CheckConclusion::Neutral | CheckConclusion::Skipped,
            ) => CommitStatus::Success,
            Some(_) => CommitStatus::Failure,
        }
    }
}
