//! Chains report how many of their steps are finished if the request has a progress token.

use std::sync::Arc;
use std::time::Duration;

use capstan_engine::Services;
use capstan_skill::SkillFolders;
use serde_json::{Value, json};

use crate::client::{Client, modern};
use crate::fake::{self, Step, issue};

fn view(number: &Value) -> Value {
    json!({"task": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": number}})
}

/// Returns a call with a chain in which each step depends on the one before.
fn chain(id: u64, length: usize, token: Option<Value>) -> Value {
    let later = (1..length).map(|step| view(&format!("${}.data.number", step - 1).into()));
    let steps: Vec<_> = std::iter::once(view(&1.into())).chain(later).collect();
    let call = json!({"name": "execute", "arguments": {"steps": steps}});
    let mut request = modern(id, "tools/call", call);
    if let Some(token) = token {
        request["params"]["_meta"]["progressToken"] = token;
    }
    request
}

/// Returns the reports before the response, and the response.
async fn reports_and_response(client: &mut Client, id: u64) -> (Vec<Value>, Value) {
    let mut reports = Vec::new();
    loop {
        let message = client.receive().await;
        if message["id"] == id {
            return (reports, message);
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        reports.push(message["params"].clone());
    }
}

#[tokio::test(start_paused = true)]
async fn each_finished_step_is_reported_once_and_in_order() {
    let slow = |number| Step::Slow(Duration::from_millis(20), issue(number, "Leak"));
    let (capstan, _events) = fake::engine((1..=4).map(slow));
    let mut client = Client::structured(capstan);
    client.send(&chain(3, 4, Some(json!("mine")))).await;
    let (reports, answer) = reports_and_response(&mut client, 3).await;
    assert_eq!(answer["result"]["structuredContent"]["status"], "success");
    let expected: Vec<_> = (1..=3)
        .map(|step| {
            let message = format!("{step} of 4 steps finished");
            json!({"progressToken": "mine", "progress": f64::from(step), "total": 4.0, "message": message})
        })
        .collect();
    assert_eq!(reports, expected);
    assert_eq!(client.hang_up().await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_chain_without_finished_steps_is_not_reported() {
    let slow = Step::Slow(Duration::from_secs(9), issue(1, "Leak"));
    let (capstan, _events) = fake::engine([slow]);
    let mut client = Client::structured(capstan);
    client.send(&chain(3, 1, Some(json!(7)))).await;
    let (reports, _) = reports_and_response(&mut client, 3).await;
    assert_eq!(reports, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn requests_without_a_progress_token_get_no_reports() {
    let slow = |number| Step::Slow(Duration::from_secs(3), issue(number, "Leak"));
    let (capstan, _events) = fake::engine((1..=3).map(slow));
    let mut client = Client::structured(capstan);
    let answer = client.ask(&chain(1, 3, None)).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn reports_of_parallel_chains_use_their_own_tokens() {
    let slow = |number| Step::Slow(Duration::from_millis(20), issue(number, "Leak"));
    let (capstan, _events) = fake::engine((1..=6).map(slow));
    let mut client = Client::structured(capstan);
    client.send(&chain(1, 3, Some(json!("a")))).await;
    client.send(&chain(2, 3, Some(json!("b")))).await;
    let mut reported = std::collections::BTreeMap::<String, Vec<Value>>::new();
    let mut answers = 0;
    while answers < 2 {
        let message = client.receive().await;
        match message["params"]["progressToken"].as_str() {
            Some(token) => {
                let progress = message["params"]["progress"].clone();
                reported.entry(token.to_owned()).or_default().push(progress);
            }
            None => answers += 1,
        }
    }
    for token in ["a", "b"] {
        assert_eq!(reported[token], [json!(1.0), json!(2.0)], "{reported:?}");
    }
}

const TWO: &str = "id: two
level: 2
composes:
  - {skill: issue.view, as: first, inputs: {owner: acme, repo: rocket, issue_number: 1}}
  - {skill: issue.view, as: second, inputs: {owner: acme, repo: rocket, issue_number: $first.output.number}}
outputs: {number: $second.output.number}
";

#[tokio::test(start_paused = true)]
async fn the_steps_of_a_skill_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.yaml");
    std::fs::write(&file, TWO).unwrap();
    let services = Services {
        skills: Some(Arc::new(SkillFolders::new(vec![file]))),
        ..Services::default()
    };
    let slow = |number| Step::Slow(Duration::from_secs(9), issue(number, "Leak"));
    let (capstan, _events) = fake::engine_with((1..=2).map(slow), services);
    let mut client = Client::structured(capstan);
    let call = json!({"name": "execute", "arguments": {"capability": "two", "input": {}}});
    let mut request = modern(3, "tools/call", call);
    request["params"]["_meta"]["progressToken"] = 7.into();
    client.send(&request).await;
    let (reports, answer) = reports_and_response(&mut client, 3).await;
    assert_eq!(
        answer["result"]["structuredContent"]["ok"], true,
        "{answer}"
    );
    // The elapsed time is not reported beside it, because progress must only grow.
    let report = json!({
        "progressToken": 7,
        "progress": 1.0,
        "total": 2.0,
        "message": "1 of 2 steps finished, running second",
    });
    assert_eq!(reports, [report]);
}
