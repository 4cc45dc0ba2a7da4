//! Every interleaving of several attempts at one run, with crashes, lost answers and people who look:
//! explored exhaustively, with the real transactions on a real database. What attempts do between two
//! transactions is modelled here as `capstan-engine` does it (`local/run/resume.rs` decides,
//! `skill/journal.rs` records); the tests of `capstan-cli` race real processes.

use std::collections::HashSet;

use capstan_core::code::TraceId;
use capstan_core::port::Viewer;
use capstan_core::run::{NewRun, Noted, RunEnd, RunState, RunStep, RunTurn, SkillRun, StepState};
use rusqlite::Connection;
use serde_json::json;

use super::{begin, end, get, note, take_over};
use crate::migrations::migrate;
use crate::place::Place;
use crate::process::OwnProcess;

const AT: i64 = 1000;

/// What is explored.
#[derive(Clone, Copy)]
struct Setting {
    /// The first begins the run, the others resume it.
    processes: usize,
    writes: usize,
    /// Those who resume say that they take it from whoever has it.
    takes_over: bool,
    /// People say at once that a write was not done, although it may still be on its way.
    hasty: bool,
    protocol: Protocol,
}

#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Real,
    /// The take-over does not mind what was recorded since the journal was read.
    ComparesOnlyTheAttempt,
    /// A write leaves whatever the store says to the note.
    IgnoresItsNotes,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Phase {
    /// Has not looked at the journal yet.
    Idle,
    /// Has decided on what it saw.
    Looked {
        attempt: u32,
        revision: u64,
        done: Vec<bool>,
        says: Vec<(usize, bool)>,
    },
    /// Has the run, as far as it knows, and is before its next write.
    Running {
        attempt: u32,
        done: Vec<bool>,
    },
    /// It is recorded that the write leaves.
    Noted {
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
    /// The answer is there, and not recorded yet: done, refused, or lost.
    Answered {
        attempt: u32,
        done: Vec<bool>,
        write: usize,
        applied: Option<bool>,
    },
    /// What is left is to record that it failed.
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
            | Phase::Noted { attempt, .. }
            | Phase::Sent { attempt, .. }
            | Phase::Answered { attempt, .. }
            | Phase::Failed { attempt } => Some(*attempt),
            Phase::Idle | Phase::Looked { .. } | Phase::Over | Phase::Crashed => None,
        }
    }
}

impl Phase {
    /// Whether the next thing that it does changes the database.
    fn records(&self) -> bool {
        use Phase::{Answered, Failed, Looked, Running};
        matches!(
            self,
            Looked { .. } | Running { .. } | Answered { .. } | Failed { .. }
        )
    }
}

/// Everything but the database.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    processes: Vec<Phase>,
    /// By write: how often it was carried out.
    applied: Vec<u8>,
    /// Requests that are still on their way: the write, and who waits for its answer, if anybody.
    network: Vec<(usize, Option<usize>)>,
}

struct Explorer {
    setting: Setting,
    connection: Connection,
    owner: OwnProcess,
    seen: HashSet<(World, Vec<bool>, String)>,
    transitions: u64,
    path: Vec<String>,
    broken: Option<String>,
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

fn name(write: usize) -> String {
    format!("w{write}")
}

fn step(write: usize, state: StepState) -> RunStep {
    RunStep {
        path: name(write),
        state,
        at: AT,
    }
}

impl Explorer {
    fn explored(setting: Setting) -> Self {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let new = NewRun {
            id: run_id(),
            skill: "s@1.0.0".to_owned(),
            fingerprint: "f".to_owned(),
            input: None,
            input_hash: "h".to_owned(),
            total: setting.writes as u64,
            at: AT,
        };
        let owner = OwnProcess::new(Place::Memory);
        begin(&connection, &viewer(), &new, &owner).unwrap();
        let mut processes = vec![Phase::Idle; setting.processes];
        processes[0] = Phase::Running {
            attempt: 1,
            done: vec![false; setting.writes],
        };
        let world = World {
            processes,
            applied: vec![0; setting.writes],
            network: Vec::new(),
        };
        let mut explorer = Self {
            setting,
            connection,
            owner,
            seen: HashSet::new(),
            transitions: 0,
            path: Vec::new(),
            broken: None,
        };
        let run = explorer.run();
        explorer.explore(&world, &run);
        explorer
    }

    fn explore(&mut self, world: &World, run: &SkillRun) {
        if self.broken.is_some() || !self.is_new(world, run) {
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
            self.branch(world, run, phase.records(), what, |this, next| {
                this.go_on(process, next);
            });
        }
        for (index, (write, waits)) in world.network.iter().copied().enumerate() {
            for (applied, answered) in [(true, true), (true, false), (false, true), (false, false)]
            {
                let what = format!("w{write} of {waits:?}: applied {applied}, answered {answered}");
                self.branch(world, run, false, what, |this, next| {
                    next.network.remove(index);
                    next.applied[write] += u8::from(applied);
                    if next.applied[write] > 1 && !this.setting.hasty {
                        this.complain(&format!("w{write} was carried out twice"));
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

    /// Does something, goes on from there, and takes it back.
    fn branch(
        &mut self,
        world: &World,
        run: &SkillRun,
        records: bool,
        what: String,
        act: impl FnOnce(&mut Self, &mut World),
    ) {
        if self.broken.is_some() {
            return;
        }
        let mut next = world.clone();
        self.path.push(what);
        if records {
            self.sql("SAVEPOINT here");
        }
        act(self, &mut next);
        if next != *world {
            self.transitions += 1;
            next.network.sort_unstable();
            match records {
                true => {
                    let run = self.run();
                    self.explore(&next, &run);
                }
                false => self.explore(&next, run),
            }
        }
        if self.broken.is_none() {
            self.path.pop();
        }
        if records {
            self.sql("ROLLBACK TO here");
            self.sql("RELEASE here");
        }
    }

    fn go_on(&mut self, process: usize, world: &mut World) {
        let ignores = self.setting.protocol == Protocol::IgnoresItsNotes;
        let phase = world.processes[process].clone();
        world.processes[process] = match phase {
            Phase::Idle => self.look(world).unwrap_or(Phase::Idle),
            Phase::Looked {
                attempt,
                revision,
                done,
                says,
            } => self.take(attempt, revision, done, &says),
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
                    match note(
                        &self.connection,
                        &turn(attempt),
                        &[step(write, StepState::Started)],
                    ) {
                        Ok(Noted::Kept) => {
                            if known {
                                self.complain(&format!("w{write} left although it is done"));
                            }
                            Phase::Noted {
                                attempt,
                                done,
                                write,
                            }
                        }
                        _ if ignores => Phase::Noted {
                            attempt,
                            done,
                            write,
                        },
                        Ok(Noted::TurnOver) => Phase::Over,
                        Err(_) => Phase::Failed { attempt },
                    }
                }
            },
            Phase::Noted {
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
                    let state = match applied {
                        true => StepState::Done(Some(json!(1))),
                        false => StepState::NotDone,
                    };
                    let noted = note(&self.connection, &turn(attempt), &[step(write, state)]);
                    if applied && !self.is_known_to_be_done(write) && !ignores {
                        self.complain(&format!("nobody knows that w{write} is done"));
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

    /// Reads the journal and decides. Nothing while nobody could know.
    fn look(&mut self, world: &World) -> Option<Phase> {
        let run = self.run();
        let owner = world
            .processes
            .iter()
            .find(|it| it.attempt() == Some(run.attempt));
        let is_alive = run.state == RunState::Open && owner.is_some();
        if run.state == RunState::Ok || (is_alive && !self.setting.takes_over) {
            return Some(Phase::Over);
        }
        let mut done = vec![false; self.setting.writes];
        let mut says = Vec::new();
        for known in &run.steps {
            let write = (0..self.setting.writes)
                .find(|it| name(*it) == known.path)
                .unwrap();
            match known.state {
                StepState::Done(_) => done[write] = true,
                StepState::NotDone | StepState::Skipped => {}
                StepState::Started if is_alive => return Some(Phase::Over),
                StepState::Started => {
                    let is_under_way = world.network.iter().any(|(it, _)| *it == write);
                    if is_under_way && !self.setting.hasty {
                        return None;
                    }
                    let sends = run.sends.iter().filter(|it| it.path == known.path);
                    let is_known = sends.into_iter().any(|it| it.done == Some(true));
                    // Whoever looks finds it, and what is known to be done cannot be done again.
                    let was_done = is_known || (world.applied[write] > 0 && !is_under_way);
                    done[write] = was_done;
                    says.push((write, was_done));
                }
            }
        }
        Some(Phase::Looked {
            attempt: run.attempt,
            revision: run.revision,
            done,
            says,
        })
    }

    fn take(
        &mut self,
        attempt: u32,
        revision: u64,
        done: Vec<bool>,
        says: &[(usize, bool)],
    ) -> Phase {
        let notes: Vec<_> = says
            .iter()
            .map(|(write, was_done)| match was_done {
                true => step(*write, StepState::Done(Some(json!(2)))),
                false => step(*write, StepState::NotDone),
            })
            .collect();
        let compared = match self.setting.protocol {
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

    /// A run that ended well did everything once.
    fn check_end(&mut self, world: &World) {
        let all = world.applied.iter().all(|times| *times == 1);
        if !all && !self.setting.hasty {
            self.complain(&format!(
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
            .any(|it| it.path == name(write) && it.done == Some(true));
        let is_done =
            |it: &RunStep| it.path == name(write) && matches!(it.state, StepState::Done(_));
        by_an_attempt || run.steps.iter().any(is_done)
    }

    fn run(&self) -> SkillRun {
        let found = get(&self.connection, &viewer(), run_id().as_str(), &self.owner);
        found.unwrap().unwrap()
    }

    fn complain(&mut self, what: &str) {
        self.broken
            .get_or_insert_with(|| format!("{what}:\n{}", self.path.join("\n")));
    }

    /// Whether nobody was here before. Of revisions it only matters whether they are the present one.
    fn is_new(&mut self, world: &World, run: &SkillRun) -> bool {
        let mut plain = world.clone();
        let mut fresh = Vec::new();
        for phase in &mut plain.processes {
            if let Phase::Looked { revision, .. } = phase {
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

const REAL: Setting = Setting {
    processes: 3,
    writes: 2,
    takes_over: false,
    hasty: false,
    protocol: Protocol::Real,
};

fn holds(setting: Setting) {
    let explored = Explorer::explored(setting);
    println!(
        "{} states, {} transitions",
        explored.seen.len(),
        explored.transitions
    );
    assert_eq!(explored.broken, None);
    assert!(explored.seen.len() > 200, "that is not everything");
}

fn breaks(setting: Setting) {
    let explored = Explorer::explored(setting);
    assert!(
        explored.broken.is_some(),
        "{} states, and nothing is wrong",
        explored.seen.len()
    );
}

#[test]
fn three_attempts_with_crashes_write_nothing_twice() {
    holds(REAL);
}

#[test]
fn attempts_that_take_a_live_run_over_write_nothing_twice() {
    holds(Setting {
        takes_over: true,
        ..REAL
    });
}

#[test]
fn two_attempts_at_three_writes_write_nothing_twice() {
    for takes_over in [false, true] {
        holds(Setting {
            processes: 2,
            writes: 3,
            takes_over,
            ..REAL
        });
    }
}

/// Whoever says too early that a write was not done may be wrong. What is known is still not done again.
#[test]
fn what_an_earlier_attempt_learns_late_is_not_lost() {
    holds(Setting {
        takes_over: true,
        hasty: true,
        ..REAL
    });
}

#[test]
fn comparing_only_the_attempt_is_not_enough() {
    breaks(Setting {
        takes_over: true,
        protocol: Protocol::ComparesOnlyTheAttempt,
        ..REAL
    });
}

#[test]
fn a_write_that_does_not_wait_for_its_note_is_seen() {
    breaks(Setting {
        takes_over: true,
        protocol: Protocol::IgnoresItsNotes,
        ..REAL
    });
}
