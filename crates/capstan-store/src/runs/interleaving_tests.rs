//! Explores every interleaving of several attempts at one run, with crashes, lost answers and
//! people who decide, with the real transactions on a real database. The steps between two
//! transactions are modelled after `capstan-engine` (`local/run/resume.rs` decides,
//! `skill/journal.rs` records). The tests of `capstan-cli` race real processes.

use std::collections::HashSet;

use capstan_core::code::TraceId;
use capstan_core::port::Viewer;
use capstan_core::run::{NewRun, Noted, RunEnd, RunState, RunStep, RunTurn, SkillRun, StepState};
use rusqlite::Connection;
use serde_json::json;

use super::{begin, end, get, record_steps, take_over};
use crate::location::Location;
use crate::migrations::migrate;
use crate::process::OwnProcess;

const AT: i64 = 1000;

/// The parameters of one exploration.
#[derive(Clone, Copy)]
struct Scenario {
    /// How many there are. The first begins the run, the others resume it.
    processes: usize,
    writes: usize,
    /// Whether those who resume ask to take over a live run.
    takes_over: bool,
    /// Whether people say at once that a write was not done, although it may still be under way.
    decides_early: bool,
    protocol: Protocol,
}

#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Real,
    /// The take-over ignores what was recorded since the journal was read.
    ComparesOnlyTheAttempt,
    /// A write is sent even if the store refuses to record it.
    SendsUnrecordedWrites,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Phase {
    /// Has not read the journal yet.
    Idle,
    /// Has read the journal and decided.
    Decided {
        attempt: u32,
        revision: u64,
        done: Vec<bool>,
        decisions: Vec<(usize, bool)>,
    },
    /// Owns the run, as far as it knows, and is before its next write.
    Running {
        attempt: u32,
        done: Vec<bool>,
    },
    /// The write is journaled and not sent yet.
    Journaled {
        attempt: u32,
        done: Vec<bool>,
        write: usize,
    },
    /// The request is under way.
    Sent {
        attempt: u32,
        done: Vec<bool>,
        write: usize,
    },
    /// The answer has arrived and is not recorded yet: `Some(true)` is done, `Some(false)` refused,
    /// `None` lost.
    Answered {
        attempt: u32,
        done: Vec<bool>,
        write: usize,
        applied: Option<bool>,
    },
    /// Still has to record that the run failed.
    Failed {
        attempt: u32,
    },
    Over,
    Crashed,
}

impl Phase {
    fn attempt(&self) -> Option<u32> {
        match self {
            Phase::Running { attempt, .. }
            | Phase::Journaled { attempt, .. }
            | Phase::Sent { attempt, .. }
            | Phase::Answered { attempt, .. }
            | Phase::Failed { attempt } => Some(*attempt),
            Phase::Idle | Phase::Decided { .. } | Phase::Over | Phase::Crashed => None,
        }
    }
}

impl Phase {
    /// Returns whether its next action changes the database.
    fn changes_database(&self) -> bool {
        use Phase::{Answered, Decided, Failed, Running};
        matches!(
            self,
            Decided { .. } | Running { .. } | Answered { .. } | Failed { .. }
        )
    }
}

/// The whole state except the database.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    processes: Vec<Phase>,
    /// For each write, how often it was carried out.
    applied: Vec<u8>,
    /// Requests under way: the write, and the process that waits for the answer, if any.
    network: Vec<(usize, Option<usize>)>,
}

struct Explorer {
    scenario: Scenario,
    connection: Connection,
    owner: OwnProcess,
    seen: HashSet<(World, Vec<bool>, String)>,
    transitions: u64,
    path: Vec<String>,
    violation: Option<String>,
}

fn viewer() -> Viewer {
    Viewer {
        scope: capstan_core::code::Scope::default(),
        user: "ann".to_owned(),
    }
}

fn run_id() -> TraceId {
    TraceId::new(AT, 0)
}

fn write_name(write: usize) -> String {
    format!("w{write}")
}

fn step(write: usize, state: StepState) -> RunStep {
    RunStep {
        path: write_name(write),
        state,
        at: AT,
    }
}

impl Explorer {
    fn explore_all(scenario: Scenario) -> Self {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let new = NewRun {
            id: run_id(),
            skill: "s@1.0.0".to_owned(),
            fingerprint: "f".to_owned(),
            input: None,
            input_hash: "h".to_owned(),
            total: scenario.writes as u64,
            at: AT,
        };
        let owner = OwnProcess::new(Location::Memory);
        begin(&connection, &viewer(), &new, &owner).unwrap();
        let mut processes = vec![Phase::Idle; scenario.processes];
        processes[0] = Phase::Running {
            attempt: 1,
            done: vec![false; scenario.writes],
        };
        let world = World {
            processes,
            applied: vec![0; scenario.writes],
            network: Vec::new(),
        };
        let mut explorer = Self {
            scenario,
            connection,
            owner,
            seen: HashSet::new(),
            transitions: 0,
            path: Vec::new(),
            violation: None,
        };
        let run = explorer.run();
        explorer.explore(&world, &run);
        explorer
    }

    fn explore(&mut self, world: &World, run: &SkillRun) {
        if self.violation.is_some() || !self.is_new(world, run) {
            return;
        }
        for (process, phase) in world.processes.iter().enumerate() {
            let over = matches!(phase, Phase::Over | Phase::Crashed | Phase::Idle);
            if !over {
                self.branch(
                    world,
                    run,
                    false,
                    format!("{process} crashes"),
                    |_, next| {
                        for (_, waits) in &mut next.network {
                            *waits = waits.filter(|it| *it != process);
                        }
                        next.processes[process] = Phase::Crashed;
                    },
                );
            }
            let what = format!("{process} goes on from {phase:?}");
            self.branch(world, run, phase.changes_database(), what, |this, next| {
                this.advance(process, next);
            });
        }
        for (index, (write, waits)) in world.network.iter().copied().enumerate() {
            for (applied, answered) in [(true, true), (true, false), (false, true), (false, false)]
            {
                let what = format!("w{write} of {waits:?}: applied {applied}, answered {answered}");
                self.branch(world, run, false, what, |this, next| {
                    next.network.remove(index);
                    next.applied[write] += u8::from(applied);
                    if next.applied[write] > 1 && !this.scenario.decides_early {
                        this.record_violation(&format!("w{write} was carried out twice"));
                    }
                    let Some(process) = waits else { return };
                    if let Phase::Sent {
                        attempt,
                        done,
                        write,
                    } = next.processes[process].clone()
                    {
                        let applied = answered.then_some(applied);
                        next.processes[process] = Phase::Answered {
                            attempt,
                            done,
                            write,
                            applied,
                        };
                    }
                });
            }
        }
    }

    /// Performs an action, explores from there, and rolls back.
    fn branch(
        &mut self,
        world: &World,
        run: &SkillRun,
        changes_database: bool,
        what: String,
        act: impl FnOnce(&mut Self, &mut World),
    ) {
        if self.violation.is_some() {
            return;
        }
        let mut next = world.clone();
        self.path.push(what);
        if changes_database {
            self.sql("SAVEPOINT here");
        }
        act(self, &mut next);
        if next != *world {
            self.transitions += 1;
            next.network.sort_unstable();
            if changes_database {
                let run = self.run();
                self.explore(&next, &run);
            } else {
                self.explore(&next, run);
            }
        }
        if self.violation.is_none() {
            self.path.pop();
        }
        if changes_database {
            self.sql("ROLLBACK TO here");
            self.sql("RELEASE here");
        }
    }

    fn advance(&mut self, process: usize, world: &mut World) {
        let ignores = self.scenario.protocol == Protocol::SendsUnrecordedWrites;
        let phase = world.processes[process].clone();
        world.processes[process] = match phase {
            Phase::Idle => self.read_journal(world).unwrap_or(Phase::Idle),
            Phase::Decided {
                attempt,
                revision,
                done,
                decisions,
            } => self.try_take_over(attempt, revision, done, &decisions),
            Phase::Running { attempt, done } => match done.iter().position(|done| !done) {
                None => {
                    let well = RunEnd {
                        error: None,
                        at: AT,
                    };
                    if end(&self.connection, &turn(attempt), &well).is_ok() {
                        self.check_end(world);
                    }
                    Phase::Over
                }
                Some(write) => {
                    let known = self.is_known_to_be_done(write);
                    match record_steps(
                        &self.connection,
                        &turn(attempt),
                        &[step(write, StepState::Started)],
                    ) {
                        Ok(Noted::Kept) => {
                            if known {
                                self.record_violation(&format!(
                                    "w{write} left although it is done"
                                ));
                            }
                            Phase::Journaled {
                                attempt,
                                done,
                                write,
                            }
                        }
                        _ if ignores => Phase::Journaled {
                            attempt,
                            done,
                            write,
                        },
                        Ok(Noted::TurnOver) => Phase::Over,
                        Err(_) => Phase::Failed { attempt },
                    }
                }
            },
            Phase::Journaled {
                attempt,
                done,
                write,
            } => {
                world.network.push((write, Some(process)));
                Phase::Sent {
                    attempt,
                    done,
                    write,
                }
            }
            Phase::Sent { .. } => return,
            Phase::Answered {
                attempt,
                mut done,
                write,
                applied,
            } => match applied {
                None => Phase::Failed { attempt },
                Some(applied) => {
                    let state = if applied {
                        StepState::Done(Some(json!(1)))
                    } else {
                        StepState::NotDone
                    };
                    let noted =
                        record_steps(&self.connection, &turn(attempt), &[step(write, state)]);
                    if applied && !self.is_known_to_be_done(write) && !ignores {
                        self.record_violation(&format!("nobody knows that w{write} is done"));
                    }
                    done[write] = applied;
                    match (noted.unwrap(), applied) {
                        (Noted::TurnOver, _) if !ignores => Phase::Over,
                        (_, true) => Phase::Running { attempt, done },
                        (_, false) => Phase::Failed { attempt },
                    }
                }
            },
            Phase::Failed { attempt } => {
                let failed = RunEnd {
                    error: Some("x".to_owned()),
                    at: AT,
                };
                let _ = end(&self.connection, &turn(attempt), &failed);
                Phase::Over
            }
            Phase::Over | Phase::Crashed => return,
        };
    }

    /// Reads the journal and decides. `None` while nobody could know the answer.
    fn read_journal(&mut self, world: &World) -> Option<Phase> {
        let run = self.run();
        let owner = world
            .processes
            .iter()
            .find(|it| it.attempt() == Some(run.attempt));
        let is_alive = run.state == RunState::Open && owner.is_some();
        if run.state == RunState::Ok || (is_alive && !self.scenario.takes_over) {
            return Some(Phase::Over);
        }
        let mut done = vec![false; self.scenario.writes];
        let mut decisions = Vec::new();
        for known in &run.steps {
            let write = (0..self.scenario.writes)
                .find(|it| write_name(*it) == known.path)
                .unwrap();
            match known.state {
                StepState::Done(_) => done[write] = true,
                StepState::NotDone | StepState::Skipped => {}
                StepState::Started if is_alive => return Some(Phase::Over),
                StepState::Started => {
                    let is_under_way = world.network.iter().any(|(it, _)| *it == write);
                    if is_under_way && !self.scenario.decides_early {
                        return None;
                    }
                    let sends = run.sends.iter().filter(|it| it.path == known.path);
                    let is_known = sends.into_iter().any(|it| it.done == Some(true));
                    // A person who looks finds the effect, and a write known as done cannot be done
                    // again.
                    let was_done = is_known || (world.applied[write] > 0 && !is_under_way);
                    done[write] = was_done;
                    decisions.push((write, was_done));
                }
            }
        }
        Some(Phase::Decided {
            attempt: run.attempt,
            revision: run.revision,
            done,
            decisions,
        })
    }

    fn try_take_over(
        &mut self,
        attempt: u32,
        revision: u64,
        done: Vec<bool>,
        decisions: &[(usize, bool)],
    ) -> Phase {
        let notes: Vec<_> = decisions
            .iter()
            .map(|(write, was_done)| {
                if *was_done {
                    step(*write, StepState::Done(Some(json!(2))))
                } else {
                    step(*write, StepState::NotDone)
                }
            })
            .collect();
        let compared = match self.scenario.protocol {
            Protocol::ComparesOnlyTheAttempt => self.run().revision,
            _ => revision,
        };
        let by = (&self.owner, AT);
        let seen = turn(attempt);
        match take_over(&self.connection, &viewer(), (&seen, compared), &notes, by) {
            Ok(Some(turn)) => Phase::Running {
                attempt: turn.attempt,
                done,
            },
            Ok(None) => Phase::Idle,
            Err(_) => Phase::Over,
        }
    }

    /// Checks that a run that ended well did everything exactly once.
    fn check_end(&mut self, world: &World) {
        let all = world.applied.iter().all(|times| *times == 1);
        if !all && !self.scenario.decides_early {
            self.record_violation(&format!(
                "it ended well, and the writes happened {:?} times",
                world.applied
            ));
        }
    }

    fn is_known_to_be_done(&self, write: usize) -> bool {
        let run = self.run();
        let by_an_attempt = run
            .sends
            .iter()
            .any(|it| it.path == write_name(write) && it.done == Some(true));
        let is_done =
            |it: &RunStep| it.path == write_name(write) && matches!(it.state, StepState::Done(_));
        by_an_attempt || run.steps.iter().any(is_done)
    }

    fn run(&self) -> SkillRun {
        let found = get(&self.connection, &viewer(), run_id().as_str(), &self.owner);
        found.unwrap().unwrap()
    }

    fn record_violation(&mut self, what: &str) {
        self.violation
            .get_or_insert_with(|| format!("{what}:\n{}", self.path.join("\n")));
    }

    /// Returns whether this state is new. Of a revision only matters whether it is the present one.
    fn is_new(&mut self, world: &World, run: &SkillRun) -> bool {
        let mut plain = world.clone();
        let mut fresh = Vec::new();
        for phase in &mut plain.processes {
            if let Phase::Decided { revision, .. } = phase {
                fresh.push(*revision == run.revision);
                *revision = 0;
            }
        }
        let kept = format!(
            "{:?} {:?} {:?} {:?}",
            run.attempt, run.state, run.steps, run.sends
        );
        self.seen.insert((plain, fresh, kept))
    }

    fn sql(&self, sql: &str) {
        self.connection
            .prepare_cached(sql)
            .unwrap()
            .execute([])
            .unwrap();
    }
}

fn turn(attempt: u32) -> RunTurn {
    RunTurn {
        run: run_id(),
        attempt,
    }
}

const REAL: Scenario = Scenario {
    processes: 3,
    writes: 2,
    takes_over: false,
    decides_early: false,
    protocol: Protocol::Real,
};

fn assert_safe(scenario: Scenario) {
    let explored = Explorer::explore_all(scenario);
    println!(
        "{} states, {} transitions",
        explored.seen.len(),
        explored.transitions
    );
    assert_eq!(explored.violation, None);
    assert!(explored.seen.len() > 200, "that is not everything");
}

fn assert_violation_is_found(scenario: Scenario) {
    let explored = Explorer::explore_all(scenario);
    assert!(
        explored.violation.is_some(),
        "{} states, and nothing is wrong",
        explored.seen.len()
    );
}

#[test]
fn three_attempts_with_crashes_write_nothing_twice() {
    assert_safe(REAL);
}

#[test]
fn attempts_that_take_a_live_run_over_write_nothing_twice() {
    assert_safe(Scenario {
        takes_over: true,
        ..REAL
    });
}

#[test]
fn two_attempts_at_three_writes_write_nothing_twice() {
    for takes_over in [false, true] {
        assert_safe(Scenario {
            processes: 2,
            writes: 3,
            takes_over,
            ..REAL
        });
    }
}

// A person who says too early that a write was not done may be wrong. A write known as done is
// still not repeated.
#[test]
fn what_an_earlier_attempt_learns_late_is_not_lost() {
    assert_safe(Scenario {
        takes_over: true,
        decides_early: true,
        ..REAL
    });
}

#[test]
fn comparing_only_the_attempt_is_not_enough() {
    assert_violation_is_found(Scenario {
        takes_over: true,
        protocol: Protocol::ComparesOnlyTheAttempt,
        ..REAL
    });
}

#[test]
fn a_write_that_does_not_wait_for_its_note_is_seen() {
    assert_violation_is_found(Scenario {
        takes_over: true,
        protocol: Protocol::SendsUnrecordedWrites,
        ..REAL
    });
}
