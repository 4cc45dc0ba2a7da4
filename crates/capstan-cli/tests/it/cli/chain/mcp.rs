//! Chains over `capstan mcp`, against the simulator.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use super::steps::{partial, step, view};
use crate::cli::harness::{CAPSTAN, Github, Place};

/// The reports and the answer of one call. The client goes only after the answer, and nothing follows.
fn call(place: &Place, arguments: &Value) -> (Vec<Value>, Value) {
    let mut child = place
        .command(CAPSTAN)
        .args(["mcp", "--structured"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "mine"
    });
    let params = json!({"name": "execute", "arguments": arguments, "_meta": meta});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    writeln!(stdin, "{request}").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut reports = Vec::new();
    let answer = loop {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        if message["id"] == 1 {
            break message["result"].clone();
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        reports.push(message["params"].clone());
    };
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert!(child.wait().unwrap().success());
    (reports, answer)
}

#[test]
fn five_hundred_steps_in_one_call_with_progress() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let comment = |index: u64| {
        let body = format!("Remark {index}");
        let input = json!({"issue_number": 1 + index % 5, "body": body});
        step("issue.comments.create", input)
    };
    // Comments and views take turns.
    let steps: Vec<_> = (0..250)
        .flat_map(|index| [comment(index), view(1 + index % 5)])
        .collect();
    let (reports, answer) = call(&place, &json!({"steps": steps}));
    assert_eq!(answer["isError"], false);
    let envelope = &answer["structuredContent"];
    let meta = &envelope["meta"];
    assert_eq!(
        (&meta["total"], &meta["succeeded"]),
        (&json!(500), &json!(500))
    );
    assert_eq!(envelope["results"].as_array().unwrap().len(), 500);
    assert_eq!(meta["requests"], github.sim.requests().len());
    // 25 comments travel together, after one request with the lookups and the views.
    assert_eq!(meta["requests"], 12, "{meta}");

    let progress: Vec<f64> = reports
        .iter()
        .map(|report| report["progress"].as_f64().unwrap())
        .collect();
    assert!(progress.is_sorted_by(|a, b| a < b), "{progress:?}");
    assert!(progress.len() >= 8, "{progress:?}");
    for report in &reports {
        assert_eq!(report["progressToken"], "mine");
        assert_eq!(report["total"], 500.0);
        let finished = report["progress"].as_f64().unwrap();
        let message = format!("{finished} of 500 steps finished");
        assert_eq!(report["message"], message);
    }
}

#[test]
fn the_answer_is_that_of_the_command_line() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let (_, answer) = call(&place, &json!({"steps": partial()}));
    assert_eq!(answer["isError"], false, "a part of it was done");
    place.write("steps.json", partial().to_string());
    // GitHub's own name for the request is another one.
    let nameless = |mut envelope: Value| {
        let details = &mut envelope["results"][1]["error"]["details"];
        details.as_object_mut().unwrap().remove("request_id");
        envelope
    };
    let printed = place.line("chain steps.json").json();
    let answered = answer["structuredContent"].clone();
    assert_eq!(nameless(answered), nameless(printed));
}
