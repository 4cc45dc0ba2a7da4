//! The pull requests of the demonstration.

use crate::world::CheckConclusion::{self, Failure, Skipped, Success};
use crate::world::MergeMethod::{self, Merge, Squash};
use crate::world::ReviewEvent::{self, Approve, Comment, RequestChanges};

/// A pull request of the demonstration.
pub(super) struct DemoPull {
    pub(super) number: u64,
    pub(super) title: &'static str,
    pub(super) body: &'static str,
    pub(super) author: &'static str,
    pub(super) branch: &'static str,
    /// Commits: message, path, lines added, lines deleted.
    pub(super) commits: &'static [(&'static str, &'static str, u64, u64)],
    pub(super) labels: &'static [&'static str],
    pub(super) assignees: &'static [&'static str],
    pub(super) reviewers: &'static [&'static str],
    pub(super) milestone: Option<u64>,
    pub(super) draft: bool,
    pub(super) conflicting: bool,
    /// Checks: workflow, name, conclusion (`None` while it runs).
    pub(super) checks: &'static [(&'static str, &'static str, Option<CheckConclusion>)],
    pub(super) reviews: &'static [(&'static str, ReviewEvent, &'static str)],
    pub(super) threads: &'static [DemoThread],
    pub(super) comments: &'static [(&'static str, &'static str)],
    pub(super) end: DemoPullState,
}

/// A review thread of the demonstration.
pub(super) struct DemoThread {
    pub(super) path: &'static str,
    pub(super) line: u64,
    pub(super) resolved: bool,
    /// Comments: author and text. The first one starts the thread.
    pub(super) comments: &'static [(&'static str, &'static str)],
}

/// The final state of a pull request.
pub(super) enum DemoPullState {
    Open,
    Closed,
    Merged(MergeMethod),
}

const DEFAULT_PULL: DemoPull = DemoPull {
    number: 0,
    title: "",
    body: "",
    author: "maya-chen",
    branch: "",
    commits: &[],
    labels: &[],
    assignees: &[],
    reviewers: &[],
    milestone: None,
    draft: false,
    conflicting: false,
    checks: PASSING_CHECKS,
    reviews: &[],
    threads: &[],
    comments: &[],
    end: DemoPullState::Open,
};

const PASSING_CHECKS: &[(&str, &str, Option<CheckConclusion>)] = &[
    ("CI", "build (stable)", Some(Success)),
    ("CI", "test (stable)", Some(Success)),
    ("CI", "lint", Some(Success)),
    ("HIL", "hover-rig", Some(Skipped)),
];

pub(super) const PULLS: [DemoPull; 9] = [
    DemoPull {
        number: 7,
        title: "Add a dry-run mode to the launch sequencer",
        body: "Steps through the count without commanding valves.\n\nCloses #4",
        author: "tomas-silva",
        branch: "sequencer-dry-run",
        commits: &[
            (
                "Add --dry-run to the sequencer",
                "sequencer/src/main.rs",
                61,
                12,
            ),
            ("Describe the dry run", "docs/operations.md", 24, 0),
        ],
        labels: &["enhancement"],
        milestone: Some(1),
        reviews: &[("maya-chen", Approve, "Operators will love it.")],
        end: DemoPullState::Merged(Squash),
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 12,
        title: "Use one valve timing table",
        body: "Fixes #10. The simulator reads the table of the propulsion crate.",
        author: "priya-nair",
        branch: "one-timing-table",
        commits: &[(
            "Read valve timing from one table",
            "propulsion/src/timing.rs",
            18,
            74,
        )],
        labels: &["propulsion"],
        milestone: Some(1),
        reviews: &[("jonas-weber", Approve, "")],
        end: DemoPullState::Merged(Merge),
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 18,
        title: "Try a particle filter for attitude",
        body: "An experiment; compare with the Kalman filter before deciding.",
        author: "lena-koch",
        branch: "particle-filter",
        commits: &[("Add a particle filter", "gnc/src/particle.rs", 412, 0)],
        labels: &["gnc"],
        comments: &[(
            "jonas-weber",
            "Twice the CPU for the same error. Let us not.",
        )],
        end: DemoPullState::Closed,
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 23,
        title: "Bound the log ring at every level",
        body: "Closes #19",
        author: "akira-mori",
        branch: "bound-log-ring",
        commits: &[
            ("Bound the log ring", "telemetry/src/ring.rs", 37, 9),
            (
                "Test the ring with debug logs",
                "telemetry/tests/ring.rs",
                52,
                0,
            ),
        ],
        labels: &["bug", "telemetry"],
        milestone: Some(1),
        reviews: &[
            (
                "priya-nair",
                Comment,
                "Could the bound be a constant of the board?",
            ),
            ("priya-nair", Approve, "Thanks!"),
        ],
        end: DemoPullState::Merged(Squash),
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 27,
        title: "Vote over all sensors of an engine",
        body: "A masked sensor no longer leaves a vote of one.\n\n- [x] unit test with one of three sensors masked\n- [x] replay of the second static fire\n\nFixes #1",
        author: "jonas-weber",
        branch: "engine-vote",
        commits: &[
            (
                "Vote over all sensors of an engine",
                "propulsion/src/vote.rs",
                88,
                41,
            ),
            (
                "Replay static fire 2",
                "propulsion/tests/static_fire_2.rs",
                120,
                0,
            ),
        ],
        labels: &["bug", "propulsion", "flight-critical"],
        assignees: &["jonas-weber"],
        milestone: Some(2),
        reviews: &[("priya-nair", Approve, "The replay convinces me.")],
        threads: &[DemoThread {
            path: "propulsion/src/vote.rs",
            line: 42,
            resolved: true,
            comments: &[
                ("priya-nair", "What if all three are masked?"),
                (
                    "jonas-weber",
                    "Then the engine may not start: see `Vote::quorum`.",
                ),
            ],
        }],
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 33,
        title: "Encode telemetry as CBOR",
        body: "Behind `--encoding cbor`. Closes #9",
        author: "akira-mori",
        branch: "cbor",
        commits: &[
            ("Add a CBOR encoder", "telemetry/src/cbor.rs", 231, 0),
            (
                "Choose the encoding on the command line",
                "telemetry/src/main.rs",
                19,
                6,
            ),
        ],
        labels: &["enhancement", "telemetry"],
        reviewers: &["priya-nair"],
        checks: &[
            ("CI", "build (stable)", Some(Success)),
            ("CI", "test (stable)", Some(Failure)),
            ("CI", "lint", Some(Success)),
            ("HIL", "hover-rig", None),
        ],
        comments: &[(
            "akira-mori",
            "The failing test compares floats exactly; working on it.",
        )],
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 38,
        title: "WIP: notch filter scheduled by tank level",
        body: "For #20. Not ready: the schedule below 20 % is a guess.",
        author: "jonas-weber",
        branch: "slosh-notch",
        commits: &[("Add a notch filter", "gnc/src/notch.rs", 143, 2)],
        labels: &["gnc"],
        milestone: Some(2),
        draft: true,
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 44,
        title: "Convert pressures to pascals",
        body: "For #21. Touches nearly every file of the propulsion crate, and conflicts with main by now.",
        author: "priya-nair",
        branch: "pascals",
        commits: &[
            (
                "Use pascals in the tank model",
                "propulsion/src/tank.rs",
                66,
                66,
            ),
            (
                "Use pascals in the engine model",
                "propulsion/src/engine.rs",
                91,
                88,
            ),
        ],
        labels: &["propulsion"],
        conflicting: true,
        ..DEFAULT_PULL
    },
    DemoPull {
        number: 49,
        title: "Refuse commands with a stale sequence number",
        body: "Closes #30",
        author: "tomas-silva",
        branch: "stale-commands",
        commits: &[
            ("Refuse stale commands", "uplink/src/command.rs", 34, 8),
            (
                "Report refused commands",
                "telemetry/src/housekeeping.rs",
                12,
                1,
            ),
        ],
        labels: &["bug", "flight-critical", "priority: high"],
        assignees: &["tomas-silva"],
        reviewers: &["jonas-weber"],
        milestone: Some(2),
        reviews: &[(
            "maya-chen",
            RequestChanges,
            "Nearly there: the window must survive a restart.",
        )],
        threads: &[
            DemoThread {
                path: "uplink/src/command.rs",
                line: 17,
                resolved: false,
                comments: &[
                    (
                        "maya-chen",
                        "This resets to zero after a watchdog reset. Could it be persisted?",
                    ),
                    (
                        "tomas-silva",
                        "Yes, next to the IMU biases. I will push that tomorrow.",
                    ),
                ],
            },
            DemoThread {
                path: "telemetry/src/housekeeping.rs",
                line: 58,
                resolved: false,
                comments: &[(
                    "akira-mori",
                    "Please count refusals per source, not in total.",
                )],
            },
        ],
        comments: &[("maya-chen", "Needed for the hop test, see #25.")],
        ..DEFAULT_PULL
    },
];
