//! `capstan doctor` asks GitHub: who one is, what the token is good for, and whether it is valid.

use std::net::TcpListener;

use github_sim::world::Token;
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::harness::{Github, Place, Ran};
use crate::support::TOKEN;

/// A place whose token has these scopes.
fn with_scopes(github: &Github, scopes: &[&str]) -> Place {
    github.sim.world(|world| {
        let token = Token {
            login: "maya-chen".to_owned(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        };
        world.tokens.insert(TOKEN.to_owned(), token);
    });
    Place::new().online(github)
}

fn route<'a>(report: &'a Value, name: &str) -> &'a Value {
    let routes = report["routes"].as_array().unwrap();
    routes.iter().find(|route| route["route"] == name).unwrap()
}

#[test]
fn each_route_asks_github_who_one_is_and_what_is_left() {
    let github = Github::demo();
    let place = Place::new()
        .with_gh()
        .online(&github)
        .env("GH_CONFIG_DIR", github.gh_config.path());
    let ran = place.line("doctor");
    assert_eq!(ran.code, 0, "{ran:?}");
    let report = ran.json();
    assert_eq!(report["account"]["login"], "maya-chen");
    let scopes = json!(["gist", "read:org", "repo", "workflow"]);
    assert_eq!(report["account"]["scopes"], scopes);
    assert!(report["account"].get("lacking").is_none(), "{report}");
    for name in ["graphql", "rest", "cli"] {
        let route = route(&report, name);
        assert_eq!(
            (&route["ready"], &route["login"]),
            (&json!(true), &json!("maya-chen"))
        );
        let budget = &route["budget"];
        assert_eq!(budget["limit"], 5000, "{name}: {route}");
        assert!(budget["remaining"].as_u64() < Some(5000), "{name}: {route}");
        assert!(
            budget["resets_at"].as_str().unwrap().ends_with('Z'),
            "{route}"
        );
    }
    let requests = github.sim.requests();
    assert_eq!(requests.len(), 3, "one request for each route");
}

#[test]
fn a_revoked_token_is_not_ready() {
    let github = Github::demo();
    github
        .sim
        .world(|world| world.only_registered_tokens = true);
    let place = Place::new().online(&github);
    let ran = place.line("doctor");
    assert_eq!(ran.code, 4, "{ran:?}");
    let report = ran.json();
    for name in ["graphql", "rest"] {
        let route = route(&report, name);
        assert_eq!(
            (&route["ready"], &route["code"]),
            (&json!(false), &json!("AUTH"))
        );
        let why = route["why"].as_str().unwrap();
        assert!(why.contains("create a new one"), "{why}");
    }
    assert!(report.get("account").is_none(), "{report}");
    let said = place.terminal("doctor");
    assert!(said.contains("not yet graphql"), "{said}");
}

#[test]
fn a_token_that_lacks_a_scope_is_not_called_revoked() {
    let github = Github::demo();
    github.sim.inject(Fault::always(FaultKind::Status403Scope));
    let place = Place::new().online(&github);
    let ran = place.line("doctor");
    assert_eq!(ran.code, 4, "{ran:?}");
    let report = ran.json();
    let why = |name: &str| route(&report, name)["why"].as_str().unwrap().to_owned();
    let graphql = why("graphql");
    assert!(graphql.contains("lacks the scope `repo`"), "{graphql}");
    assert!(graphql.contains("`gh auth refresh -s repo`"), "{graphql}");
    let rest = why("rest");
    assert!(rest.contains("scope or permission"), "{rest}");
    assert!(!rest.contains("revoked"), "{rest}");
}

#[test]
fn no_network_is_not_ready_and_says_nothing_about_the_token() {
    // A port that nobody listens at any more.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let place = Place::new()
        .env("GITHUB_API_URL", format!("http://127.0.0.1:{port}"))
        .env("GITHUB_TOKEN", TOKEN)
        .env("GH_HOST", "github.com");
    let ran = place.line("doctor");
    assert_eq!(ran.code, 1, "{ran:?}");
    let route = route(&ran.json(), "rest").clone();
    assert_eq!(route["code"], "NETWORK");
    assert!(
        route["why"].as_str().unwrap().contains("--offline"),
        "{route}"
    );
    let offline = place.line("doctor --offline");
    assert_eq!(offline.code, 0, "{offline:?}");
    assert_eq!(offline.json()["routes"][0]["ready"], true);
}

#[test]
fn capabilities_that_the_scopes_forbid_are_named() {
    let github = Github::demo();
    let ran: Ran = with_scopes(&github, &["gist"]).line("doctor");
    assert_eq!(ran.code, 0, "{ran:?}");
    let report = ran.json();
    let lacking = &report["account"]["lacking"][0];
    assert_eq!(lacking["needs_one_of"], json!(["repo", "public_repo"]));
    let capabilities = lacking["capabilities"].as_array().unwrap();
    assert!(capabilities.contains(&json!("issue.close")), "{lacking}");
    assert!(!capabilities.contains(&json!("issue.view")), "{lacking}");
    // With one of the scopes nothing is claimed: the repository may be public.
    let report = with_scopes(&github, &["public_repo"]).line("doctor").json();
    assert!(report["account"].get("lacking").is_none(), "{report}");
}

#[test]
fn offline_sends_nothing() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let ran = place.line("doctor --offline");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(github.sim.requests().is_empty());
    assert!(ran.json().get("account").is_none());
}

#[test]
fn denials_that_fit_nothing_are_named() {
    let place = Place::new();
    let policy = "[policy]\ndeny = [\"issue.clos\", \"issue.c*\", \"capstan.pr.merge\", \"wiki.*\", \"code.exec\"]\n";
    let file = place.write("deny.toml", policy);
    let config = file.to_str().unwrap();
    let report = place.run(&["--demo", "--config", config, "doctor", "--offline"]);
    assert_eq!(
        report.json()["policy"]["deny_without_effect"],
        json!(["issue.clos", "wiki.*"]),
        "{report:?}"
    );
}
