//! A secret that somebody puts into a chain does not come out of it.

use capstan_core::{ChainRequest, ChainStep};
use serde_json::{Value, json};

use super::bench::Bench;
use super::steps::{comment, create, exactly, named, step, view};
use crate::support::TOKEN;

#[tokio::test]
async fn secrets_do_not_come_out() {
    let bench = Bench::demo().await;
    let chains: Vec<Vec<ChainStep>> = vec![
        vec![
            create(TOKEN),
            step("issue.view", json!({"issue_number": "$0.data.number"})),
        ],
        vec![
            view(1),
            step(
                "issue.labels.add",
                json!({"issue_number": 1, "labels": [TOKEN]}),
            ),
        ],
        vec![view(1), step("issue.list", json!({"label": TOKEN}))],
        vec![named(TOKEN, view(1)), view(2)],
        vec![named(TOKEN, view(1)), named(TOKEN, view(2))],
        vec![view(1), exactly(TOKEN, &json!({}))],
        vec![view(1), step("issue.view", json!({"issue_number": TOKEN}))],
        vec![
            view(1),
            step(
                "issue.view",
                json!({"issue_number": format!("${TOKEN}.data.number")}),
            ),
        ],
        vec![
            view(1),
            step("issue.view", json!({"issue_number": 1, TOKEN: 1})),
        ],
        vec![
            view(1),
            step("issue.view", json!({"repo": TOKEN, "issue_number": 1})),
        ],
    ];
    let mut leaks = Vec::new();
    for mut steps in chains {
        for step in &mut steps {
            step.request.options.trace = true;
        }
        let ran = bench.run(&steps).await;
        let text = serde_json::to_string(&ran).unwrap();
        if text.contains(TOKEN) {
            leaks.push(text);
        }
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[tokio::test]
async fn a_dry_run_can_be_shown_without_secrets() {
    let bench = Bench::demo().await;
    let with = |secret: &str| ChainRequest {
        steps: vec![create(secret), comment(1, secret), view(1)],
        ..ChainRequest::default()
    };
    let foreign = format!("ghp_{}", "a1B2".repeat(9));
    let plan = bench.capstan.dry_run_chain(&with(&foreign)).await.unwrap();
    let mut shown: Value = serde_json::to_value(&plan).unwrap();
    bench.capstan.redactor().value(&mut shown);
    assert!(!shown.to_string().contains(&foreign));
    // Our own token is in no request, so there is nothing to plan.
    let refused = bench.capstan.dry_run_chain(&with(TOKEN)).await.unwrap_err();
    assert!(!serde_json::to_string(&refused).unwrap().contains(TOKEN));
    assert_eq!(bench.counts(), (0, 0));
}
