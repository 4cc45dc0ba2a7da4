//! A long issue body, to test the handling of long texts.

/// About 6 kB of Markdown.
pub(super) const FLIGHT_REVIEW: &str = "\
# Flight readiness review

This page collects what must be true before the hop test. A point is done when its evidence is linked and somebody other than its owner has looked at it. Please do not tick a point for somebody else.

## Propulsion

1. [ ] Vote over all sensors of an engine, masked ones excluded, with at least two voters (#1).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
2. [ ] Igniter gives up after three attempts and reports `IGNITER_OPEN` (#35).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
3. [ ] LOX-4 closes within 180 ms at 90 K; the last three cold-flow runs measured 171, 174 and 176 ms.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
4. [ ] Turbine inlet limit stays at 1020 K; any change needs a new analysis signed by propulsion and by flight software.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.

## Guidance, navigation and control

5. [ ] Notch filter for the slosh mode, scheduled by tank level (#20).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
6. [ ] IMU biases survive a warm restart, with checksum and age limit (#15).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
7. [ ] Clock skew between the three flight computers stays below 1 ms over a six hour count (#5).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
8. [ ] Loss of lock on two of three GPS receivers aborts the count (#22).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
9. [ ] Hover controller keeps the vehicle within 1.5 m of the pad centre in 500 of 500 simulated flights with gusts up to 9 m/s.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.

## Telemetry and ground systems

10. [ ] Packetiser drops low-priority channels first and counts what it drops (#3).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
11. [ ] Commands with a stale sequence number are refused and reported (#30).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
12. [ ] Dashboard shows hold, abort and termination states in words, not only in colour.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
13. [ ] Recording at both ground stations is started by the sequencer at T-10 min and verified by a person at T-5 min.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.

## Structures and recovery

14. [ ] Landing legs: interlock at 200 m in the leg controller itself (#16).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
15. [ ] Leg latch switches are read by two independent inputs; disagreement is shown to the operator.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
16. [ ] Crush cores were replaced after the drop test; serial numbers are in the build record.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.

## Range safety

17. [ ] Flight termination test is part of the pre-launch checklist (#40).
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
18. [ ] Keep-out zone of 1,200 m is confirmed empty by two observers.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
19. [ ] Wind limits for pad 2 are 9 m/s steady and 12 m/s gusts at 10 m height.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.
20. [ ] Termination radio margins were measured at the pad: 14 dB and 16 dB.
    - Owner: see the issue, or ask in the weekly review.
    - Evidence: test report, log of the run, and the commit that it was run with.

## How the decision is made

The review meets two days before the window opens. Every area says *go*, *no go* or *go with condition*; a condition has an owner and a time. One *no go* is enough to stop. Nobody is asked to defend a *no go* in the meeting; the reasons are written down afterwards.

| Time | Step | Who |
|---|---|---|
| T-48 h | Readiness review | all areas |
| T-24 h | Weather briefing | range |
| T-6 h | Power on, self tests | flight software |
| T-3 h | Propellant loading may begin | propulsion |
| T-40 min | Sensor masks are reviewed; none may be added after this point without a hold | propulsion, flight software |
| T-10 min | Recording, terminal count | ground systems |
| T-60 s | Internal power, autosequence | flight software |
| T-0 | Ignition, thrust check for 1.2 s, release | autosequence |

## After the test

Logs are copied from all three flight computers before power off, even if everything went well. The first look is done by the people who were not on console. A summary goes into this issue within a day, the full report into the repository within two weeks, and every surprise becomes an issue of its own, however small: the early shut-down of engine 3 was first seen as one odd sample in a log that nobody had asked for.

## Lessons from the static fires

- A limit without hysteresis is a coin toss when the value sits at the limit.
- Masking a sensor changes the meaning of every vote that it takes part in. Say so on the console.
- The count was held twice for a display that was right and looked wrong.
- Checklists that are read aloud get done.
";
