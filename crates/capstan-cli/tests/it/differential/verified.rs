//! What a card takes for proof that a lost write happened is true after the write and not before,
//! and shows what the write's own answer shows.

use std::time::Duration;

use capstan_catalog::Catalog;
use capstan_core::Route;
use capstan_core::card::Card;
use capstan_engine::Settings;
use github_sim::{Operation, Sim};
use serde_json::{Map, Value};

use super::case::{Case, Expect};
use super::coverage::all_cases;
use crate::support::{Bench, Setup};

#[tokio::test]
async fn what_proves_a_write_holds_after_it_and_not_before() {
    let catalog = Catalog::new(capstan_cards::CARDS);
    let mut problems = Vec::new();
    let mut tried = 0;
    for case in all_cases() {
        let card = catalog.get(case.card).unwrap();
        let Some(card) = nothing_to_do_where_proven(&card) else {
            continue;
        };
        if case.expect != Expect::Change {
            continue;
        }
        for route in [Route::Graphql, Route::Rest] {
            if card.has_route(route) && !case.unable.contains(&route) {
                tried += 1;
                let problem = check(&case, card.clone(), route).await;
                problems.extend(problem.map(|it| format!("{} ({}): {it}", case.card, case.state)));
            }
        }
    }
    assert!(tried > 30, "only {tried} were tried");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The card with its proof in the place of the condition under which it does nothing.
fn nothing_to_do_where_proven(card: &Card) -> Option<Card> {
    let mut card = card.clone();
    let graphql = card.graphql.as_mut()?;
    graphql.unchanged = Some(graphql.verify.clone()?);
    if let Some(rest) = &mut card.rest {
        rest.unchanged.clone_from(&rest.verify);
    }
    Some(card)
}

/// Runs the card twice: first there is something to do, and then there is not.
async fn check(case: &Case, card: Card, route: Route) -> Option<String> {
    let sim = Sim::demo();
    sim.world(|world| (case.seed)(world));
    let bench = Bench::set_up(Setup {
        sim,
        settings: Settings {
            request_timeout: Duration::from_secs(10),
            ..Settings::default()
        },
        cards: vec![card],
        ..Setup::default()
    })
    .await;
    let mut seen = Vec::new();
    for writes in [1, 0] {
        bench.sim.clear_requests();
        let envelope = bench.run_on(route, case.card, &case.input).await;
        let Some(Value::Object(data)) = envelope.data else {
            return Some(format!("{route}: {:?}", envelope.error));
        };
        let requests = bench.sim.requests();
        let sent = requests
            .iter()
            .filter(|it| it.operation == Operation::Write);
        let sent = sent.count();
        if sent != writes {
            return Some(format!("{route}: {sent} writes instead of {writes}"));
        }
        seen.push(without_changed(data));
    }
    (seen[0] != seen[1]).then(|| format!("{route}: {:?} and then {:?}", seen[0], seen[1]))
}

fn without_changed(mut data: Map<String, Value>) -> Map<String, Value> {
    data.shift_remove("changed");
    data
}
