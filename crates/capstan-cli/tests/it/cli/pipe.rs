//! What a program gets: one line of JSON, or TOON, on standard output and nothing else.

use super::harness::{Github, Place, timeless};

fn ran(line: &str) -> String {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let ran = place.line(line);
    assert_eq!(ran.stderr, "", "{line}");
    place.anonymous(&ran.all())
}

#[test]
fn run() {
    insta::assert_snapshot!(ran("run issue.view -R acme/rocket issue_number=2"));
}

#[test]
fn run_as_toon() {
    insta::assert_snapshot!(ran("run issue.list -R acme/rocket first=3 --format toon"));
}

#[test]
fn run_with_fields() {
    insta::assert_snapshot!(ran(
        "run issue.list -R acme/rocket first=2 --fields number,title"
    ));
}

#[test]
fn run_that_fails() {
    insta::assert_snapshot!(ran("run issue.view -R acme/rocket issue_number=4242"));
}

#[test]
fn run_without_a_token() {
    let ran = Place::new().line("run issue.view -R acme/rocket issue_number=1");
    insta::assert_snapshot!(ran.all());
}

#[test]
fn unknown_ids_have_near_matches() {
    let mut said = String::new();
    for id in ["issu.view", "view.issue", "issues.list", "pr_merges", "zzz"] {
        let ran = Place::new().run(&["run", id]);
        assert_eq!(ran.code, 1);
        said.push_str(ran.json()["error"]["message"].as_str().unwrap());
        said.push('\n');
    }
    insta::assert_snapshot!(said);
}

#[test]
fn explain() {
    insta::assert_snapshot!(ran("explain issue.close"));
}

#[test]
fn list_of_a_domain() {
    insta::assert_snapshot!(ran("list release"));
}

#[test]
fn search() {
    insta::assert_snapshot!(ran("search who broke the build --limit 2"));
}

#[test]
fn doctor() {
    let _timeless = timeless();
    insta::assert_snapshot!(ran("doctor"));
}

/// `--json` gives on a terminal what a pipe gets.
#[test]
fn json_on_a_terminal() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for line in [
        "explain issue.view",
        "list",
        // With a request the budget would be another each time.
        "doctor --offline",
        "run issue.view -R acme/rocket issue_number=1",
    ] {
        let piped = place.line(line).stdout;
        assert_eq!(place.terminal(&format!("{line} --json")), piped, "{line}");
        assert_eq!(place.terminal(&format!("--json {line}")), piped, "{line}");
    }
}

/// `--demo` needs no token, no network and no login, and `gh` works there too.
#[test]
fn demo_on_every_route() {
    let place = Place::new().with_gh();
    let mut answers = Vec::new();
    for route in ["graphql", "rest", "cli"] {
        let ran = place.line(&format!(
            "--demo run issue.view -R acme/rocket issue_number=1 --route {route}"
        ));
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{route}: {ran:?}");
        assert_eq!(ran.json()["meta"]["route_used"], route);
        answers.push(ran.json()["data"].to_string());
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn a_trace_tells_every_attempt() {
    let github = Github::demo();
    let fault = github_sim::Fault::always(github_sim::FaultKind::Status503).on_graphql();
    github.sim.inject(fault);
    let place = Place::new().online(&github);
    let ran = place.line("run issue.view -R acme/rocket issue_number=1 --trace --timeout-ms 20000");
    let meta = &ran.json()["meta"];
    assert_eq!(
        (&meta["route_used"], &meta["reason"]),
        (&"rest".into(), &"CARD_FALLBACK".into())
    );
    let attempts = meta["attempts"].as_array().unwrap();
    let routes: Vec<_> = attempts.iter().map(|attempt| &attempt["route"]).collect();
    assert_eq!(*routes.last().unwrap(), "rest", "{meta}");
    assert!(
        routes.iter().filter(|route| **route == "graphql").count() >= 2,
        "{meta}"
    );
    assert_eq!(attempts.len(), github.sim.requests().len(), "{meta}");
    assert!(meta["timings"]["total_ms"].is_u64(), "{meta}");
}
