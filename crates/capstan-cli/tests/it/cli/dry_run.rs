//! `--dry-run` prints exactly what would be sent and sends nothing; then the same is really sent.

use std::os::unix::fs::PermissionsExt as _;

use capstan_catalog::Catalog;
use capstan_core::Route;
use capstan_core::card::Card;
use capstan_core::expr::Scope;
use github_sim::Transport;
use serde_json::{Map, Value, json};

use super::harness::{Github, Place};
use crate::support::gh_program;

/// Every card on every route that it has, with its own example as input.
fn runs() -> Vec<(String, Route, String)> {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let ids: Vec<_> = catalog.iter().map(|card| card.id.to_owned()).collect();
    assert!(ids.len() >= 26, "{ids:?}");
    ids.into_iter()
        .flat_map(|id| {
            let card = catalog.get(&id).unwrap();
            let routes = card.route_order().into_iter();
            routes
                .map(|route| (id.clone(), route, example(&card, route)))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The first example that the route suits.
fn example(card: &Card, route: Route) -> String {
    let suits = |input: &Value| {
        let mut rules = card.routing.suitability.iter();
        rules.all(|rule| {
            rule.route != route || rule.predicate.holds(&Scope::new(input, &Map::new()))
        })
    };
    let mut inputs = card
        .examples
        .iter()
        .map(|it| Value::Object(it.input.clone()));
    inputs.find(|input| suits(input)).unwrap().to_string()
}

fn dry(place: &Place, id: &str, route: Route, input: &str) -> Vec<Value> {
    let args = ["run", id, "--route", route.as_str(), "--input", input];
    let ran = place.run(&[&args[..], &["--dry-run"]].concat());
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{id} {route}: {ran:?}");
    let plan = ran.json();
    assert_eq!(plan["capability_id"], *id);
    let requests = plan["requests"].as_array().unwrap().clone();
    assert_eq!(requests.last().unwrap()["purpose"], "run", "{id} {route}");
    assert!(
        requests
            .iter()
            .all(|request| request["route"] == route.as_str())
    );
    requests
}

/// Whether `real` is `planned` with something in the place of every `<$name.field>`.
fn fits(planned: &str, real: &str) -> bool {
    let planned = planned.replace("%3C%24", "<$").replace("%3E", ">");
    let mut pieces = planned.split("<$");
    let Some(mut rest) = pieces.next().and_then(|first| real.strip_prefix(first)) else {
        return false;
    };
    for piece in pieces {
        let (_, fixed) = piece.split_once('>').unwrap();
        let Some(at) = rest.find(fixed).filter(|_| !fixed.is_empty()) else {
            return fixed.is_empty();
        };
        rest = &rest[at + fixed.len()..];
    }
    rest.is_empty()
}

#[test]
fn what_is_printed_is_what_is_sent_over_http() {
    for (id, route, input) in runs() {
        if route == Route::Cli {
            continue;
        }
        let github = Github::demo();
        let place = Place::new().online(&github);
        let planned = dry(&place, &id, route, &input);
        assert_eq!(github.sim.requests(), [], "{id} {route} sent something");

        let ran = place.run(&["run", &id, "--route", route.as_str(), "--input", &input]);
        assert_eq!(ran.code, 0, "{id} {route}: {ran:?}");
        let seen = github.sim.requests();
        assert_eq!(
            planned.len(),
            seen.len(),
            "{id} {route}: {planned:?} {seen:?}"
        );
        assert_same(&planned, seen, |planned, seen| match route {
            Route::Graphql => {
                let document = planned["document"].as_str().unwrap();
                seen.transport == Transport::Graphql
                    && planned["operation_name"] == json!(seen.operation_name)
                    && document.contains(&seen.root_fields[0])
            }
            _ => {
                let path = planned["path"].as_str().unwrap();
                seen.transport == Transport::Rest
                    && planned["method"] == *seen.method
                    && fits(path, &seen.path)
            }
        });
    }
}

/// Lookups of one fan-out leave together, in any order; the operation itself comes last.
fn assert_same<T: std::fmt::Debug>(
    planned: &[Value],
    mut real: Vec<T>,
    same: impl Fn(&Value, &T) -> bool,
) {
    let (last, first) = planned.split_last().unwrap();
    let operation = real.pop().unwrap();
    assert!(same(last, &operation), "{last} is not {operation:?}");
    for planned in first {
        let found = real.iter().position(|real| same(planned, real));
        assert!(found.is_some(), "{planned} is not among {real:?}");
        real.remove(found.unwrap());
    }
}

#[test]
fn what_is_printed_is_what_gh_is_given() {
    for (id, route, input) in runs() {
        if route != Route::Cli {
            continue;
        }
        let github = Github::demo();
        let (place, log) = place_with_watched_gh(&github);
        let planned = dry(&place, &id, route, &input);
        assert_eq!(github.sim.requests(), [], "{id} sent something");
        assert!(!log.exists(), "{id} ran gh: {:?}", std::fs::read(&log));

        let ran = place.run(&["run", &id, "--route", "cli", "--input", &input]);
        assert_eq!(ran.code, 0, "{id}: {ran:?}");
        let log = std::fs::read_to_string(&log).unwrap();
        let real: Vec<_> = log.split_terminator("\u{2}").collect();
        assert_eq!(planned.len(), real.len(), "{id}: {planned:?} {real:?}");
        assert_same(&planned, real, |planned, real| {
            let words: Vec<_> = real.split_terminator('\u{1}').collect();
            let args = planned["args"].as_array().unwrap();
            let mut pairs = args.iter().zip(&words);
            args.len() == words.len()
                && pairs.all(|(planned, real)| fits(planned.as_str().unwrap(), real))
        });
    }
}

/// A `gh` that writes down its arguments and then is the real one.
fn place_with_watched_gh(github: &Github) -> (Place, std::path::PathBuf) {
    let place = Place::new().online(github);
    let log = place.path().join("gh.log");
    let script = format!(
        "#!/bin/sh\nline=$(for word; do printf '%s\\001' \"$word\"; done; printf '\\002')\n\
         printf '%s' \"$line\" >>'{}'\nexec '{}' \"$@\"\n",
        log.display(),
        gh_program().display()
    );
    let gh = place.write("watched-gh", script);
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
    let place = place
        .env("CAPSTAN_GH", gh)
        .env("GH_CONFIG_DIR", github.gh_config.path());
    (place, log)
}

#[test]
fn a_plan_needs_no_token_and_says_why_routes_were_passed_over() {
    let ran = Place::new().line("run issue.close -R acme/rocket issue_number=1 --dry-run");
    insta::assert_snapshot!(ran.all());
}

#[test]
fn a_wrong_input_is_refused_before_anything_is_planned() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let ran = place.line("run issue.close -R acme/rocket --dry-run");
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["code"], "VALIDATION");
    let ran = place.line("run workflow.runs.list -R acme/rocket --route graphql --dry-run");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["error"]["code"], "ADAPTER_UNSUPPORTED");
    assert_eq!(github.sim.requests(), []);
}

#[test]
fn secrets_in_inputs_do_not_show_in_a_plan() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let plan = |secret: &str| {
        let title = format!("title={secret}");
        let create = ["run", "issue.create", "-R", "acme/rocket"];
        place.run(&[&create[..], &[title.as_str(), "--dry-run"]].concat())
    };
    let foreign = format!("ghp_{}", "a1B2".repeat(9));
    let ran = plan(&foreign);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("[redacted]"), "{}", ran.stdout);
    assert!(!ran.stdout.contains(&foreign));
    // Our own token would not be sent, so it is not planned either.
    let ran = plan(crate::support::TOKEN);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.json()["error"]["details"]["fields"][0]["field"],
        "title"
    );
    assert!(!ran.all().contains(crate::support::TOKEN));
}
