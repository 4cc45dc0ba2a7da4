//! A chain tells how many of its steps are finished, to clients that asked for it.

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

/// Steps that can only go one after the other.
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

/// The reports before the answer, and the answer.
async fn answer(client: &mut Client, id: u64) -> (Vec<Value>, Value) {
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
async fn every_change_is_told_once_and_in_order() {
    let slow = |number| Step::Slow(Duration::from_millis(20), issue(number, "Leak"));
    let (capstan, _events) = fake::engine((1..=4).map(slow));
    let mut client = Client::of(capstan);
    client.send(&chain(3, 4, Some(json!("mine")))).await;
    let (reports, answer) = answer(&mut client, 3).await;
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
async fn a_long_wait_without_a_change_is_not_told() {
    let slow = Step::Slow(Duration::from_secs(9), issue(1, "Leak"));
    let (capstan, _events) = fake::engine([slow]);
    let mut client = Client::of(capstan);
    client.send(&chain(3, 1, Some(json!(7)))).await;
    let (reports, _) = answer(&mut client, 3).await;
    assert_eq!(reports, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn clients_that_do_not_ask_are_told_nothing() {
    let slow = |number| Step::Slow(Duration::from_secs(3), issue(number, "Leak"));
    let (capstan, _events) = fake::engine((1..=3).map(slow));
    let mut client = Client::of(capstan);
    let answer = client.ask(&chain(1, 3, None)).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

/// Two chains at once: each is told with its own token.
#[tokio::test(start_paused = true)]
async fn reports_of_two_chains_do_not_mix() {
    let slow = |number| Step::Slow(Duration::from_millis(20), issue(number, "Leak"));
    let (capstan, _events) = fake::engine((1..=6).map(slow));
    let mut client = Client::of(capstan);
    client.send(&chain(1, 3, Some(json!("a")))).await;
    client.send(&chain(2, 3, Some(json!("b")))).await;
    let mut told = std::collections::BTreeMap::<String, Vec<Value>>::new();
    let mut answers = 0;
    while answers < 2 {
        let message = client.receive().await;
        match message["params"]["progressToken"].as_str() {
            Some(token) => {
                let progress = message["params"]["progress"].clone();
                told.entry(token.to_owned()).or_default().push(progress);
            }
            None => answers += 1,
        }
    }
    for token in ["a", "b"] {
        assert_eq!(told[token], [json!(1.0), json!(2.0)], "{told:?}");
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
async fn the_steps_of_a_skill_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.yaml");
    std::fs::write(&file, TWO).unwrap();
    let parts = Services {
        skills: Some(Arc::new(SkillFolders::new(vec![file]))),
        ..Services::default()
    };
    let slow = |number| Step::Slow(Duration::from_secs(9), issue(number, "Leak"));
    let (capstan, _events) = fake::engine_with((1..=2).map(slow), parts);
    let mut client = Client::of(capstan);
    let call = json!({"name": "execute", "arguments": {"capability": "two", "input": {}}});
    let mut request = modern(3, "tools/call", call);
    request["params"]["_meta"]["progressToken"] = 7.into();
    client.send(&request).await;
    let (reports, answer) = answer(&mut client, 3).await;
    assert_eq!(
        answer["result"]["structuredContent"]["ok"], true,
        "{answer}"
    );
    // How long it takes is not told beside it: progress only grows.
    let told = json!({
        "progressToken": 7,
        "progress": 1.0,
        "total": 2.0,
        "message": "1 of 2 steps finished, running second",
    });
    assert_eq!(reports, [told]);
}
