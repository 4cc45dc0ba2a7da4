//! Runs a row of the tables on every route and compares what came of it.

use std::time::Duration;

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Operation};
use capstan_core::{ErrorCode, NextCall, Options, ResultEnvelope, Route};
use github_sim::world::World;
use github_sim::{SeenRequest, Sim};
use serde_json::{Value, json};

use super::case::{Case, Expect};
use crate::support::Bench;

/// What is wrong with a row; nothing if all is well.
pub(super) async fn check(case: &Case) -> Vec<String> {
    let card = Catalog::new(&capstan_cards::CARDS).get(case.card).unwrap();
    let mut problems = match (card.operation, case.expect) {
        (Operation::Read, Expect::Pages(rows)) => check_pages(case, &card, rows).await,
        (Operation::Read, _) => check_read(case, &card).await,
        (Operation::Write, _) => check_write(case, &card).await,
    };
    for problem in &mut problems {
        *problem = format!("{} ({}): {problem}", case.card, case.state);
    }
    problems
}

/// One route's run and what it left behind.
struct Run {
    route: Route,
    envelope: ResultEnvelope,
    seen: Vec<SeenRequest>,
    world: World,
}

impl Run {
    async fn of(case: &Case, bench: &Bench, route: Route) -> Self {
        bench.sim.clear_requests();
        let envelope = bench.run_on(route, case.card, &case.input).await;
        Self {
            route,
            envelope,
            seen: bench.sim.requests(),
            world: world(&bench.sim),
        }
    }

    fn writes(&self) -> usize {
        let write = |request: &&SeenRequest| request.operation == github_sim::Operation::Write;
        self.seen.iter().filter(write).count()
    }

    fn data(&self) -> String {
        serde_json::to_string(&self.envelope.data).unwrap()
    }

    /// What a caller sees besides the data and how it was got.
    fn advice(&self) -> Value {
        let error = self.envelope.error.as_ref();
        json!({
            "next": self.envelope.meta.next,
            "note": self.envelope.meta.note,
            "warnings": self.envelope.meta.warnings,
            "mend": error.and_then(|error| error.details.get("mend")),
        })
    }
}

/// Reads change nothing, so that all routes can look at one world.
async fn check_read(case: &Case, card: &Card) -> Vec<String> {
    let bench = bench(case).await;
    let before = world(&bench.sim);
    let mut runs = Vec::new();
    for route in Route::GITHUB
        .into_iter()
        .filter(|route| card.has_route(*route))
    {
        runs.push(Run::of(case, &bench, route).await);
    }
    let mut problems = judge(case, &before, &runs);
    problems.extend(disagreements_on_pages(&runs));
    if problems.is_empty() {
        problems.extend(follow_up(&bench, &runs).await);
    }
    problems
}

/// Each route writes into a world of its own.
async fn check_write(case: &Case, card: &Card) -> Vec<String> {
    let mut runs = Vec::new();
    let mut last = None;
    let mut before = None;
    for route in Route::GITHUB
        .into_iter()
        .filter(|route| card.has_route(*route))
    {
        let bench = bench(case).await;
        before.get_or_insert_with(|| world(&bench.sim));
        runs.push(Run::of(case, &bench, route).await);
        last = Some(bench);
    }
    let mut problems = judge(case, &before.unwrap(), &runs);
    if problems.is_empty() {
        problems.extend(follow_up(&last.unwrap(), &runs).await);
    }
    problems
}

/// The pages of each route, put together, are the same list.
async fn check_pages(case: &Case, card: &Card, rows: usize) -> Vec<String> {
    let bench = bench(case).await;
    let field = &card.list.as_ref().unwrap().field;
    let mut problems = Vec::new();
    let mut lists: Vec<(Route, Vec<Value>)> = Vec::new();
    for route in Route::GITHUB
        .into_iter()
        .filter(|route| card.has_route(*route))
    {
        let mut list = Vec::new();
        let mut input = case.input.clone();
        let mut speaks = Some(route);
        loop {
            let options = Options {
                route: speaks,
                full: true,
                ..Options::default()
            };
            let envelope = bench.run(case.card, &input, options).await;
            let Some(data) = &envelope.data else {
                problems.push(format!("{route}: {:?} for {input}", envelope.error));
                break;
            };
            list.extend(data[field].as_array().unwrap().iter().cloned());
            let pagination = envelope.meta.pagination.unwrap_or_default();
            if pagination.total.is_some_and(|total| total != rows as u64) {
                problems.push(format!("{route}: total is {:?}", pagination.total));
            }
            if !pagination.has_next_page {
                break;
            }
            let Some(cursor) = pagination.end_cursor else {
                problems.push(format!("{route}: a next page and no cursor to it"));
                break;
            };
            input["after"] = json!(cursor);
            // A command of `gh` cannot skip pages; another route takes over.
            speaks = Some(route).filter(|route| *route != Route::Cli);
            if list.len() > rows {
                problems.push(format!("{route}: it never ends"));
                break;
            }
        }
        if list.len() != rows {
            problems.push(format!("{route}: {} rows instead of {rows}", list.len()));
        }
        lists.push((route, list));
    }
    let (first, expected) = &lists[0];
    for (route, list) in &lists[1..] {
        if list != expected {
            let at = list.iter().zip(expected).position(|(a, b)| a != b);
            let (left, right) = at.map(|at| (&expected[at], &list[at])).unzip();
            problems.push(format!(
                "rows differ at {at:?}\n  {first}: {left:?}\n  {route}: {right:?}"
            ));
        }
    }
    problems
}

fn judge(case: &Case, before: &World, runs: &[Run]) -> Vec<String> {
    let mut problems = Vec::new();
    let (unable, able): (Vec<&Run>, Vec<&Run>) = runs
        .iter()
        .partition(|run| case.unable.contains(&run.route));
    for run in unable {
        let code = run.envelope.error.as_ref().map(|error| error.code);
        if code != Some(ErrorCode::AdapterUnsupported) || !run.seen.is_empty() {
            problems.push(format!("{}: {code:?} instead of unable", run.route));
        }
    }
    for run in &able {
        judge_one(case, before, run, &mut problems);
    }
    let Some((first, others)) = able.split_first() else {
        return vec!["no route can do it".to_owned()];
    };
    for run in others {
        let mut compare = |what: &str, left: String, right: String| {
            if left != right {
                let (here, there) = (first.route, run.route);
                let (left, right) = parting(&left, &right);
                problems.push(format!(
                    "{what} differs\n  {here}: {left}\n  {there}: {right}"
                ));
            }
        };
        compare("data", first.data(), run.data());
        let [left, right] = [first, run].map(|run| run.advice().to_string());
        compare("advice", left, right);
        if first.world != run.world {
            let [left, right] = [first, run].map(|run| format!("{:?}", run.world));
            compare("the world", left, right);
        }
    }
    problems
}

fn judge_one(case: &Case, before: &World, run: &Run, problems: &mut Vec<String>) {
    let route = run.route;
    let error = run.envelope.error.as_ref();
    let changed = run
        .envelope
        .data
        .as_ref()
        .and_then(|data| data.get("changed"));
    let mut expect = |fine: bool, what: &str| {
        if !fine {
            let answer = error.map_or_else(
                || run.data(),
                |error| format!("{}: {}", error.code, error.message),
            );
            let writes = run.writes();
            problems.push(format!("{route}: {what}; {writes} writes; {answer}"));
        }
    };
    match case.expect {
        Expect::Refusal(code) => {
            expect(
                error.map(|error| error.code) == Some(code),
                &format!("expected {code}"),
            );
            let outcome = error.and_then(|error| error.details.get("outcome"));
            let applied = outcome.is_some_and(|outcome| outcome != "not_applied");
            expect(!applied, "it says that it may have happened");
        }
        _ => {
            expect(run.envelope.ok, "it failed");
            let used = run.envelope.meta.route_used;
            expect(used == Some(route), "another route answered");
            let data = run.envelope.data.as_ref();
            expect(
                data.is_none_or(|data| holds(data, &case.shows)),
                &format!("it does not show {}", case.shows),
            );
        }
    }
    match case.expect {
        Expect::Change => {
            expect(
                changed.is_none_or(|changed| *changed == true),
                "it denies that it changed anything",
            );
            expect(run.writes() == 1, "not one write");
            expect(run.world != *before, "it changed nothing");
        }
        Expect::NoChange | Expect::Futile => {
            expect(
                changed.is_some_and(|changed| *changed == false),
                "it does not say that nothing changed",
            );
            let sent = usize::from(case.expect == Expect::Futile);
            expect(run.writes() == sent, "it wrote otherwise than expected");
            expect(run.world == *before, "it changed the world");
        }
        _ => expect(run.world == *before, "it changed the world"),
    }
    if case.expect == Expect::Data {
        expect(run.writes() == 0, "it wrote");
    }
}

/// Routes agree on whether there is more, and on how many there are where they know.
fn disagreements_on_pages(runs: &[Run]) -> Vec<String> {
    let pages: Vec<_> = runs
        .iter()
        .filter_map(|run| Some((run.route, run.envelope.meta.pagination.as_ref()?)))
        .collect();
    let totals: Vec<_> = pages.iter().filter_map(|(_, page)| page.total).collect();
    let agree = pages
        .windows(2)
        .all(|pair| pair[0].1.has_next_page == pair[1].1.has_next_page)
        && totals.windows(2).all(|pair| pair[0] == pair[1]);
    if agree {
        Vec::new()
    } else {
        vec![format!("pages differ: {pages:?}")]
    }
}

/// Every call that a success offers can be sent as it stands, and succeeds.
async fn follow_up(bench: &Bench, runs: &[Run]) -> Vec<String> {
    let mut problems = Vec::new();
    let offered = runs.last().map(|run| run.envelope.meta.next.clone());
    for NextCall { capability, input } in offered.into_iter().flatten() {
        let envelope = bench.run(&capability, &input, Options::default()).await;
        if !envelope.ok {
            let error = envelope.error;
            problems.push(format!("next, {capability} {input}: {error:?}"));
        }
    }
    problems
}

async fn bench(case: &Case) -> Bench {
    let sim = Sim::demo();
    sim.world(|world| (case.seed)(world));
    Bench::with(sim, Duration::from_secs(10)).await
}

/// Everything but the rate limit, which counts requests and not what they do.
fn world(sim: &Sim) -> World {
    let mut world = sim.world(|world| world.clone());
    world.rate_limit = World::empty().rate_limit;
    world
}

/// Where two texts part, with what is around; worlds are too long to print.
fn parting(left: &str, right: &str) -> (String, String) {
    let same = left
        .chars()
        .zip(right.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let around = |text: &str| {
        text.chars()
            .skip(same.saturating_sub(80))
            .take(240)
            .collect()
    };
    (around(left), around(right))
}

/// Whether `data` has all that `part` has.
fn holds(data: &Value, part: &Value) -> bool {
    match (data, part) {
        (Value::Object(data), Value::Object(part)) => part
            .iter()
            .all(|(name, part)| data.get(name).is_some_and(|value| holds(value, part))),
        (Value::Array(data), Value::Array(part)) => {
            data.len() == part.len() && data.iter().zip(part).all(|(a, b)| holds(a, b))
        }
        _ => data == part,
    }
}
