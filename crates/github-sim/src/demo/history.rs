//! Commits, releases and workflow runs of the demonstration.

use time::{Duration, OffsetDateTime};

use crate::world::CheckConclusion::{Cancelled, Failure, Success};
use crate::world::{ChangeKind, ChangedFile, RepoId, RunConclusion, World};

/// Commits: day, author, message, path, lines added, lines deleted.
const COMMITS: [(i64, &str, &str, &str, u64, u64); 4] = [
    (1, "maya-chen", "Lay out the workspace", "Cargo.toml", 44, 0),
    (
        4,
        "jonas-weber",
        "Add the attitude estimator",
        "gnc/src/kalman.rs",
        512,
        0,
    ),
    (
        6,
        "priya-nair",
        "Add the engine controller",
        "propulsion/src/engine.rs",
        388,
        0,
    ),
    (
        9,
        "akira-mori",
        "Add the downlink",
        "telemetry/src/frame.rs",
        274,
        0,
    ),
];

/// Releases: tag, name, day, prerelease, notes.
const RELEASES: [(&str, &str, i64, bool, &str); 3] = [
    (
        "v0.9.0",
        "v0.9.0 Bench",
        30,
        false,
        "First version that runs on the bench.",
    ),
    (
        "v1.0.0",
        "v1.0.0 Static fire",
        62,
        false,
        "## What's changed\n- Dry-run mode of the sequencer\n- One valve timing table\n- Bounded log ring\n",
    ),
    (
        "v1.1.0-rc.1",
        "v1.1.0-rc.1 Hop test candidate",
        138,
        true,
        "Not for flight.",
    ),
];

/// A workflow run of the demonstration.
struct DemoRun {
    /// Index in [`WORKFLOWS`].
    workflow: usize,
    branch: &'static str,
    event: &'static str,
    actor: &'static str,
    day: i64,
    conclusion: Option<RunConclusion>,
}

const RUNS: [DemoRun; 12] = [
    run(0, "main", "push", "maya-chen", 61, Some(Success)),
    run(2, "main", "push", "maya-chen", 62, Some(Success)),
    run(1, "main", "schedule", "maya-chen", 80, Some(Failure)),
    run(1, "main", "schedule", "maya-chen", 81, Some(Success)),
    run(
        0,
        "engine-vote",
        "pull_request",
        "jonas-weber",
        82,
        Some(Success),
    ),
    run(0, "cbor", "pull_request", "akira-mori", 97, Some(Cancelled)),
    run(0, "cbor", "pull_request", "akira-mori", 98, Some(Failure)),
    run(
        0,
        "slosh-notch",
        "pull_request",
        "jonas-weber",
        112,
        Some(Success),
    ),
    run(2, "main", "push", "maya-chen", 138, Some(Success)),
    run(
        0,
        "stale-commands",
        "pull_request",
        "tomas-silva",
        145,
        Some(Success),
    ),
    run(1, "main", "schedule", "maya-chen", 146, Some(Success)),
    run(0, "main", "workflow_dispatch", "priya-nair", 147, None),
];

/// Workflows: name and file.
const WORKFLOWS: [(&str, &str); 3] = [
    ("CI", ".github/workflows/ci.yml"),
    ("HIL", ".github/workflows/hil.yml"),
    ("Release", ".github/workflows/release.yml"),
];

pub(super) fn commits(world: &mut World, repo: RepoId, start: OffsetDateTime) {
    for (day, author, message, path, additions, deletions) in COMMITS {
        world.clock.set(start + Duration::days(day));
        world.push_commit(
            repo,
            "main",
            author,
            message,
            vec![file(path, additions, deletions)],
        );
    }
}

/// Adds a branch without a pull request, so that one can be opened from it.
pub(super) fn branch_without_pull(world: &mut World, repo: RepoId, start: OffsetDateTime) {
    world.clock.set(start + Duration::days(145));
    let changes = vec![file("telemetry/src/packetiser.rs", 23, 4)];
    world.push_commit(
        repo,
        "count-dropped-frames",
        "maya-chen",
        "Count dropped frames",
        changes,
    );
}

pub(super) fn releases(world: &mut World, repo: RepoId, start: OffsetDateTime) {
    for (tag, name, day, prerelease, notes) in RELEASES {
        world.clock.set(start + Duration::days(day));
        let id = world.add_release(repo, tag, name, "maya-chen", prerelease);
        if let Some(found) = world.repo_mut(repo)
            && let Some(release) = found.releases.iter_mut().find(|release| release.id == id)
        {
            notes.clone_into(&mut release.body);
        }
    }
}

pub(super) fn runs(world: &mut World, repo: RepoId, start: OffsetDateTime) {
    world.clock.set(start);
    let ids = WORKFLOWS.map(|(name, path)| world.add_workflow(repo, name, path));
    for run in RUNS {
        world.clock.set(start + Duration::days(run.day));
        if let Some(id) = ids.get(run.workflow) {
            world.add_run(repo, *id, run.branch, run.event, run.actor, run.conclusion);
        }
    }
}

pub(super) fn file(path: &str, additions: u64, deletions: u64) -> ChangedFile {
    ChangedFile {
        path: path.to_owned(),
        change: if deletions == 0 {
            ChangeKind::Added
        } else {
            ChangeKind::Modified
        },
        additions,
        deletions,
    }
}

const fn run(
    workflow: usize,
    branch: &'static str,
    event: &'static str,
    actor: &'static str,
    day: i64,
    conclusion: Option<RunConclusion>,
) -> DemoRun {
    DemoRun {
        workflow,
        branch,
        event,
        actor,
        day,
        conclusion,
    }
}
