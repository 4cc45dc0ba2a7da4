//! Labels and milestones of the demonstration repository.

/// Labels: name, colour, description.
pub(super) const LABELS: [(&str, &str, &str); 12] = [
    ("bug", "d73a4a", "Something isn't working"),
    ("enhancement", "a2eeef", "New feature or request"),
    (
        "documentation",
        "0075ca",
        "Improvements or additions to documentation",
    ),
    ("good first issue", "7057ff", "Good for newcomers"),
    ("help wanted", "008672", "Extra attention is needed"),
    ("question", "d876e3", "Further information is requested"),
    ("flight-critical", "b60205", "Could cost the vehicle"),
    ("gnc", "1d76db", "Guidance, navigation and control"),
    ("propulsion", "e99695", "Engines, tanks and valves"),
    ("telemetry", "5319e7", "Downlink, logging and dashboards"),
    ("priority: high", "ff9f1c", "Needed for the next milestone"),
    ("performance", "fbca04", "Speed, memory or bandwidth"),
];

/// A milestone of the demonstration. Its number is its index plus one.
pub(super) struct DemoMilestone {
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) closed: bool,
    /// The due date, in days after the creation of the repository.
    pub(super) due: Option<i64>,
}

pub(super) const MILESTONES: [DemoMilestone; 3] = [
    DemoMilestone {
        title: "v1.0 Static fire",
        description: "Everything the first static fire needs.",
        closed: true,
        due: Some(60),
    },
    DemoMilestone {
        title: "v1.1 Hop test",
        description: "Lift off, hover for 30 s and land on the same pad.",
        closed: false,
        due: Some(150),
    },
    DemoMilestone {
        title: "v2.0 Orbital",
        description: "First orbital attempt with booster recovery.",
        closed: false,
        due: None,
    },
];
