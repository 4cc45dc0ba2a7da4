//! Somebody stops a command that is under way: what it did until then is counted and kept.

use std::process::{Child, Stdio};

use super::silence::{Silence, WAITS};
use super::surface::World;
use crate::cli::harness::{CAPSTAN, program};

/// Starts a command, waits until it asks GitHub for something, and sends it a signal. What it exits
/// with.
fn interrupted(silence: &Silence, args: &[&str], signal: &str) -> Option<i32> {
    let mut command = silence.world.place.command(CAPSTAN);
    command
        .args(["--config", "config.toml"])
        .args(args)
        .stdin(Stdio::null());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let _asked = silence.is_asked();
    send(&silence.world, signal, &child);
    child.wait().unwrap().code()
}

pub(crate) fn send(world: &World, signal: &str, child: &Child) {
    let kill = program("kill").expect("this machine can send signals");
    let pid = child.id().to_string();
    let mut command = world.place.command(kill.to_str().unwrap());
    let sent = command.args([signal, &pid]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn what_is_interrupted_is_counted_and_traced() {
    let silence = Silence::with("");
    let fqdn = silence.learn("waits", WAITS);
    let wait = r#"{"wait": true}"#;
    let view = ["owner=a", "repo=b", "issue_number=1"];
    let call = vec!["call", "waits", "--args", wait];
    let exec = vec!["exec", "-e", WAITS, "--intent", "wait", "--args", wait];
    let run = [&["run", "issue.view"][..], &view].concat();
    let input = r#"{"owner": "a", "repo": "b", "issue_number": 1}"#;
    let steps = format!(r#"[{{"task": "issue.view", "input": {input}}}]"#);
    silence.world.place.write("steps.json", steps);
    let chain = vec!["chain", "steps.json"];
    for (args, signal, code, mode, uses) in [
        (call, "-INT", 130, "by_name", 2),
        (exec, "-TERM", 143, "direct", 3),
        (run, "-HUP", 129, "single", 3),
        (chain, "-INT", 130, "chain", 3),
    ] {
        let exited = interrupted(&silence, &args, signal);
        assert_eq!(exited, Some(code), "{args:?}");
        let statistics = silence.statistics("waits");
        assert_eq!(statistics["usage_count"], uses, "{args:?}");
        assert_eq!(statistics["success_count"], 1, "{args:?}");
        let trace = silence.newest_trace();
        assert_eq!(trace["mode"], mode, "{args:?}: {trace}");
        assert_eq!(trace["error_code"], "CANCELLED", "{args:?}: {trace}");
        if mode == "by_name" {
            assert_eq!(trace["capability"], fqdn.as_str(), "{trace}");
        }
        // What was under way then was cancelled with it.
        let calls = trace["calls"].as_array().unwrap();
        let view = calls.iter().find(|it| it["capability"] == "issue.view");
        let view = view.expect("it was called");
        assert_eq!(view["error_code"], "CANCELLED", "{trace}");
        assert!(view["duration_us"].as_u64() > Some(0), "{trace}");
    }
}
