//! A run that is killed goes on where it stopped: what is done stays done once, and what nobody knows is
//! asked.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use github_sim::{Fault, FaultKind, Operation, SeenRequest};
use serde_json::{Value, json};

use super::world::{Workshop, rocket};
use crate::cli::harness::CAPSTAN;
use crate::code::interrupt::send;
use crate::code::surface::Surface as _;

/// One read and five writes, each after the other. What is created or said twice can be seen.
const SIX: &str = "id: six
level: 3
composes:
  - {skill: issue.view, as: look, inputs: {issue_number: 1}}
  - {skill: open-one, as: open, inputs: {title: Follow-up}}
  - {skill: say, as: announce, inputs: {issue_number: 1, body: There is a follow-up}}
  - {skill: say, as: explain, inputs: {issue_number: $open.output.number, body: It follows}}
  - {skill: shut, as: close, inputs: {issue_number: 1}}
  - {skill: say, as: farewell, inputs: {issue_number: 1, body: Done}}
outputs: {opened: $open.output.number, was: $look.output.state, closed: $close.output.state}
execution:
  - step: look
  - step: open
  - step: announce
  - step: explain
  - step: close
  - step: farewell
---
id: open-one
level: 1
card: issue.create
output_schema: {type: object, properties: {number: {type: integer}}, required: [number]}
---
id: say
level: 1
card: issue.comments.create
output_schema: {type: object}
---
id: shut
level: 1
card: issue.close
output_schema: {type: object, properties: {state: {type: string}}, required: [state]}
";

const STEPS: [&str; 6] = ["look", "open", "announce", "explain", "close", "farewell"];

const MUTATIONS: [&str; 5] = [
    "createIssue",
    "addComment",
    "addComment",
    "closeIssue",
    "addComment",
];

impl Workshop {
    /// Starts it, and leaves it alone.
    fn start(&self, args: &[&str]) -> Child {
        let file = self.world.place.here().join("skills.yaml");
        let mut command = self.world.place.command(CAPSTAN);
        command.args(["--skills", file.to_str().unwrap(), "--json"]);
        command.args(args).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    fn start_six(&self) -> Child {
        let input = rocket(json!({})).to_string();
        self.start(&["skill", "run", "six", "--input", &input])
    }

    /// The newest run.
    pub(super) fn newest(&self) -> Value {
        let listed = self.world.capstan(&["skill", "runs"]);
        let newest = listed["data"]["runs"][0].clone();
        assert!(newest.is_object(), "{listed}");
        newest
    }

    pub(super) fn resume(&self, run: &str, more: &[&str]) -> Value {
        let mut args = vec!["skill", "run", "--resume", run];
        args.extend(more);
        self.world.capstan(&args)
    }

    /// A step as somebody finds it who looks at GitHub.
    fn seen_done(&self, step: &str) -> Option<Value> {
        let issues = rocket(json!({"state": "all", "first": 100}));
        let listed = self.run("issue.list", &issues);
        let rows = listed["data"]["issues"].as_array().unwrap().clone();
        let opened = rows.iter().find(|row| row["title"] == "Follow-up");
        let number = opened.map(|row| row["number"].clone());
        let said = |on: Value, body: &str| {
            let input = rocket(json!({"issue_number": on, "first": 100}));
            let listed = self.run("issue.comments.list", &input);
            let rows = listed["data"]["comments"].as_array().cloned();
            let mut rows = rows.unwrap_or_default().into_iter();
            rows.any(|row| row["body"] == body).then(|| json!({}))
        };
        match step {
            "open" => number.map(|number| json!({"number": number})),
            "announce" => said(1.into(), "There is a follow-up"),
            "explain" => said(number?, "It follows"),
            "close" => (self.state_of(1) == "closed").then(|| json!({"state": "closed"})),
            _ => said(1.into(), "Done"),
        }
    }

    /// Resumes a run until it is over, looking where nobody knows; how often somebody had to look.
    fn see_through(&self, run: &str) -> usize {
        let mut looked = 0;
        let mut found: Vec<String> = Vec::new();
        loop {
            let more: Vec<_> = found.iter().map(String::as_str).collect();
            let resumed = self.resume(run, &more);
            if resumed["ok"] == true {
                return looked;
            }
            assert_eq!(resumed["error"]["code"], "CONFLICT", "{resumed}");
            let unknown = resumed["error"]["details"]["unknown"].as_array().cloned();
            assert!(unknown.is_some(), "{resumed}");
            found.clear();
            for step in unknown.unwrap_or_default() {
                let step = step.as_str().unwrap();
                looked += 1;
                match self.seen_done(step) {
                    Some(gave) => found.extend(["--done".to_owned(), format!("{step}={gave}")]),
                    None => found.extend(["--redo".to_owned(), step.to_owned()]),
                }
            }
            assert!(looked < 10, "{resumed}");
        }
    }

    /// What was changed, in order, on whichever route.
    fn changes(&self) -> Vec<String> {
        let seen = self.github.sim.requests().into_iter();
        let name = |it: SeenRequest| match it.root_fields.first() {
            Some(field) => field.clone(),
            None if it.path.ends_with("/comments") => "addComment".to_owned(),
            None if it.path.ends_with("/issues") => "createIssue".to_owned(),
            None => "closeIssue".to_owned(),
        };
        seen.filter(|it| it.applied).map(name).collect()
    }

    fn is_as_it_should_be(&self) {
        assert_eq!(self.changes(), MUTATIONS);
        for step in &STEPS[1..] {
            assert!(self.seen_done(step).is_some(), "{step}");
        }
    }
}

fn files_under(folder: &Path) -> Box<dyn Iterator<Item = PathBuf>> {
    let entries = std::fs::read_dir(folder).unwrap();
    Box::new(entries.flat_map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_under(&path)
        } else {
            Box::new(std::iter::once(path))
        }
    }))
}

/// Waits until it is so.
pub(super) fn until(mut so: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !so() {
        assert!(Instant::now() < patience, "it never became so");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Killed while GitHub has the request of a write, before or after it carried it out.
fn killed_at(write: usize, fault: FaultKind) {
    let applied = fault == FaultKind::HangAfter;
    let workshop = Workshop::with(SIX);
    let fault = Fault::once(fault).on_writes().after(write as u32);
    workshop.github.sim.inject(fault);
    let child = workshop.start_six();
    let seen = || workshop.github.sim.requests().into_iter();
    until(|| seen().filter(|it| it.operation == Operation::Write).count() == write + 1);
    // Whether it was carried out is seen a moment later.
    until(|| workshop.changes().len() == write + usize::from(applied));
    kill(child);

    let step = STEPS[write + 1];
    let run = workshop.newest();
    assert_eq!(
        (&run["state"], &run["done"]),
        (&json!("open"), &json!(write + 1)),
        "{run}"
    );
    let id = run["id"].as_str().unwrap();
    let before = workshop.requests();
    let stopped = workshop.resume(id, &[]);
    assert_eq!(stopped["error"]["code"], "CONFLICT", "{stopped}");
    assert_eq!(stopped["error"]["details"]["unknown"], json!([step]));
    let message = stopped["error"]["message"].as_str().unwrap();
    assert!(message.contains(&format!("`{step}` was sent")), "{message}");
    assert_eq!(
        workshop.requests(),
        before,
        "nothing is sent before it is known"
    );

    assert_eq!(workshop.see_through(id), 1);
    workshop.is_as_it_should_be();
    let run = workshop.newest();
    assert_eq!(
        (&run["state"], &run["attempt"]),
        (&json!("ok"), &json!(2)),
        "{run}"
    );
    let again = workshop.resume(id, &[]);
    assert_eq!(again["error"]["code"], "CONFLICT", "{again}");
}

#[test]
fn killed_before_a_write_was_carried_out() {
    for write in 0..MUTATIONS.len() {
        killed_at(write, FaultKind::HangBefore);
    }
}

#[test]
fn killed_after_a_write_was_carried_out() {
    for write in 0..MUTATIONS.len() {
        killed_at(write, FaultKind::HangAfter);
    }
}

#[test]
fn killed_while_it_reads() {
    let workshop = Workshop::with(SIX);
    let hang = Fault::once(FaultKind::HangBefore).on_reads();
    workshop.github.sim.inject(hang);
    let child = workshop.start_six();
    until(|| workshop.requests() == 1);
    // That the run began is on the disk a moment later.
    until(|| !workshop.world.capstan(&["skill", "runs"])["data"]["runs"][0].is_null());
    kill(child);
    let run = workshop.newest();
    assert_eq!(workshop.see_through(run["id"].as_str().unwrap()), 0);
    workshop.is_as_it_should_be();
}

/// Killed again and again, at whatever moment it happens to be in.
#[test]
fn killed_at_any_moment() {
    for pause in [30, 45, 60, 75, 90, 120] {
        let workshop = Workshop::with(SIX);
        let slow = Fault::always(FaultKind::Latency { ms: 8 });
        workshop.github.sim.inject(slow);
        let child = workshop.start_six();
        std::thread::sleep(Duration::from_millis(pause));
        kill(child);
        let listed = workshop.world.capstan(&["skill", "runs"]);
        let run = listed["data"]["runs"][0].clone();
        let Some(id) = run["id"].as_str() else {
            assert_eq!(workshop.changes(), [""; 0]);
            continue;
        };
        if run["state"] == "ok" {
            workshop.is_as_it_should_be();
            continue;
        }
        let again = workshop.start(&["skill", "run", "--resume", id]);
        std::thread::sleep(Duration::from_millis(pause));
        kill(again);
        if workshop.newest()["state"] != "ok" {
            workshop.see_through(id);
        }
        workshop.is_as_it_should_be();
    }
}

#[test]
fn a_failure_that_is_mended_can_be_resumed() {
    let workshop = Workshop::with(SIX);
    let refuse = Fault::once(FaultKind::Status401).on_writes().after(2);
    workshop.github.sim.inject(refuse);
    let ran = workshop.run("six", &rocket(json!({})));
    assert_eq!(ran["error"]["details"]["step"], "explain", "{ran}");
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    let resumed = workshop.resume(&id[..12], &[]);
    assert_eq!(resumed["ok"], true, "{resumed}");
    assert_eq!(resumed["data"]["was"], "open");
    assert_eq!(resumed["data"]["closed"], "closed");
    workshop.is_as_it_should_be();
}

/// Somebody loses patience while GitHub has a write.
#[test]
fn what_is_cancelled_can_be_resumed() {
    let workshop = Workshop::with(SIX);
    let hang = Fault::once(FaultKind::HangAfter).on_writes().after(1);
    workshop.github.sim.inject(hang);
    let mut child = workshop.start_six();
    until(|| workshop.changes().len() == 2);
    send(&workshop.world, "-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(workshop.changes(), MUTATIONS[..2]);
    let run = workshop.newest();
    assert_eq!(run["state"], "failed", "{run}");
    assert_eq!(run["error"], "the caller did not wait for the end");
    assert_eq!(workshop.see_through(run["id"].as_str().unwrap()), 1);
    workshop.is_as_it_should_be();
}

#[test]
fn a_write_that_took_too_long_is_asked_about() {
    let workshop = Workshop::with(&SIX.replace("level: 3\n", "level: 3\ntimeout_ms: 3000\n"));
    let hang = Fault::once(FaultKind::HangAfter).on_writes().after(3);
    workshop.github.sim.inject(hang);
    let ran = workshop.run("six", &rocket(json!({})));
    assert_eq!(ran["error"]["code"], "NETWORK", "{ran}");
    assert_eq!(ran["error"]["details"]["step"], "close");
    let writes = &ran["error"]["details"]["writes"];
    assert_eq!(writes, &json!({"done": 3, "unknown": ["issue.close"]}));
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    assert_eq!(workshop.see_through(id), 1);
    workshop.is_as_it_should_be();
}

#[test]
fn a_live_run_is_taken_over_only_where_that_is_asked_for() {
    let workshop = Workshop::with(SIX);
    // The first attempt reads for a while; the second one overtakes it.
    let slow = Fault::once(FaultKind::Latency { ms: 8000 }).on_reads();
    workshop.github.sim.inject(slow);
    let mut first = workshop.start_six();
    until(|| workshop.requests() == 1);
    until(|| !workshop.world.capstan(&["skill", "runs"])["data"]["runs"][0].is_null());
    let run = workshop.newest();
    assert_eq!(run["owner"]["is"], "alive", "{run}");
    let id = run["id"].as_str().unwrap();
    let input = json!({"run": id});
    for refused in [
        workshop.resume(id, &[]),
        workshop.world.mcp().run("run.resume", &input),
        workshop.world.cli().exec(
            "resume",
            "return await capstan.run.resume({run: args.run})",
            &input,
        ),
    ] {
        let error = &refused["error"];
        assert_eq!(error["code"], "CONFLICT", "{refused}");
        let message = error["message"].as_str().unwrap();
        let process = format!("process {} has had it since", first.id());
        for told in [process.as_str(), "attempt 1", "`take_over: true`"] {
            assert!(message.contains(told), "{message}");
        }
    }
    let refused = workshop.resume(id, &[]);
    let owner = &refused["error"]["details"]["owner"];
    assert_eq!(owner["process"], first.id(), "{refused}");
    assert_eq!(workshop.changes(), [""; 0]);
    assert_eq!(workshop.newest()["attempt"], 1);

    let resumed = workshop.resume(id, &["--take-over"]);
    assert_eq!(resumed["ok"], true, "{resumed}");
    assert!(!first.wait().unwrap().success());
    workshop.is_as_it_should_be();
    assert_eq!(workshop.newest()["state"], "ok");
}

#[test]
fn a_write_that_a_live_process_waits_for_is_not_decided_by_others() {
    let workshop = Workshop::with(SIX);
    let hang = Fault::once(FaultKind::HangAfter).on_writes().after(1);
    workshop.github.sim.inject(hang);
    let child = workshop.start_six();
    until(|| workshop.changes().len() == 2);
    let run = workshop.newest();
    let id = run["id"].as_str().unwrap();
    for words in [
        &["--take-over"][..],
        &["--take-over", "--redo", "announce"],
        &["--take-over", "--done", "announce={}"],
    ] {
        let refused = workshop.resume(id, words);
        assert_eq!(refused["error"]["code"], "CONFLICT", "{refused}");
        let in_flight = &refused["error"]["details"]["in_flight"];
        assert_eq!(in_flight, &json!(["announce"]), "{refused}");
    }
    assert_eq!(workshop.newest()["attempt"], 1, "it still has it");
    kill(child);
    assert_eq!(workshop.newest()["owner"]["is"], "gone");
    assert_eq!(workshop.see_through(id), 1);
    workshop.is_as_it_should_be();
}

#[test]
fn another_skill_does_not_go_on() {
    let workshop = Workshop::with(SIX);
    let refuse = Fault::once(FaultKind::Status401).on_writes().after(2);
    workshop.github.sim.inject(refuse);
    let ran = workshop.run("six", &rocket(json!({})));
    let id = ran["error"]["details"]["run"].as_str().unwrap().to_owned();
    workshop
        .world
        .place
        .write("skills.yaml", SIX.replace("body: Done", "body: Over"));
    let before = workshop.requests();
    let resumed = workshop.resume(&id, &[]);
    assert_eq!(resumed["error"]["code"], "CONFLICT", "{resumed}");
    let message = resumed["error"]["message"].as_str().unwrap();
    assert!(message.contains("has changed since"), "{message}");
    assert_eq!(workshop.requests(), before);
    // A comment is no change.
    let commented = format!("# about six\n{SIX}");
    workshop.world.place.write("skills.yaml", commented);
    assert_eq!(workshop.resume(&id, &[])["ok"], true);
}

#[test]
fn what_is_said_about_steps_must_be_so() {
    let workshop = Workshop::with(SIX);
    let hang = Fault::once(FaultKind::HangAfter).on_writes();
    workshop.github.sim.inject(hang);
    let child = workshop.start_six();
    until(|| !workshop.changes().is_empty());
    kill(child);
    let run = workshop.newest();
    let id = run["id"].as_str().unwrap();
    for (words, told) in [
        (
            &["--redo", "look"][..],
            "`look` is not a step with an unknown outcome: expected one of open",
        ),
        (&["--redo", "opne"], "expected one of open"),
        (
            &["--done", "open={}"],
            "`done.open` does not fit the output of this step",
        ),
        (
            &["--done", "open={\"number\":1}", "--redo", "open"],
            "in both `done` and `redo`",
        ),
        (
            &["--input", "{\"owner\":\"acme\"}", "--redo", "open"],
            "`input` differs from the input of run",
        ),
    ] {
        let refused = workshop.resume(id, words);
        assert_eq!(
            refused["error"]["code"], "VALIDATION",
            "{words:?}: {refused}"
        );
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(told), "{words:?}: {message}");
    }
    // What a step gave may be more than it says that it gives, and what is said is remembered.
    let refuse = Fault::once(FaultKind::Status401).on_writes();
    workshop.github.sim.inject(refuse);
    let opened = workshop.seen_done("open").unwrap()["number"].clone();
    let gave = format!("open={}", json!({"number": opened, "title": "Follow-up"}));
    let failed = workshop.resume(id, &["--done", &gave]);
    assert_eq!(failed["error"]["details"]["step"], "announce", "{failed}");
    let shown = workshop.world.capstan(&["skill", "runs", id]);
    assert_eq!(shown["data"]["steps"][1]["step"], "open", "{shown}");
    assert_eq!(shown["data"]["steps"][1]["state"], "done", "{shown}");
    let nobody = workshop.resume("zzzz", &[]);
    assert_eq!(nobody["error"]["code"], "NOT_FOUND", "{nobody}");
    assert_eq!(workshop.see_through(id), 0);
    workshop.is_as_it_should_be();
}

#[test]
fn what_is_said_about_steps_is_about_a_run() {
    let workshop = Workshop::with(SIX);
    for words in [
        &["six", "--redo", "open"][..],
        &["six", "--done", "open={}"],
        &["six", "--take-over"],
        &["--redo", "open"],
        &["--resume", "01", "six"],
        &["--resume", "01", "--dry-run"],
    ] {
        let args = [&["--skills", "skills.yaml", "skill", "run"][..], words].concat();
        assert_eq!(workshop.world.place.run(&args).code, 2, "{words:?}");
    }
    assert_eq!(workshop.requests(), 0);
}

#[test]
fn an_input_with_secrets_is_not_kept_and_asked_for_again() {
    let workshop = Workshop::with(
        "id: guarded
level: 2
composes: [check, lost]
execution: [{step: check}, {step: lost}]
---
id: check
level: 1
operation: WRITE
code: 'return {password: args.password, length: args.password.length}'
input_schema: {type: object, properties: {password: {type: string}}, required: [password]}
output_schema: {type: object, properties: {length: {type: integer}}, required: [length]}
---
id: lost
level: 1
card: issue.view
",
    );
    let input = rocket(json!({"password": "hunter2-hunter2", "issue_number": 4242}));
    let ran = workshop.run("guarded", &input);
    assert_eq!(ran["error"]["details"]["step"], "lost", "{ran}");
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    let asked = workshop.resume(id, &[]);
    let message = asked["error"]["message"].as_str().unwrap();
    assert!(message.contains("give it again"), "{asked}");
    let given = workshop.resume(id, &["--input", &input.to_string()]);
    assert_eq!(given["error"]["details"]["step"], "lost", "{given}");
    assert_eq!(given["error"]["details"]["completed"], json!(["check"]));
    let seen = workshop.world.place.here();
    let home = workshop.world.place.path();
    for file in files_under(home).filter(|file| !file.starts_with(&seen)) {
        let bytes = std::fs::read(&file).unwrap();
        let kept = bytes.windows(15).any(|it| it == b"hunter2-hunter2");
        assert!(!kept, "{}", file.display());
    }
}

/// A store that others keep to themselves: nothing leaves of which there would be no trace.
#[test]
fn what_cannot_be_written_down_is_not_sent() {
    let workshop = Workshop::with(SIX);
    // The run begins, and reads for a while.
    let slow = Fault::once(FaultKind::Latency { ms: 2500 }).on_reads();
    workshop.github.sim.inject(slow);
    let mut child = workshop.start_six();
    until(|| workshop.requests() == 1);
    until(|| !workshop.world.capstan(&["skill", "runs"])["data"]["runs"][0].is_null());
    let store = files_under(workshop.world.place.path())
        .find(|file| file.extension().is_some_and(|it| it == "db"))
        .unwrap();
    let held = rusqlite::Connection::open(store).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(workshop.changes(), [""; 0]);
    held.execute_batch("ROLLBACK").unwrap();
    drop(held);
    let run = workshop.newest();
    assert_eq!(workshop.see_through(run["id"].as_str().unwrap()), 0);
    workshop.is_as_it_should_be();
}

/// Where no run can begin, none can be resumed: then it is only told.
#[test]
fn without_a_store_that_works_it_runs_and_says_so() {
    let workshop = Workshop::with(SIX);
    let place = &workshop.world.place;
    place.write("no-store", "this is no database");
    let config = place.write("config.toml", "store = \"no-store\"\n");
    let world = workshop.world.also(&["--config", config.to_str().unwrap()]);
    let input = rocket(json!({})).to_string();
    let ran = world.capstan(&["skill", "run", "six", "--input", &input]);
    assert_eq!(ran["ok"], true, "{ran}");
    let warning = ran["meta"]["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("this run was not recorded: "), "{ran}");
    workshop.is_as_it_should_be();
}

#[test]
fn a_resumption_that_is_not_allowed_changes_nothing() {
    let workshop = Workshop::with(SIX);
    let refuse = Fault::once(FaultKind::Status401).on_writes().after(2);
    workshop.github.sim.inject(refuse);
    let ran = workshop.run("six", &rocket(json!({})));
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    let before = workshop.newest();
    let place = &workshop.world.place;
    let config = place.write("config.toml", "[policy]\ndeny = [\"six\"]\n");
    let strict = workshop.world.also(&["--config", config.to_str().unwrap()]);
    for world in [strict, workshop.world.also(&["--read-only"])] {
        let refused = world.capstan(&["skill", "run", "--resume", id]);
        assert_eq!(refused["error"]["code"], "POLICY", "{refused}");
        assert_eq!(workshop.newest(), before);
    }
    assert_eq!(workshop.see_through(id), 0);
    workshop.is_as_it_should_be();
}

/// Steps that another one was run for are over, whichever of them is noted first.
#[test]
fn what_was_served_from_the_cache_is_served_again() {
    let workshop = Workshop::with(
        "id: shared
level: 3
composes:
  - slow
  - {skill: look, as: l1, inputs: {issue_number: $slow.output.n}}
  - {skill: look, as: l3, inputs: {issue_number: $slow.output.n}}
  - {skill: look, as: l2, inputs: {issue_number: 1}}
  - {skill: issue.view, as: lost, inputs: {issue_number: 4242}}
  - {skill: look, as: never, inputs: {issue_number: 1}}
outputs: {titles: [$l1.output.title, $l2.output.title, $l3.output.title]}
execution:
  - parallel: [{step: slow}, {step: l2}]
  - parallel: [{step: l1}, {step: l3}]
  - {step: never, condition: $slow.output.n > 5}
  - step: lost
---
id: slow
level: 1
operation: TRANSFORM
code: 'return {n: 1}'
output_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
---
id: look
level: 1
card: issue.view
cache: run
",
    );
    let ran = workshop.run("shared", &rocket(json!({})));
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    let run = workshop.newest();
    assert_eq!(
        (&run["done"], &run["steps"]),
        (&json!(5), &json!(6)),
        "{run}"
    );
    let shown = workshop.world.capstan(&["skill", "runs", id]);
    let steps = shown["data"]["steps"].as_array().unwrap();
    let of = |name: &str| steps.iter().find(|it| it["step"] == name).unwrap()["state"].clone();
    assert_eq!(
        (of("l1"), of("l3"), of("never")),
        (json!("done"), json!("done"), json!("skipped"))
    );
    for _ in 0..2 {
        let resumed = workshop.resume(id, &[]);
        assert_eq!(resumed["error"]["details"]["step"], "lost", "{resumed}");
    }
}

#[test]
fn a_changed_card_does_not_go_on() {
    let workshop = Workshop::with(SIX);
    let refuse = Fault::once(FaultKind::Status401).on_writes().after(2);
    workshop.github.sim.inject(refuse);
    let ran = workshop.run("six", &rocket(json!({})));
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    let place = &workshop.world.place;
    for file in ["comments.create.yaml", "comments.create.graphql"] {
        let card = crate::support::workspace().join("cards/issue").join(file);
        let text = std::fs::read_to_string(card).unwrap();
        let text = text.replace("description: ", "description: Changed. ");
        place.write(&format!("cards/issue.{file}"), text);
    }
    let cards = place.here().join("cards");
    let world = workshop.world.also(&["--cards", cards.to_str().unwrap()]);
    let resumed = world.capstan(&["skill", "run", "--resume", id]);
    assert_eq!(resumed["error"]["code"], "CONFLICT", "{resumed}");
    assert_eq!(workshop.see_through(id), 0);
}
