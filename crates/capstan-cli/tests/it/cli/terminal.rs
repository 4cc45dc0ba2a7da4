//! What a person sees on a terminal.

use github_sim::world::{NewIssue, Viewer};

use super::harness::{Github, Place, hashless, timeless};

/// Against the simulator, which is the same every time.
fn shown(line: &str) -> String {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.anonymous(&place.terminal(line))
}

#[test]
fn view() {
    insta::assert_snapshot!(shown("run issue.view -R acme/rocket issue_number=1"));
}

#[test]
fn table() {
    insta::assert_snapshot!(shown("run issue.list -R acme/rocket first=4"));
}

#[test]
fn empty_table() {
    insta::assert_snapshot!(shown("run issue.list -R acme/rocket label=no-such-label"));
}

#[test]
fn write_that_changes_nothing() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let line = "run issue.close -R acme/rocket issue_number=1";
    let both = format!("{}{}", place.terminal(line), place.terminal(line));
    insta::assert_snapshot!(both);
}

#[test]
fn failure_with_its_mend() {
    insta::assert_snapshot!(shown("run issue.view -R acme/rocket issue_number=4242"));
}

#[test]
fn wrong_input() {
    insta::assert_snapshot!(shown("run issue.view -R acme/rocket isue_number=x"));
}

#[test]
fn no_token() {
    let place = Place::new();
    insta::assert_snapshot!(place.terminal("run issue.view -R acme/rocket issue_number=1"));
}

#[test]
fn unknown_id() {
    insta::assert_snapshot!(shown("run issue.vieww"));
}

#[test]
fn plan() {
    insta::assert_snapshot!(shown(
        "run issue.close -R acme/rocket issue_number=1 --dry-run"
    ));
}

#[test]
fn explain() {
    insta::assert_snapshot!(shown("explain pr.merge"));
}

#[test]
fn list() {
    insta::assert_snapshot!(shown("list"));
}

#[test]
fn search() {
    insta::assert_snapshot!(shown("search say something on a pull request --limit 3"));
}

#[test]
fn search_without_a_match() {
    insta::assert_snapshot!(shown("search zzzz"));
}

#[test]
fn doctor_with_a_token() {
    let _timeless = timeless();
    insta::assert_snapshot!(shown("doctor"));
}

#[test]
fn doctor_with_nothing() {
    let _timeless = timeless();
    let place = Place::new();
    insta::assert_snapshot!(place.anonymous(&place.terminal("doctor")));
}

#[test]
fn doctor_in_the_demo() {
    let _timeless = timeless();
    let place = Place::new().with_gh();
    insta::assert_snapshot!(place.anonymous(&place.terminal("doctor --demo")));
}

#[test]
fn demo_tour() {
    let _hashless = hashless();
    let place = Place::new().with_gh();
    insta::assert_snapshot!(place.anonymous(&place.terminal("demo")));
}

#[test]
fn demo_tour_without_gh() {
    let said = Place::new().terminal("demo");
    assert!(said.contains("gh is not installed"), "{said}");
}

#[test]
fn help() {
    insta::assert_snapshot!(shown("--help"));
}

#[test]
fn help_of_run() {
    insta::assert_snapshot!(shown("run --help"));
}

#[test]
fn wrong_usage() {
    insta::assert_snapshot!(shown("run issue.view -R acme"));
}

#[test]
fn attempts() {
    let said =
        shown("run issue.view -R acme/rocket issue_number=2 --route rest --trace --fields title");
    // How long it took is different every time.
    let said: Vec<_> = said.lines().filter(|line| !line.contains(" ms")).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let args = ["run", "issue.view", "-R", "acme/rocket", "issue_number=1"];
    assert!(place.raw_terminal(&args).1.contains("\u{1b}["));
    assert!(!place.run(&args).stdout.contains('\u{1b}'));
    let place = place.env("NO_COLOR", "1");
    assert!(!place.raw_terminal(&args).1.contains('\u{1b}'));
}

#[test]
fn a_failure_has_the_same_exit_code_on_a_terminal() {
    let place = Place::new();
    let args = ["run", "issue.view", "-R", "acme/rocket", "issue_number=1"];
    assert_eq!(place.raw_terminal(&args).0, 4);
    assert_eq!(place.raw_terminal(&["explain", "zzz"]).0, 1);
    assert_eq!(place.raw_terminal(&["list", "zzz"]).0, 2);
}

/// Anyone can write an issue. `without_colours` fails on every sequence that is not a colour.
#[test]
fn texts_from_github_cannot_steer_the_terminal() {
    let github = Github::demo();
    let number = github.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let new = NewIssue {
            title: "\u{1b}]0;owned\u{7} \u{1b}[2J\u{9b}2J \u{202e}evil \u{1b}[31mred".to_owned(),
            body: "over\rwritten \u{8}\u{8}\u{1b}[1A\u{7f}".to_owned(),
            ..NewIssue::default()
        };
        world
            .create_issue(&Viewer::full("maya-chen"), repo, new)
            .unwrap()
            .number
    });
    let place = Place::new().online(&github);
    let view = format!("run issue.view -R acme/rocket issue_number={number} --fields title,body");
    let said = place.terminal(&view)
        + &place.terminal("run issue.list -R acme/rocket first=1 --fields number,title");
    let steering = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!said.contains(steering), "{said:?}");
    insta::assert_snapshot!(said);
}
