//! One cell of the fault matrix: a capability on one route while one thing goes wrong.

use std::fmt;
use std::time::Duration;

use capstan_core::{ErrorCode, ResultEnvelope, Route};
use capstan_engine::Settings;
use github_sim::world::IssueState;
use github_sim::{Fault, FaultKind, Operation, SeenRequest, Sim};
use serde_json::{Value, json};

use crate::support::{Bench, Listening, Setup, TOKEN};

/// What the calls say they want to do, and which of their requests the fault hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// `issue.view`.
    View,
    /// `issue.create`, its write: the worst thing to repeat.
    Create,
    /// `issue.close`, its write.
    Close,
    /// `issue.close`, the lookup before its write.
    CloseLookup,
}

/// A fault by its name in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrong(&'static str);

/// How often the fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) target: Target,
    pub(crate) wrong: Wrong,
    pub(crate) times: Times,
    pub(crate) route: Route,
}

/// What came of it, as the table says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// `ok`, or the error's code, with `!` when it may be sent again.
    pub(crate) result: String,
    /// `details.outcome`.
    pub(crate) outcome: String,
    /// Requests that the simulator saw.
    pub(crate) reads: usize,
    pub(crate) writes: usize,
    /// Waits between tries: `~` stands for a backoff in its bounds.
    pub(crate) slept: String,
    /// How many times the world was changed as asked.
    pub(crate) done: usize,
}

/// What `Retry-After` says in the rows that have it, and after how long a spent budget comes back.
const RETRY_AFTER: u64 = 7;
const RESET_IN: u64 = 11;

/// How long a request may take where it hangs: long enough for what must arrive before, on a busy
/// machine too. `gh` has to start first.
const SHORT: Duration = Duration::from_millis(2000);
const SHORT_WITH_GH: Duration = Duration::from_millis(3500);
/// How long it may take where nothing hangs.
const LONG: Duration = Duration::from_secs(30);

const TITLE: &str = "Once and never twice";

/// Every fault of the matrix. `refused` is the only one that the simulator cannot play: nobody listens.
const FAULTS: [(&str, Option<FaultKind>); 18] = [
    ("hang_before", Some(FaultKind::HangBefore)),
    ("hang_after", Some(FaultKind::HangAfter)),
    ("reset_before", Some(FaultKind::ResetBefore)),
    ("reset_after", Some(FaultKind::ResetAfter)),
    ("401", Some(FaultKind::Status401)),
    ("403_scope", Some(FaultKind::Status403Scope)),
    (
        "403_secondary",
        Some(FaultKind::Status403Secondary {
            retry_after: Some(RETRY_AFTER),
        }),
    ),
    (
        "403_secondary_bare",
        Some(FaultKind::Status403Secondary { retry_after: None }),
    ),
    (
        "429",
        Some(FaultKind::Status429 {
            retry_after: Some(RETRY_AFTER),
        }),
    ),
    ("500", Some(FaultKind::Status500)),
    ("502_html", Some(FaultKind::Status502Html)),
    ("503", Some(FaultKind::Status503)),
    ("truncated", Some(FaultKind::Truncated)),
    (
        "partial_error",
        Some(FaultKind::PartialError { field: None }),
    ),
    (
        "primary_limit",
        Some(FaultKind::PrimaryLimit { reset_in: RESET_IN }),
    ),
    ("html_200", Some(FaultKind::Html200)),
    ("data_string", Some(FaultKind::DataString)),
    ("refused", None),
];

impl Cell {
    /// Every cell that there is.
    pub(crate) fn all() -> Vec<Cell> {
        let mut cells = Vec::new();
        for target in Target::ALL {
            for (name, kind) in &FAULTS {
                // Who is not there refuses the first request, and that is the lookup.
                if kind.is_none() && target == Target::Close {
                    continue;
                }
                for times in [Times::Once, Times::Always] {
                    for route in Route::GITHUB {
                        let wrong = Wrong(name);
                        cells.push(Cell {
                            target,
                            wrong,
                            times,
                            route,
                        });
                    }
                }
            }
        }
        cells
    }

    /// Runs the cell in its world and checks what must hold in every cell.
    pub(crate) async fn run(self, bench: &Bench) -> Seen {
        let (capability, input) = self.target.call();
        let envelope = bench.run_on(self.route, capability, &input).await;
        let requests = bench.sim.requests();
        let count = |operation| {
            requests
                .iter()
                .filter(|seen| seen.operation == operation)
                .count()
        };
        let seen = Seen {
            result: result(&envelope),
            outcome: outcome(&envelope).to_owned(),
            reads: count(Operation::Read),
            writes: count(Operation::Write),
            slept: slept(&bench.clock.sleeps()),
            done: self.target.done(&bench.sim),
        };
        self.check(&seen, &envelope, &requests);
        seen
    }

    /// Whether the client has to run out of time.
    pub(crate) fn hangs(self) -> bool {
        self.wrong.hangs()
    }

    /// A world of its own, in which something will go wrong.
    pub(crate) async fn prepare(self) -> (Cell, Bench) {
        let kind = self.wrong.kind();
        let bench = self.wrong.bench(self.route).await;
        match (kind, self.times) {
            (Some(kind), times) => {
                let fault = match times {
                    Times::Once => Fault::once(kind),
                    Times::Always => Fault::always(kind),
                };
                bench.sim.inject(self.target.aim(fault));
            }
            (None, Times::Once) => bench.listen_after_first_wait(),
            (None, Times::Always) => {}
        }
        (self, bench)
    }

    fn check(self, seen: &Seen, envelope: &ResultEnvelope, requests: &[SeenRequest]) {
        let applied = requests.iter().filter(|seen| seen.applied).count();
        assert_eq!(applied, seen.done, "{self}: the log and the world agree");
        assert!(seen.done <= 1, "{self}: done {} times", seen.done);
        let writes = requests
            .iter()
            .filter(|seen| seen.operation == Operation::Write);
        let after_the_deed = writes.skip_while(|seen| !seen.applied).skip(1).count();
        assert_eq!(after_the_deed, 0, "{self}: sent again after it was done");
        assert!(
            !serde_json::to_string(envelope).unwrap().contains(TOKEN),
            "{self}: the token leaked"
        );
        assert_eq!(envelope.meta.route_used, Some(self.route), "{self}");
        let Some(error) = &envelope.error else {
            assert_eq!(
                seen.done,
                usize::from(self.target != Target::View),
                "{self}: ok but not done"
            );
            return;
        };
        assert_eq!(
            error.code == ErrorCode::RateLimit,
            error.details.contains_key("retry_after_s"),
            "{self}: {error:?}"
        );
        match (self.target, seen.outcome.as_str()) {
            (Target::View, outcome) => assert_eq!(outcome, "-", "{self}"),
            (_, "not_applied") => assert_eq!(seen.done, 0, "{self}: it was done"),
            (_, "applied") => assert_eq!((seen.done, error.retryable), (1, false), "{self}"),
            (_, outcome) => assert_eq!((outcome, error.retryable), ("unknown", false), "{self}"),
        }
    }
}

impl Target {
    pub(crate) const ALL: [Target; 4] = [
        Target::View,
        Target::Create,
        Target::Close,
        Target::CloseLookup,
    ];

    pub(crate) fn call(self) -> (&'static str, Value) {
        let issue = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
        match self {
            Target::View => ("issue.view", issue),
            Target::Close | Target::CloseLookup => ("issue.close", issue),
            Target::Create => (
                "issue.create",
                json!({"owner": "acme", "repo": "rocket", "title": TITLE}),
            ),
        }
    }

    /// Restricts a fault to the requests that it is to hit.
    pub(crate) fn aim(self, fault: Fault) -> Fault {
        match self {
            Target::View | Target::CloseLookup => fault.on_reads(),
            Target::Create | Target::Close => fault.on_writes(),
        }
    }

    /// How many times the world shows the change.
    pub(crate) fn done(self, sim: &Sim) -> usize {
        sim.world(|world| {
            let repo = world.find_repo("acme", "rocket").unwrap();
            let repo = world.repo(repo).unwrap();
            match self {
                Target::View => 0,
                Target::Create => repo
                    .issues
                    .values()
                    .filter(|issue| issue.title == TITLE)
                    .count(),
                Target::Close | Target::CloseLookup => {
                    usize::from(repo.issue(1).unwrap().state == IssueState::Closed)
                }
            }
        })
    }
}

impl Wrong {
    /// Every fault of the matrix that the simulator can play.
    pub(crate) fn all() -> impl Iterator<Item = Wrong> {
        let played = FAULTS.iter().filter(|(_, kind)| kind.is_some());
        played.map(|(name, _)| Wrong(name))
    }

    pub(crate) fn name(self) -> &'static str {
        self.0
    }

    pub(crate) fn hangs(self) -> bool {
        matches!(
            self.kind(),
            Some(FaultKind::HangBefore | FaultKind::HangAfter)
        )
    }

    /// A bench for it: patient, except where waiting is the point.
    pub(crate) async fn bench(self, route: Route) -> Bench {
        let request_timeout = match (self.hangs(), route) {
            (true, Route::Cli) => SHORT_WITH_GH,
            (true, _) => SHORT,
            (false, _) => LONG,
        };
        Bench::set_up(Setup {
            settings: Settings {
                request_timeout,
                ..Settings::default()
            },
            listening: match self.kind() {
                Some(_) => Listening::Everywhere,
                None => Listening::Nowhere,
            },
            ..Setup::default()
        })
        .await
    }

    pub(crate) fn kind(self) -> Option<FaultKind> {
        let known = FAULTS.iter().find(|(name, _)| *name == self.0);
        known.and_then(|(_, kind)| kind.clone())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Target::View => "view",
            Target::Create => "create",
            Target::Close => "close",
            Target::CloseLookup => "close_lookup",
        })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = match self.times {
            Times::Once => "once",
            Times::Always => "always",
        };
        write!(
            f,
            "{:<12} {:<18} {times:<6} {:<7}",
            self.target,
            self.wrong.0,
            self.route.as_str()
        )
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<12} {:<11} {} {} {:<11} {}",
            self.result, self.outcome, self.reads, self.writes, self.slept, self.done
        )
    }
}

pub(crate) fn result(envelope: &ResultEnvelope) -> String {
    match &envelope.error {
        None => "ok".to_owned(),
        Some(error) if error.retryable => format!("{}!", error.code),
        Some(error) => error.code.to_string(),
    }
}

fn outcome(envelope: &ResultEnvelope) -> &str {
    let error = envelope.error.as_ref();
    error
        .and_then(|error| error.details.get("outcome")?.as_str())
        .unwrap_or("-")
}

/// `~,~` for two backoffs inside their bounds; what GitHub asked for in seconds.
fn slept(sleeps: &[Duration]) -> String {
    let backoff = |tries: usize, slept: Duration| {
        let full = Duration::from_millis(250 << tries);
        full / 2 <= slept && slept <= full
    };
    // Until a reset: GitHub and we count whole seconds, so a part of the first may be over; and the date that
    // an answer carries may be a second old.
    let reset = [RESET_IN - 1, RESET_IN, RESET_IN + 1].map(Duration::from_secs);
    let texts: Vec<_> = sleeps
        .iter()
        .enumerate()
        .map(|(tries, slept)| match slept {
            slept if backoff(tries, *slept) => "~".to_owned(),
            slept if reset.contains(slept) => format!("{RESET_IN}s"),
            slept if slept.subsec_nanos() == 0 => format!("{}s", slept.as_secs()),
            other => format!("{other:?}"),
        })
        .collect();
    if texts.is_empty() {
        "-".to_owned()
    } else {
        texts.join(",")
    }
}
