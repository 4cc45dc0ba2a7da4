//! Several processes resume one run at the same time, while others are killed or still have it. However
//! it goes, every write happens once: counted at the simulator.

use std::io::Read as _;
use std::process::{Child, Stdio};
use std::time::Duration;

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::resume::until;
use super::world::{Workshop, rocket};
use crate::cli::harness::CAPSTAN;

const WRITES: usize = 10;

/// All resumes of a race start within so many milliseconds.
const WITHIN_MS: u64 = 250;

/// Ten writes, one after the other; what is created twice can be seen.
fn ten_writes() -> String {
    let mut text = "id: ten\nlevel: 3\ncomposes:\n".to_owned();
    for write in 0..WRITES {
        text.push_str(&format!(
            "  - {{skill: open-one, as: w{write}, inputs: {{title: Write {write}}}}}\n"
        ));
    }
    text.push_str("execution:\n");
    for write in 0..WRITES {
        text.push_str(&format!("  - step: w{write}\n"));
    }
    text.push_str(
        "---
id: open-one
level: 1
card: issue.create
output_schema: {type: object, properties: {number: {type: integer}}, required: [number]}
",
    );
    text
}

/// How the run that is fought for came about.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    /// It failed with 401.
    Failed,
    /// It is still running.
    Alive,
}

/// What happened in races.
#[derive(Debug, Default)]
struct Tally {
    races: usize,
    resumes: usize,
    killed: usize,
    /// By what a resume came to.
    ok: usize,
    another_has_it: usize,
    in_flight: usize,
    unknown: usize,
    other: usize,
    /// How often somebody had to look afterwards.
    looked: usize,
}

struct Race<'a> {
    workshop: &'a Workshop,
    random: fastrand::Rng,
    tally: &'a mut Tally,
    children: Vec<Child>,
}

fn race(start: Start, seed: u64, tally: &mut Tally) {
    let workshop = Workshop::with(&ten_writes());
    let mut race = Race {
        workshop: &workshop,
        random: fastrand::Rng::with_seed(seed),
        tally,
        children: Vec::new(),
    };
    race.tally.races += 1;
    let latency = Fault::always(FaultKind::Latency {
        ms: race.random.u64(0..12),
    });
    let sim = &workshop.github.sim;
    sim.inject(latency);
    let input = rocket(json!({})).to_string();
    let begin = ["skill", "run", "ten", "--input", &input];
    if start == Start::Failed {
        let after = race.random.u32(0..WRITES as u32);
        sim.inject(Fault::once(FaultKind::Status401).on_writes().after(after));
        let failed = workshop.world.capstan(&begin);
        assert_eq!(failed["error"]["code"], "AUTH", "{failed}");
    } else {
        race.start(&begin);
        until(|| sim.requests().iter().any(|it| it.applied));
    }
    let run = workshop.newest()["id"].as_str().unwrap().to_owned();
    race.fight(&run);
    // What a killed process had sent may still arrive.
    until(|| sim.requests().iter().all(|it| it.finished.is_some()));
    race.see_through(&run);
    let titles = race.titles();
    for write in 0..WRITES {
        let title = format!("Write {write}");
        let times = titles.iter().filter(|it| **it == title).count();
        assert_eq!(times, 1, "{start:?}, seed {seed}: `{title}` in {titles:?}");
    }
}

impl Race<'_> {
    fn start(&mut self, args: &[&str]) {
        let file = self.workshop.world.place.here().join("skills.yaml");
        let mut command = self.workshop.world.place.command(CAPSTAN);
        command.args(["--skills", file.to_str().unwrap(), "--json"]);
        command.args(args).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        self.children.push(command.spawn().unwrap());
    }

    /// Some resume it, some of them taking it from others, and some are killed.
    fn fight(&mut self, run: &str) {
        let mut left = WITHIN_MS;
        for _ in 0..self.random.usize(2..5) {
            let pause = self.random.u64(0..=left / 2);
            left -= pause;
            std::thread::sleep(Duration::from_millis(pause));
            let mut args = vec!["skill", "run", "--resume", run];
            if self.random.bool() {
                args.push("--take-over");
            }
            self.start(&args);
            self.tally.resumes += 1;
            if self.random.u8(0..10) < 4 {
                std::thread::sleep(Duration::from_millis(self.random.u64(0..60)));
                let victim = self.random.usize(0..self.children.len());
                self.children[victim].kill().unwrap();
                self.tally.killed += 1;
            }
        }
        for mut child in std::mem::take(&mut self.children) {
            let mut said = String::new();
            child
                .stdout
                .take()
                .unwrap()
                .read_to_string(&mut said)
                .unwrap();
            child.wait().unwrap();
            if let Ok(envelope) = serde_json::from_str::<Value>(&said) {
                self.count(&envelope);
            }
        }
    }

    fn count(&mut self, envelope: &Value) {
        let details = &envelope["error"]["details"];
        let tally = &mut *self.tally;
        let which = match envelope["ok"] == true {
            true => &mut tally.ok,
            false if details["owner"].is_object() => &mut tally.another_has_it,
            false if details["in_flight"].is_array() => &mut tally.in_flight,
            false if details["unknown"].is_array() => &mut tally.unknown,
            false => &mut tally.other,
        };
        *which += 1;
    }

    /// Resumes the run until it is over, looking where nobody knows. All processes are gone, so nothing
    /// has to be taken from anybody.
    fn see_through(&mut self, run: &str) {
        let mut found: Vec<String> = Vec::new();
        for _ in 0..WRITES {
            if self.workshop.newest()["state"] == "ok" {
                return;
            }
            let more: Vec<_> = found.iter().map(String::as_str).collect();
            let resumed = self.workshop.resume(run, &more);
            if resumed["ok"] == true {
                return;
            }
            let details = &resumed["error"]["details"];
            assert!(details["owner"].is_null(), "nobody has it: {resumed}");
            found.clear();
            let titles = self.titles();
            for step in details["unknown"].as_array().cloned().unwrap_or_default() {
                let step = step.as_str().unwrap().to_owned();
                self.tally.looked += 1;
                let was_done = titles.contains(&format!("Write {}", &step[1..]));
                if was_done {
                    found.extend(["--done".to_owned(), format!("{step}={{\"number\":1}}")]);
                } else {
                    found.extend(["--redo".to_owned(), step]);
                }
            }
        }
        assert_eq!(self.workshop.newest()["state"], "ok");
    }

    /// Of everything that was created.
    fn titles(&self) -> Vec<String> {
        let all = rocket(json!({"state": "all", "first": 100}));
        let listed = self.workshop.run("issue.list", &all);
        let rows = listed["data"]["issues"].as_array().unwrap().clone();
        let titles = rows.iter().filter_map(|row| row["title"].as_str());
        titles
            .filter(|title| title.starts_with("Write "))
            .map(str::to_owned)
            .collect()
    }
}

fn races(count: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for number in 0..count {
        let start = match number % 5 {
            0 | 1 => Start::Alive,
            _ => Start::Failed,
        };
        race(start, seed.wrapping_add(number), &mut tally);
    }
    tally
}

#[test]
fn twenty_raced_resumes_write_nothing_twice() {
    let tally = races(20, fastrand::u64(..));
    println!("{tally:?}");
    assert_eq!(tally.races, 20);
}

/// `make races`.
#[test]
#[ignore = "takes many minutes"]
fn a_thousand_raced_resumes_write_nothing_twice() {
    const THREADS: u64 = 4;
    let seed = fastrand::u64(..);
    let tallies: Vec<_> = std::thread::scope(|scope| {
        let all = (0..THREADS).map(|thread| {
            scope.spawn(move || races(1000 / THREADS, seed.wrapping_add(thread << 32)))
        });
        let all: Vec<_> = all.collect();
        all.into_iter().map(|it| it.join().unwrap()).collect()
    });
    for tally in &tallies {
        println!("{tally:?}");
    }
    assert_eq!(tallies.iter().map(|it| it.races).sum::<usize>(), 1000);
}
