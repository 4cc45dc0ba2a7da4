//! The issues of the demonstration for the hop test and for orbit.

use super::issues::{DEFAULT_ISSUE, DemoIssue};
use super::long_body::FLIGHT_REVIEW;
use crate::world::StateReason::{Completed, NotPlanned};

pub(super) const ISSUES: [DemoIssue; 20] = [
    DemoIssue {
        number: 25,
        title: "Flight readiness review: open points before the hop test",
        body: FLIGHT_REVIEW,
        author: "maya-chen",
        labels: &["flight-critical", "priority: high"],
        assignees: &["maya-chen", "jonas-weber", "priya-nair"],
        milestone: Some(2),
        comments: &[
            ("priya-nair", "Propulsion points 1 to 4 are done."),
            ("jonas-weber", "Guidance: two left, both have an issue."),
        ],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 26,
        title: "Speed up the Monte Carlo runs",
        body: "10,000 trajectories take 40 minutes on the build machine. Profiling shows 60 % in the atmosphere lookup.",
        author: "tomas-silva",
        labels: &["performance", "gnc"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 28,
        title: "Grid fin actuators report position in the wrong sign",
        body: "Fins 2 and 4 are mounted mirrored. The driver does not know.",
        author: "jonas-weber",
        labels: &["bug", "gnc"],
        assignees: &["tomas-silva"],
        milestone: Some(3),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 29,
        title: "Show propellant mass on the operator's dashboard",
        body: "The estimate exists in telemetry (`prop.mass_kg`) and is shown nowhere.",
        author: "akira-mori",
        labels: &["enhancement", "telemetry", "good first issue"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 30,
        title: "Reject commands with a stale sequence number",
        body: "A replayed command is executed again. The sequence number is checked for equality only.",
        author: "lena-koch",
        labels: &["bug", "flight-critical"],
        milestone: Some(2),
        comments: &[("maya-chen", "Who can take this over? Lena has left.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 31,
        title: "Use fixed-point arithmetic in the engine controller",
        body: "Would make the loop time deterministic on the small MCU.",
        author: "priya-nair",
        labels: &["propulsion", "performance"],
        closed: Some(NotPlanned),
        comments: &[("priya-nair", "The new MCU has an FPU. Not needed any more.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 32,
        title: "Countdown hold is not announced on the audio loop",
        body: "",
        author: "akira-mori",
        labels: &["bug"],
        closed: Some(Completed),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 34,
        title: "Record which configuration a vehicle flew with",
        body: "Store the hash of the parameter set in every log header.",
        author: "maya-chen",
        labels: &["enhancement", "telemetry"],
        milestone: Some(3),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 35,
        title: "Ignition sequence retries forever when the igniter is missing",
        body: "Found on the bench with the igniter unplugged. It should give up after three attempts and report `IGNITER_OPEN`.",
        author: "priya-nair",
        labels: &["bug", "propulsion", "priority: high"],
        assignees: &["priya-nair"],
        milestone: Some(2),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 36,
        title: "Wind limits are hard-coded",
        body: "They differ per pad. Move them into the site configuration.",
        author: "tomas-silva",
        labels: &["enhancement"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 37,
        title: "Add a glossary to the documentation",
        body: "MECO, TVC, RCS, FTS, HIL, SIL …",
        author: "tomas-silva",
        labels: &["documentation", "good first issue"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 39,
        title: "Star tracker blinds the estimator when it sees the plume",
        body: "Reject measurements whose innovation exceeds 5σ while engines burn.",
        author: "jonas-weber",
        labels: &["bug", "gnc"],
        milestone: Some(3),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 40,
        title: "Make the flight termination test part of the pre-launch checklist",
        body: "It is done by hand and was forgotten once.",
        author: "maya-chen",
        labels: &["flight-critical"],
        milestone: Some(2),
        closed: Some(Completed),
        comments: &[("tomas-silva", "In the checklist since revision 14.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 41,
        title: "Reduce the size of the flight image",
        body: "It is 3.2 MB of the 4 MB flash. `cargo bloat` blames the formatting code of the log macros.",
        author: "akira-mori",
        labels: &["performance"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 42,
        title: "Which parachute model do we simulate?",
        body: "The answer to everything, except this.",
        author: "tomas-silva",
        labels: &["question"],
        closed: Some(Completed),
        comments: &[("jonas-weber", "None: the booster lands on its engines.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 43,
        title: "Downlink: compress housekeeping frames",
        body: "Delta encoding against the previous frame saves 70 % in the logs of flight 2.",
        author: "akira-mori",
        labels: &["telemetry", "performance"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 45,
        title: "Re-entry burn ends 0.8 s late in 2 of 500 simulated flights",
        body: "Both have a gust between 30 and 40 s after MECO.",
        author: "jonas-weber",
        labels: &["gnc", "bug"],
        milestone: Some(3),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 46,
        title: "Support hot standby of the ground station",
        body: "Losing the primary must not lose more than 1 s of telemetry.",
        author: "akira-mori",
        labels: &["enhancement", "telemetry", "help wanted"],
        milestone: Some(3),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 47,
        title: "Update the README's build instructions",
        body: "They still mention Rust 1.70.",
        author: "tomas-silva",
        labels: &["documentation"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 48,
        title: "Tank pressure sensor reads 0.0 after brown-out",
        body: "The ADC needs a re-init. Until then the controller believes the tank is empty and vents.",
        author: "priya-nair",
        labels: &["bug", "propulsion", "flight-critical"],
        ..DEFAULT_ISSUE
    },
];
