//! Status 202: reads that are computed when they are asked for, and writes that are finished later.

use capstan_catalog::Catalog;
use capstan_core::{ErrorCode, Options, Route};
use capstan_engine::Settings;
use github_sim::Sim;
use serde_json::{Value, json};

use crate::support::{Bench, Setup};

const STATISTICS: &str = "repo.stats.contributors.list";

fn rocket() -> Value {
    json!({"owner": "acme", "repo": "rocket"})
}

/// Returns how many requests were answered with this status.
fn count(sim: &Sim, status: u16) -> usize {
    let seen = sim.requests();
    seen.iter().filter(|it| it.status == Some(status)).count()
}

#[tokio::test]
async fn an_answer_is_asked_for_until_it_is_computed() {
    for route in [Route::Rest, Route::Cli] {
        let bench = Bench::demo().await;
        bench.sim.world(|world| world.memory.ready_after = 5);
        let envelope = bench.run_on(route, STATISTICS, &rocket()).await;
        assert!(envelope.ok, "{route}: {envelope:?}");
        assert_eq!(
            envelope.data.unwrap()["contributors"][0]["author"],
            "octocat"
        );
        assert_eq!(
            (count(&bench.sim, 202), count(&bench.sim, 200)),
            (5, 1),
            "{route}"
        );
        let waits = bench.clock.sleeps();
        assert!(waits.is_sorted(), "{waits:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_never_computed_ends_with_the_time_of_the_call() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| world.memory.ready_after = u32::MAX);
    let envelope = bench.run(STATISTICS, &rocket(), Options::default()).await;
    let error = envelope.error.unwrap();
    assert_eq!(error.code, ErrorCode::Server, "{error:?}");
    assert!(error.retryable, "{error:?}");
    assert!(
        error.message.contains("send the same call again"),
        "{error:?}"
    );
    let asked = count(&bench.sim, 202);
    assert!((5..=12).contains(&asked), "{asked}");
    let waited: std::time::Duration = bench.clock.sleeps().iter().sum();
    let limit = Settings::default().run_timeout;
    assert!(waited <= limit && waited > limit / 2, "{waited:?}");
    // The same call has the answer later.
    bench.sim.world(|world| world.memory.ready_after = 0);
    let again = bench.run(STATISTICS, &rocket(), Options::default()).await;
    assert!(again.ok, "{again:?}");
}

#[tokio::test]
async fn a_file_is_asked_for_until_it_is_computed() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| world.memory.ready_after = 4);
    let mut input = rocket();
    input["sbom_uuid"] = json!("1a2b");
    let download = "repo.dependency_graph.sbom.fetch_report.download";
    let envelope = bench.run_on(Route::Rest, download, &input).await;
    assert!(envelope.ok, "{envelope:?}");
    assert_eq!(count(&bench.sim, 202), 4);
}

#[tokio::test]
async fn an_accepted_write_offers_the_call_that_tells_whether_it_is_done() {
    let bench = Bench::set_up(Setup::default()).await;
    let envelope = bench
        .run_on(Route::Rest, "repo.forks.create", &rocket())
        .await;
    let data = envelope.data.unwrap();
    let warning = "GitHub has accepted this and will finish it later";
    assert!(
        envelope.meta.warnings.iter().any(|it| it == warning),
        "{:?}",
        envelope.meta
    );
    assert_eq!(envelope.meta.next.len(), 1, "{:?}", envelope.meta.next);
    assert_eq!(envelope.meta.next[0].capability, "repo.view");
    assert_eq!(
        envelope.meta.next[0].input,
        json!({"owner": data["owner"], "repo": data["name"]})
    );
    let mut input = rocket();
    input["run_id"] = json!(1227);
    let envelope = bench
        .run_on(Route::Rest, "workflow.runs.cancel", &input)
        .await;
    assert_eq!(envelope.data.unwrap()["accepted"], true);
    let next = &envelope.meta.next[0];
    assert_eq!(next.capability, "workflow.runs.view");
    let view = bench
        .run_on(Route::Rest, &next.capability, &next.input)
        .await;
    assert!(view.ok, "{view:?}");
}

/// Every call that a generated card offers is one of a card, with inputs that it has and all that it needs.
#[test]
fn offered_calls_can_be_sent() {
    let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    let mut offered = 0;
    for summary in catalog.generated() {
        let card = catalog.get(summary.id).unwrap();
        for call in &card.next {
            offered += 1;
            let target = catalog.get(call.capability.as_str());
            let target = target.unwrap_or_else(|_| panic!("{}: {}", card.id, call.capability));
            let given = call.input.render(&capstan_core::expr::Scope::new(
                &everything(&card.output_schema),
                &[("input".to_owned(), everything(&card.input_schema))]
                    .into_iter()
                    .collect(),
            ));
            let given = given.unwrap();
            let given = given.as_object().unwrap();
            let required = target.input_schema["required"].as_array();
            for name in required.into_iter().flatten() {
                assert!(
                    given.contains_key(name.as_str().unwrap()),
                    "{}: {name}",
                    card.id
                );
            }
            for name in given.keys() {
                assert!(
                    !target.input_schema["properties"][name].is_null(),
                    "{}: {name}",
                    card.id
                );
            }
        }
    }
    assert!(offered >= 30, "{offered}");
}

/// Returns an object with a value for every field of a schema.
fn everything(schema: &Value) -> Value {
    match schema["properties"].as_object() {
        Some(fields) => {
            let values = fields.iter();
            values
                .map(|(name, field)| (name.clone(), everything(field)))
                .collect()
        }
        None => json!("x"),
    }
}
