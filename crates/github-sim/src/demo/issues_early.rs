//! The issues of the demonstration before the first static fire.

use super::issues::{DEFAULT_ISSUE, DemoIssue};
use crate::world::StateReason::{Completed, Duplicate, NotPlanned};

pub(super) const ISSUES: [DemoIssue; 20] = [
    DemoIssue {
        number: 1,
        title: "Engine 3 shuts down early during the 30 s static fire",
        body: "During the second static fire engine 3 cut off at T+21.4 s. The other eight ran to the end.\n\n## What we know\n- Chamber pressure was nominal until the cut-off.\n- `EngineController` logged `overtemp: turbine_inlet 1021 K (limit 1020 K)`.\n- The sensor read 1019–1021 K for four samples, so this may be noise at the limit.\n\n## Expected\nOne sample above the limit should not shut an engine down; the voting logic asks for three of five.\n",
        author: "priya-nair",
        labels: &["bug", "propulsion", "flight-critical"],
        assignees: &["jonas-weber"],
        milestone: Some(2),
        comments: &[
            (
                "jonas-weber",
                "The vote counts samples *per sensor*, not per engine. With one of the three sensors masked it degrades to one of one. I have a unit test that shows it.",
            ),
            (
                "priya-nair",
                "That matches the log: sensor B was masked at T-40 s after the ice warning.",
            ),
            (
                "maya-chen",
                "Good find. Let us fix the vote and keep the limit where it is.",
            ),
        ],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 2,
        title: "Document the coordinate frames used by the estimator",
        body: "New people mix up ECI, ECEF and the launch frame. A page with one figure per frame and the sign conventions would do.",
        author: "akira-mori",
        labels: &["documentation", "good first issue"],
        comments: &[("tomas-silva", "I can take this after the hop test.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 3,
        title: "Telemetry drops frames when the downlink saturates",
        body: "Above 1.8 Mbit/s the packetiser silently drops whole frames. It should drop low-priority channels first and count what it drops.",
        author: "akira-mori",
        labels: &["bug", "telemetry", "priority: high"],
        assignees: &["akira-mori"],
        milestone: Some(2),
        comments: &[(
            "maya-chen",
            "Please add a counter to the housekeeping frame as well.",
        )],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 4,
        title: "Add a dry-run mode to the launch sequencer",
        body: "Operators want to step through the countdown without commanding valves.",
        author: "tomas-silva",
        labels: &["enhancement"],
        milestone: Some(1),
        closed: Some(Completed),
        comments: &[("tomas-silva", "Done: `sequencer --dry-run`.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 5,
        title: "Clock skew between flight computers grows by 3 ms per hour",
        body: "",
        author: "jonas-weber",
        labels: &["bug", "gnc"],
        assignees: &["jonas-weber", "maya-chen"],
        milestone: Some(2),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 6,
        title: "Flaky test: `kalman::converges_from_cold_start`",
        body: "Fails about once in 200 runs on CI. The seed is not printed, so it cannot be reproduced.",
        author: "lena-koch",
        labels: &["bug", "help wanted"],
        comments: &[("lena-koch", "Printing the seed would be a first step.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 8,
        title: "Überwachung: 温度センサー zeigt „NaN“ an 🚀",
        body: "Der Sensor an Düse 2 liefert nach dem Neustart `NaN`.\n\n再起動後、ノズル2の温度が `NaN` になります。\n\nΔT ≈ 0 °C würde reichen, um die Anzeige zu beruhigen — aber nicht den Regler.\n",
        author: "akira-mori",
        labels: &["bug", "telemetry"],
        comments: &[(
            "tomas-silva",
            "Reproduzido ✅ — só acontece com o firmware 0.9.",
        )],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 9,
        title: "Support CBOR as an alternative telemetry encoding",
        body: "JSON costs 4x the bandwidth on the UHF link.",
        author: "priya-nair",
        labels: &["enhancement", "telemetry", "performance"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 10,
        title: "Valve timing table is duplicated in two crates",
        body: "`propulsion::timing` and `simulator::timing` have drifted apart by 12 ms for LOX-4.",
        author: "jonas-weber",
        labels: &["bug", "propulsion"],
        milestone: Some(1),
        closed: Some(Completed),
        comments: &[(
            "priya-nair",
            "One table now, with a test that compares it with the valve data sheet.",
        )],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 11,
        title: "Rename `AbortReason::Other` to something meaningful",
        body: "It is used for three different things.",
        author: "maya-chen",
        labels: &["good first issue"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 13,
        title: "Provide a container image for the hardware-in-the-loop rig",
        body: "Setting the rig up takes a day.",
        author: "tomas-silva",
        labels: &["enhancement", "help wanted"],
        closed: Some(NotPlanned),
        comments: &[(
            "maya-chen",
            "The rig needs real-time scheduling; a container gets in the way. Closing.",
        )],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 14,
        title: "Engine 3 stops too early",
        body: "Saw an early shut-down in the video of the second static fire.",
        author: "akira-mori",
        labels: &["bug"],
        closed: Some(Duplicate),
        comments: &[("maya-chen", "Thanks, this is #1.")],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 15,
        title: "IMU calibration should survive a warm restart",
        body: "After a watchdog reset the biases start from zero and need 90 s to settle. Persist them with a checksum and an age limit.",
        author: "jonas-weber",
        labels: &["enhancement", "gnc", "flight-critical"],
        assignees: &["jonas-weber"],
        milestone: Some(2),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 16,
        title: "Landing leg deployment needs an interlock with altitude",
        body: "Legs must not deploy above 200 m. Today only the sequencer guards this; the leg controller itself accepts the command at any altitude.",
        author: "maya-chen",
        labels: &["flight-critical", "enhancement"],
        assignees: &["priya-nair"],
        milestone: Some(2),
        comments: &[(
            "priya-nair",
            "I would put it in the controller and keep the sequencer's check as a second layer.",
        )],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 17,
        title: "How do I run the simulator on macOS?",
        body: "The README mentions Linux only.",
        author: "tomas-silva",
        labels: &["question", "documentation"],
        closed: Some(Completed),
        comments: &[(
            "akira-mori",
            "`cargo run -p simulator -- --headless` works there too; the README says so now.",
        )],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 19,
        title: "Log rotation fills the flash in 14 hours",
        body: "At debug level the ring has no upper bound.",
        author: "priya-nair",
        labels: &["bug", "telemetry"],
        milestone: Some(1),
        closed: Some(Completed),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 20,
        title: "Thrust vector control oscillates at 4 Hz with half-full tanks",
        body: "The slosh mode is not in the plant model. See the attached Bode plot of run 118: phase margin drops to 11° at 4 Hz.\n\nProposal: a notch filter scheduled by tank level.",
        author: "jonas-weber",
        labels: &["bug", "gnc", "flight-critical", "priority: high"],
        assignees: &["jonas-weber"],
        milestone: Some(2),
        comments: &[
            ("maya-chen", "Is the notch enough, or do we need baffles?"),
            (
                "jonas-weber",
                "Enough for the hop; for orbital we need both.",
            ),
        ],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 21,
        title: "Unify units: pressures are in bar, kPa and psi",
        body: "Use pascals inside and convert at the edges.",
        author: "priya-nair",
        labels: &["enhancement", "propulsion"],
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 22,
        title: "Abort the count if two of three GPS receivers lose lock",
        body: "",
        author: "tomas-silva",
        labels: &["enhancement", "gnc"],
        milestone: Some(2),
        ..DEFAULT_ISSUE
    },
    DemoIssue {
        number: 24,
        title: "Panic in `frame::decode` on a zero-length payload",
        body: "```\nthread 'downlink' panicked at src/frame.rs:88:19:\nrange end index 4 out of range for slice of length 0\n```\n\nA fuzzer found it within a minute.",
        author: "lena-koch",
        labels: &["bug", "telemetry", "flight-critical"],
        milestone: Some(1),
        closed: Some(Completed),
        comments: &[("akira-mori", "Fixed, and the fuzz target runs nightly now.")],
        ..DEFAULT_ISSUE
    },
];
