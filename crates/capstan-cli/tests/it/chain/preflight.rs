//! A mistake of the caller's keeps the whole chain from starting, and is told where it is.

use capstan_core::{ChainStatus, ChainStep, Route};
use serde_json::json;

use super::bench::Bench;
use super::cards;
use super::steps::{close, codes, comment, exactly, message, named, step, view};

/// A step that cannot run: the code of its error, and words that say why.
fn mistakes() -> Vec<(ChainStep, &'static str, &'static [&'static str])> {
    let fields = |fields: &[&str]| {
        let mut step = view(1);
        step.request.options.fields = Some(fields.iter().map(|it| (*it).to_owned()).collect());
        step
    };
    let forced = |mut step: ChainStep, route| {
        step.request.options.route = Some(route);
        step
    };
    vec![
        (
            exactly("issue.veiw", &json!({})),
            "NOT_FOUND",
            &["issue.veiw", "issue.view"],
        ),
        (exactly("", &json!({})), "NOT_FOUND", &["``"]),
        (
            exactly("issue.view", &json!({})),
            "VALIDATION",
            &["owner", "issue_number"],
        ),
        (
            step("issue.view", json!({"issue_number": "one"})),
            "VALIDATION",
            &["issue_number", "integer"],
        ),
        (
            step("issue.view", json!({"issue_number": 0})),
            "VALIDATION",
            &["issue_number"],
        ),
        (
            step("issue.view", json!({"issue_number": 1, "colour": "red"})),
            "VALIDATION",
            &["colour"],
        ),
        (
            step(
                "issue.close",
                json!({"issue_number": 1, "reason": "boredom"}),
            ),
            "VALIDATION",
            &["reason"],
        ),
        (comment(1, ""), "VALIDATION", &["body"]),
        (fields(&["nmuber"]), "VALIDATION", &["nmuber"]),
        (
            named("issue", view(1)),
            "VALIDATION",
            &["as", "issue", "step 0"],
        ),
        (named("1st", view(1)), "VALIDATION", &["as", "1st"]),
        (named("", view(1)), "VALIDATION", &["as"]),
        (named("a.b", view(1)), "VALIDATION", &["as", "a.b"]),
        (named("a b", view(1)), "VALIDATION", &["as", "a b"]),
        (named("\u{fc}ber", view(1)), "VALIDATION", &["as"]),
        (
            forced(step("readme.view", json!({})), Route::Graphql),
            "ADAPTER_UNSUPPORTED",
            &["readme.view", "graphql", "rest"],
        ),
    ]
}

#[tokio::test]
async fn a_mistake_keeps_the_whole_chain_from_starting() {
    let bench = Bench::with_cards(vec![cards::readme()]).await;
    for (bad, code, words) in mistakes() {
        let what = format!("{bad:?}");
        let steps = [named("issue", view(1)), close(2), bad, comment(3, "x")];
        let ran = bench.run(&steps).await;
        assert_eq!(
            codes(&ran),
            ["VALIDATION", "VALIDATION", code, "VALIDATION"],
            "{what}"
        );
        let said = message(&ran.results[2]);
        for word in words {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
        for other in [0, 1, 3] {
            let error = ran.results[other].error.as_ref().unwrap();
            assert_eq!(error.message, "not run: step 2 failed validation", "{what}");
            assert_eq!(error.details["step"], 2);
            assert!(!error.retryable);
        }
        assert_eq!(ran.status, ChainStatus::Failed, "{what}");
        assert_eq!((ran.meta.requests, ran.meta.chunks), (0, 0), "{what}");
        assert_eq!(bench.counts(), (0, 0), "{what}");
        assert!(bench.sent.all().is_empty(), "{what}");
    }
}

#[tokio::test]
async fn every_mistake_is_told_at_its_own_step() {
    let bench = Bench::demo().await;
    let steps = [
        view(1),
        step("issue.view", json!({"issue_number": "one"})),
        exactly("issue.veiw", &json!({})),
        named("x", view(3)),
        named("x", view(4)),
        step("issue.view", json!({"issue_number": "$nobody.data.number"})),
    ];
    let ran = bench.run(&steps).await;
    let expected = [
        "VALIDATION",
        "VALIDATION",
        "NOT_FOUND",
        "VALIDATION",
        "VALIDATION",
        "VALIDATION",
    ];
    assert_eq!(codes(&ran), expected);
    for innocent in [0, 3] {
        assert_eq!(
            message(&ran.results[innocent]),
            "not run: step 1 failed validation"
        );
    }
    for (guilty, word) in [
        (1, "integer"),
        (2, "issue.veiw"),
        (4, "step 3"),
        (5, "nobody"),
    ] {
        let said = message(&ran.results[guilty]);
        assert!(said.contains(word), "{guilty}: {said}");
    }
    assert_eq!(bench.counts(), (0, 0));
}

/// A step that refers to one that cannot run is no mistake by itself.
#[tokio::test]
async fn who_refers_to_a_mistake_has_made_none() {
    let bench = Bench::demo().await;
    let steps = [
        named("bad", exactly("issue.veiw", &json!({}))),
        step("issue.view", json!({"issue_number": "$bad.data.number"})),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["NOT_FOUND", "VALIDATION"]);
    assert_eq!(
        message(&ran.results[1]),
        "not run: step 0 failed validation"
    );
}

#[tokio::test]
async fn a_mistake_says_what_would_mend_it() {
    let bench = Bench::demo().await;
    let steps = [step("issue.view", json!({"issue_number": "one"})), view(1)];
    let ran = bench.run(&steps).await;
    let alone = bench.run_alone(&steps[0]).await;
    assert_eq!(ran.results[0].error, alone.error, "the same as alone");
    assert!(alone.error.unwrap().details.contains_key("mend"));
}

#[tokio::test]
async fn a_dry_run_makes_the_same_complaint() {
    let bench = Bench::with_cards(vec![cards::readme()]).await;
    for (bad, code, words) in mistakes() {
        let steps = vec![named("issue", view(1)), close(2), bad];
        let request = capstan_core::ChainRequest {
            steps,
            ..Default::default()
        };
        let error = bench.capstan.dry_run_chain(&request).await.unwrap_err();
        assert_eq!(error.code.to_string(), code);
        assert!(error.message.contains("step 2"), "{}", error.message);
        for word in words {
            assert!(
                error.message.contains(word),
                "`{word}` is not in: {}",
                error.message
            );
        }
    }
    assert_eq!(bench.counts(), (0, 0));
}
