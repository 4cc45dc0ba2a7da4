//! However an execution ends, its trace says of each write whether it was answered, may have happened, or
//! was never sent; compared with what the simulator really carried out.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use github_sim::{Fault, FaultKind, Sim};
use serde_json::{Value, json};

use crate::cli::harness::{CAPSTAN, Github, Place};
use crate::code::interrupt::send;
use crate::code::surface::World;

/// Three writes, each after the other.
const CODE: &str = "const where = {owner: 'acme', repo: 'rocket'};
const {number} = await capstan.issue.create({...where, title: 'First'});
const {url} = await capstan.issue.comments.create({...where, issue_number: number, body: 'Second'});
return capstan.issue.comments.create({...where, issue_number: number, body: `Third ${url}`});";

const SKILL: &str = "id: three
level: 3
composes:
  - {skill: open-one, as: open, inputs: {title: First}}
  - {skill: say, as: announce, inputs: {issue_number: $open.output.number, body: Second}}
  - {skill: say, as: explain, inputs: {issue_number: $open.output.number, body: Third}}
execution:
  - step: open
  - step: announce
  - step: explain
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
";

struct Scene {
    github: Github,
    world: World,
}

/// A chain of so many writes, each of which needs the one before.
fn chain(writes: usize) -> Value {
    let first = json!({"owner": "acme", "repo": "rocket", "title": "First"});
    let mut steps = vec![json!({"task": "issue.create", "input": first})];
    for step in 1..writes {
        let before = format!("${}.data.url", step - 1);
        let input = json!({"owner": "acme", "repo": "rocket", "issue_number": "$0.data.number", "body": before});
        steps.push(json!({"task": "issue.comments.create", "input": input}));
    }
    steps.into()
}

impl Scene {
    fn new() -> Self {
        let github = Github::serving(Sim::demo());
        let place = Place::new().online(&github);
        place.write("skills.yaml", SKILL);
        place.write("chain.json", chain(3).to_string());
        place.write("long.json", chain(6).to_string());
        let skills = place.here().join("skills.yaml");
        let world = World::at(place, &["--skills", skills.to_str().unwrap()]);
        Self { github, world }
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.world.place.command(CAPSTAN);
        command
            .args(["--skills", "skills.yaml", "--json"])
            .args(args);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).spawn().unwrap()
    }

    /// How many writes were carried out.
    fn applied(&self) -> usize {
        let seen = self.github.sim.requests();
        seen.iter().filter(|it| it.applied).count()
    }

    fn until(&self, so: impl Fn() -> bool) {
        let patience = Instant::now() + Duration::from_secs(60);
        while !so() {
            assert!(Instant::now() < patience, "it never became so");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Nothing is under way any more.
    fn is_quiet(&self) {
        let sim = &self.github.sim;
        self.until(|| sim.requests().iter().all(|it| it.finished.is_some()));
    }

    /// The newest trace, and what it says about its writes.
    fn newest(&self) -> Option<(Value, Vec<Known>)> {
        let listed = self.world.capstan(&["trace", "list", "--limit", "1"]);
        let id = listed["data"]["traces"][0]["id"].as_str()?.to_owned();
        let trace = self.world.capstan(&["trace", "show", &id])["data"].clone();
        let calls = trace["calls"].as_array().cloned().unwrap_or_default();
        let cards = calls
            .iter()
            .filter(|it| it["capability"].as_str().unwrap().starts_with("issue."));
        let known = cards.map(known).collect();
        Some((trace, known))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Done,
    Unknown,
    NeverSent,
    /// Its execution is under way, and may send it at any moment.
    Waiting,
}
use Known::{Done, NeverSent, Unknown, Waiting};

#[expect(
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]
fn known(call: &Value) -> Known {
    match (call["ok"] == true, call["outcome"].as_str()) {
        (true, None) => Done,
        (false, Some("unknown")) => {
            let error = call["error"].as_str().unwrap();
            assert!(error.contains("may have happened"), "{call}");
            Unknown
        }
        (false, None) if call["error"] == "not sent yet: the execution is under way" => Waiting,
        (false, Some("not_applied")) => {
            assert_eq!(call["error_code"], "CANCELLED", "{call}");
            let error = call["error"].as_str().unwrap();
            assert!(error.starts_with("never sent"), "{call}");
            NeverSent
        }
        _ => panic!("nobody knows what this means: {call}"),
    }
}

struct Way {
    args: Vec<&'static str>,
    /// How many writes GitHub answers; it carries the next one out and says nothing.
    answered: u32,
    mode: &'static str,
    /// What is then known of each write.
    expected: Vec<Known>,
}

fn ways() -> Vec<Way> {
    let way = |args: &[&'static str], answered, mode, expected: &[Known]| Way {
        args: args.to_vec(),
        answered,
        mode,
        expected: expected.to_vec(),
    };
    let input = r#"{"owner": "acme", "repo": "rocket"}"#;
    let single = ["run", "issue.create", "-R", "acme/rocket", "title=First"];
    let chain = ["chain", "chain.json"];
    let code = ["exec", "-e", CODE, "--intent", "write"];
    let skill = ["skill", "run", "three", "--input", input];
    vec![
        way(&single, 0, "single", &[Unknown]),
        way(&chain, 1, "chain", &[Done, Unknown, NeverSent]),
        way(&chain, 2, "chain", &[Done, Done, Unknown]),
        way(&code, 1, "direct", &[Done, Unknown]),
        way(&skill, 1, "skill", &[Done, Unknown]),
    ]
}

#[test]
fn a_trace_tells_what_a_signal_left_behind() {
    for way in ways() {
        let Way {
            args,
            answered,
            mode,
            expected,
        } = way;
        let scene = Scene::new();
        let hang = Fault::once(FaultKind::HangAfter)
            .on_writes()
            .after(answered);
        scene.github.sim.inject(hang);
        let mut child = scene.start(&args);
        scene.until(|| scene.applied() == answered as usize + 1);
        send(&scene.world, "-TERM", &child);
        assert_eq!(child.wait().unwrap().code(), Some(143), "{args:?}");
        let (trace, known) = scene.newest().unwrap();
        assert_eq!(known, expected, "{args:?}: {trace}");
        assert_eq!(
            (&trace["mode"], &trace["error_code"]),
            (&json!(mode), &json!("CANCELLED"))
        );
        assert!(trace["state"].is_null(), "it ended: {trace}");
    }
}

#[test]
fn a_trace_tells_what_a_kill_left_behind() {
    for way in ways() {
        let Way {
            args,
            answered,
            mode,
            expected,
        } = way;
        let scene = Scene::new();
        let hang = Fault::once(FaultKind::HangAfter)
            .on_writes()
            .after(answered);
        scene.github.sim.inject(hang);
        let mut child = scene.start(&args);
        scene.until(|| scene.applied() == answered as usize + 1);
        let (trace, so_far) = scene
            .newest()
            .expect("it is recorded before its first write leaves");
        assert_eq!(trace["state"], "under_way", "{args:?}: {trace}");
        // Nothing that may still be sent is said not to have happened.
        let ended = so_far.iter().map(|it| match it {
            Waiting => NeverSent,
            other => *other,
        });
        assert!(!so_far.contains(&NeverSent), "{args:?}: {trace}");
        assert_eq!(ended.collect::<Vec<_>>(), expected, "{args:?}: {trace}");
        child.kill().unwrap();
        child.wait().unwrap();
        let (trace, known) = scene.newest().unwrap();
        assert_eq!(known, expected, "{args:?}: {trace}");
        assert_eq!(
            (&trace["state"], &trace["mode"]),
            (&json!("crashed"), &json!(mode))
        );
        assert_eq!(trace["ok"], false);
        let listed = scene.world.capstan(&["trace", "list"]);
        assert_eq!(
            listed["data"]["traces"].as_array().unwrap().len(),
            1,
            "{listed}"
        );
        assert_eq!(listed["data"]["traces"][0]["state"], "crashed", "{listed}");
        let shown = scene.world.place.run(&["trace", "show", "last"]);
        assert!(shown.stdout.contains("it may have happened"), "{shown:?}");
    }
}

#[test]
fn a_trace_tells_what_a_cancellation_over_mcp_left_behind() {
    let scene = Scene::new();
    let hang = Fault::once(FaultKind::HangAfter).on_writes().after(1);
    scene.github.sim.inject(hang);
    let mut server = scene.world.server();
    let call = json!({"name": "execute", "arguments": {"steps": chain(3)}});
    let id = server.send("tools/call", &call);
    scene.until(|| scene.applied() == 2);
    let cancelled = json!({"requestId": id, "reason": "enough"});
    server.send_message(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}),
    );
    scene.is_quiet();
    // What is asked next is answered after what was cancelled is kept.
    let is_kept = || {
        scene
            .newest()
            .is_some_and(|(trace, _)| trace["state"].is_null())
    };
    scene.until(is_kept);
    let (trace, known) = scene.newest().unwrap();
    assert_eq!(known, [Done, Unknown, NeverSent], "{trace}");
    assert_eq!(trace["error_code"], "CANCELLED");
    server.end();
}

#[test]
fn what_ended_in_the_ordinary_way_is_kept_once() {
    let scene = Scene::new();
    let ran = scene.world.capstan(&["chain", "chain.json"]);
    assert_eq!(ran["status"], "success", "{ran}");
    let listed = scene.world.capstan(&["trace", "list"]);
    let traces = listed["data"]["traces"].as_array().unwrap();
    assert_eq!(traces.len(), 1, "{listed}");
    assert_eq!(traces[0]["ok"], true);
    assert!(traces[0].get("state").is_none(), "{listed}");
}

#[test]
fn reads_leave_nothing_behind_before_they_are_answered() {
    let scene = Scene::new();
    scene.github.sim.inject(Fault::once(FaultKind::HangBefore));
    let view = ["run", "issue.view", "-R", "acme/rocket", "issue_number=1"];
    let mut child = scene.start(&view);
    scene.until(|| scene.github.sim.requests().len() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let home = scene.world.place.path().join("home");
    let made = std::fs::read_dir(home).unwrap().count();
    assert_eq!(made, 0, "nothing was opened for a read");
}

/// Whatever moment it is: what was carried out is never said to be not sent, and what is said to be done was.
#[test]
fn a_kill_at_any_moment_leaves_no_lie() {
    let random = &mut fastrand::Rng::new();
    for round in 0..12 {
        let scene = Scene::new();
        let slow = Fault::always(FaultKind::Latency {
            ms: random.u64(0..15),
        });
        scene.github.sim.inject(slow);
        let way: &[&str] = match round % 3 {
            0 => &["chain", "long.json"],
            1 => &["exec", "-e", CODE, "--intent", "write"],
            _ => &[
                "skill",
                "run",
                "three",
                "--input",
                r#"{"owner": "acme", "repo": "rocket"}"#,
            ],
        };
        let mut child = scene.start(way);
        std::thread::sleep(Duration::from_millis(random.u64(10..250)));
        child.kill().unwrap();
        child.wait().unwrap();
        scene.is_quiet();
        let applied = scene.applied();
        let Some((trace, known)) = scene.newest() else {
            assert_eq!(
                applied, 0,
                "{way:?}: writes happened, and nothing is recorded"
            );
            continue;
        };
        assert!(
            known.len() >= applied,
            "{way:?}: {applied} writes happened: {trace}"
        );
        for (write, known) in known.iter().enumerate() {
            match known {
                Done => assert!(write < applied, "write {write} did not happen: {trace}"),
                NeverSent => assert!(write >= applied, "write {write} happened: {trace}"),
                Waiting => assert_eq!(trace["state"], "under_way", "{trace}"),
                Unknown => {}
            }
        }
    }
}
