//! A secret that somebody puts into a chain does not come out of it.

use capstan_core::{ChainRequest, ChainStep};
use serde_json::{Value, json};

use super::bench::Bench;
use super::steps::{assert_all_ok, comment, create, exactly, named, retitle, step, view};
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

/// Stages get true values, as references do; a mask between them would be refused where it is written.
#[tokio::test]
async fn later_stages_get_values_that_look_like_secrets() {
    let bench = Bench::demo().await;
    let foreign = format!("ghp_{}", "a1B2".repeat(9));
    assert_all_ok(&bench.run(&[retitle(47, &foreign)]).await);
    let list = step("issue.list", json!({"label": "documentation"}));
    let input = json!({"issue_number": "$docs.number", "body": "$docs.title"});
    let comments = ChainStep {
        each: Some("docs".to_owned()),
        ..step("issue.comments.create", input)
    };
    let ran = bench.run(&[named("docs", list), comments]).await;
    assert_all_ok(&ran);
    assert!(!serde_json::to_string(&ran).unwrap().contains(&foreign));
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
