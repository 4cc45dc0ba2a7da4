//! Capabilities in the words of `gh`, typed in a shell.

use serde_json::json;

use super::harness::{Github, Place};

const LIST: [&str; 6] = [
    "issue.list",
    "--label",
    "bug",
    "--limit",
    "2",
    "--fields=number",
];

#[test]
fn a_line_is_answered_like_a_run() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let typed = place.run(&[&LIST[..], &["-R", "acme/rocket"]].concat());
    assert_eq!(typed.code, 0, "{typed:?}");
    assert_eq!(
        typed.json()["data"]["issues"],
        json!([{"number": 48}, {"number": 45}])
    );
    let ran = place.line("run issue.list -R acme/rocket label=bug first=2 --fields number");
    assert_eq!(typed.stdout, ran.stdout);
    let spoken = place.run(&[
        "gh",
        "issue",
        "list",
        "-l",
        "bug",
        "-L2",
        "--json",
        "number",
        "-R",
        "acme/rocket",
    ]);
    assert_eq!(spoken.json()["data"], ran.json()["data"]);
}

/// A header repeats a search as it was sent, so that nobody doubts that GitHub got it.
#[test]
fn the_header_says_what_was_searched_for_and_where() {
    let github = Github::demo();
    let agent = Place::new().online(&github).env("CLAUDECODE", "1");
    for (search, said) in [
        (
            "telemetry",
            "issues matching \"telemetry\" in title, body or comments",
        ),
        ("telemetry in:body", "issues matching \"telemetry\" in body"),
        (
            "in:title,body stale sequence",
            "2 open issues matching \"stale sequence\" in title,body,",
        ),
        ("no:assignee", "issues found by search no:assignee,"),
        (
            "no:assignee milestone:\"v1.1 Hop test\"",
            "issues found by search no:assignee milestone:\"v1.1 Hop test\",",
        ),
        (
            "stale -label:gnc",
            "2 open issues found by search stale -label:gnc,",
        ),
        (
            "\"stale sequence\"",
            "2 open issues found by search \"stale sequence\",",
        ),
        (
            "stale label:bug",
            "1 open issue found by search stale label:bug:",
        ),
    ] {
        let args = ["issue.list", "--limit", "2", "--search", search];
        let shown = agent
            .run(&[&args[..], &["-R", "acme/rocket"]].concat())
            .stdout;
        let header = shown.lines().next().unwrap_or_default();
        assert!(header.contains(said), "{search}: {header}");
    }
}

#[test]
fn comments_are_shown_if_they_are_asked_for() {
    let github = Github::demo();
    let agent = Place::new().online(&github).env("CLAUDECODE", "1");
    let rows = "discussion: author | created_at | body\n  tomas-silva | 2026-01-11 12:44 | I can take this after the hop test.\n";
    for line in [
        "issue.view 2 --comments -R acme/rocket",
        "gh issue view 2 -c -R acme/rocket",
    ] {
        let shown = agent.line(line).stdout;
        assert!(shown.contains(rows), "{line}: {shown}");
    }
    let shown = agent.line("issue.view 2 -R acme/rocket").stdout;
    assert!(!shown.contains("discussion"), "{shown}");
    let only = "issue.view 2 --comments --fields number,discussion -R acme/rocket";
    assert_eq!(agent.line(only).stdout, format!("number: 2\n{rows}"));
}

#[test]
fn agents_get_text_and_programs_get_json() {
    let github = Github::demo();
    let text = "2 of 12 open issues labelled \"bug\", last opened first: number 48, 45\nmore: --after Y3Vyc29yOnYyOjE=\n";
    let args = [&LIST[..], &["-R", "acme/rocket"]].concat();
    let asked = Place::new()
        .online(&github)
        .run(&[&args[..], &["--format", "view"]].concat());
    assert_eq!(asked.stdout, text);
    let agent = Place::new().online(&github).env("CLAUDECODE", "1");
    assert_eq!(agent.run(&args).stdout, text);
    assert_eq!(
        agent.run(&[&args[..], &["--json"]].concat()).json()["ok"],
        true
    );
    let toon = agent.run(&[&args[..], &["--format=toon"]].concat());
    assert!(toon.stdout.starts_with("ok: true"), "{toon:?}");
}

#[test]
fn several_lines_come_as_words_or_on_standard_input() {
    let github = Github::demo();
    let place = Place::new().online(&github).env("CLAUDECODE", "1");
    let lines = [
        "issue.close 1 -R acme/rocket --comment 'It is $5, \"really\".'",
        "issue.view 1 --fields state,comments -R acme/rocket",
    ];
    let given = place.run(&["run", "-", lines[0], lines[1]]);
    assert_eq!(given.code, 0, "{given:?}");
    let text = "[0] #1 closed (completed), commented\n[1] state: closed\ncomments: 4\n";
    assert_eq!(given.stdout, text);
    let piped = place.run_with(&["run", "-"], lines[1..].join("\n").as_bytes());
    assert_eq!(piped.stdout, "state: closed\ncomments: 4\n");
}

#[test]
fn a_wrong_line_is_answered_with_its_form_and_nothing_is_run() {
    let github = Github::demo();
    let place = Place::new().online(&github).env("CLAUDECODE", "1");
    let ran = place.run(&[
        "run",
        "-",
        "issue.close 1 -R acme/rocket",
        "issue.close -R acme/rocket",
        "issue.veiw 1",
    ]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stdout.starts_with("nothing was run\n"), "{ran:?}");
    assert!(
        ran.stdout
            .contains("[1] `NUMBER` is missing. Right: issue.close NUMBER"),
        "{ran:?}"
    );
    assert!(
        ran.stdout
            .contains("[2] there is no `issue.veiw`. Did you mean:\n  issue.view NUMBER"),
        "{ran:?}"
    );
    assert!(github.sim.requests().is_empty());
    for (line, said) in [
        ("rnu", "did you mean `run`?"),
        ("issue.list --format xml", "expected view, json or toon"),
        ("zzzz", "there is no `zzzz`"),
    ] {
        let ran = place.line(line);
        assert_eq!(ran.code, 2, "{line}: {ran:?}");
        assert!(ran.all().contains(said), "{line}: {ran:?}");
    }
}

#[test]
fn a_dry_run_shows_the_requests() {
    let ran = Place::new().run(&["--demo", "issue.close", "1", "--comment", "x", "--dry-run"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let tasks: Vec<_> = ran.json()["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["task"].clone())
        .collect();
    assert_eq!(tasks, ["issue.comments.create", "issue.close"]);
}

/// What stands beside the lines holds for all of them, or is refused: nothing is lost.
#[test]
fn flags_beside_several_lines_hold_for_all_of_them() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let line = "issue.view 1 --fields number,state";
    let ran = place.run(&["run", "-", "--format", "view", "-R", "acme/rocket", line]);
    assert_eq!(ran.stdout, "number: 1\nstate: open\n", "{ran:?}");
    let ran = place.run(&[
        "run",
        "-",
        "issue.close 1",
        "-R",
        "acme/rocket",
        "--dry-run",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()["steps"][0]["task"], "issue.close", "{ran:?}");
    let ran = place.run(&["run", "-", "--repo=acme/rocket", line]);
    assert_eq!(ran.json()["data"]["state"], "open", "{ran:?}");
    let toon = place.run(&["run", "-", "--format=toon", "--repo=acme/rocket", line]);
    assert!(toon.stdout.starts_with("ok: true"), "{toon:?}");
    let sent = github.sim.requests().len();
    for flags in [
        &["--fields", "number"][..],
        &["--full"],
        &["--trace"],
        &["--cost"],
        &["--route", "rest"],
        &["--timeout-ms", "5"],
        &["--input", "{}"],
    ] {
        let ran = place.run(&[&["run", "-", "issue.close 1 -R acme/rocket"], flags].concat());
        assert_eq!(ran.code, 2, "{flags:?}: {ran:?}");
        let said = format!("`{}` cannot be used with `run -`", flags[0]);
        assert!(ran.stderr.contains(&said), "{ran:?}");
    }
    assert_eq!(github.sim.requests().len(), sent);
}

#[test]
fn the_text_for_agents_can_be_asked_for_everywhere() {
    let place = Place::new();
    let ran =
        place.line("--demo run issue.view issue_number=1 --fields number,state --format view");
    assert_eq!(ran.stdout, "number: 1\nstate: open\n", "{ran:?}");
    let steps = r#"[{"task": "issue.close", "input": {"issue_number": 1}}, {"task": "issue.view", "input": {"issue_number": 1}, "options": {"fields": ["state"]}}]"#;
    let ran = place.run_with(&["--demo", "chain", "-", "--format=view"], steps.as_bytes());
    assert_eq!(
        ran.stdout, "[0] #1 closed (completed)\n[1] state: closed\n",
        "{ran:?}"
    );
}

#[test]
fn agents_find_forms() {
    let place = Place::new().env("CLAUDECODE", "1");
    let found = place.run(&["search", "merge a pull request"]);
    let lines: Vec<_> = found.stdout.lines().collect();
    // At most five, and none that is far from the best.
    assert_eq!(lines.len(), 4, "{found:?}");
    let misfit = place.run(&["search", "bake a chocolate cake"]);
    let said = "nothing fits `bake a chocolate cake`; nearest are pr.create, pr.checks.list\n";
    assert_eq!(misfit.stdout, said);
    let generated = place.run(&["search", "create a gist"]);
    assert!(
        generated.stdout.starts_with("gist.create "),
        "{generated:?}"
    );
    assert!(
        lines[0].starts_with("pr.merge NUMBER ") && lines[0].ends_with(" — Merge a pull request"),
        "{found:?}"
    );
    let json = place.run(&["search", "merge a pull request", "--json"]);
    assert_eq!(json.json().as_array().unwrap().len(), 10);
    let nothing = place.run(&["search", "qqqqq"]);
    assert!(
        nothing.stdout.starts_with("nothing fits `qqqqq`"),
        "{nothing:?}"
    );
}

#[test]
fn me_is_the_own_login() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let mine = place.run(&[
        "issue.list",
        "--assignee",
        "@me",
        "-R",
        "acme/rocket",
        "--fields",
        "number",
    ]);
    let named = place.run(&[
        "issue.list",
        "--assignee",
        "maya-chen",
        "-R",
        "acme/rocket",
        "--fields",
        "number",
    ]);
    assert_eq!(mine.json()["data"], named.json()["data"]);
    assert!(!mine.json()["data"]["issues"].as_array().unwrap().is_empty());
}

/// Nothing is listening there: a dry run that asked for the login would wait, and show another value.
#[test]
fn a_dry_run_does_not_ask_for_the_own_login() {
    let place = Place::new();
    let plan = place.run(&[
        "issue.list",
        "--assignee",
        "@me",
        "-R",
        "acme/rocket",
        "--dry-run",
    ]);
    assert!(plan.stdout.contains(r#""assignee":"@me""#), "{plan:?}");
    let github = Github::demo();
    let place = Place::new().online(&github);
    let plan = place.run(&[
        "issue.list",
        "--assignee",
        "@me",
        "-R",
        "acme/rocket",
        "--dry-run",
    ]);
    assert!(plan.stdout.contains(r#""assignee":"@me""#), "{plan:?}");
    assert_eq!(github.sim.requests().len(), 0);
}

/// The shell has replaced its variables: what is left is meant as it is.
#[test]
fn a_dollar_that_the_shell_left_is_sent_as_it_is() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for body in [
        "$HOME.path costs $5",
        "$HOME.path",
        "$$x.y",
        "$0.data.title",
    ] {
        let ran = place.run(&["issue.comment", "1", "-R", "acme/rocket", "--body", body]);
        assert_eq!(ran.code, 0, "{body}: {ran:?}");
    }
    let listed = place.line("run issue.comments.list -R acme/rocket issue_number=1 first=100");
    let bodies: Vec<_> = listed.json()["data"]["comments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["body"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        bodies.ends_with(
            &[
                "$HOME.path costs $5",
                "$HOME.path",
                "$$x.y",
                "$0.data.title"
            ]
            .map(str::to_owned)
        ),
        "{bodies:?}"
    );
}

#[test]
fn rows_are_sorted_and_used_by_later_lines() {
    let place = Place::new().env("CLAUDECODE", "1");
    let closed =
        place.line("--demo pr.list --state closed --sort closed --limit 2 --fields number");
    let text = "2 of 4 closed or merged pull requests, by closed_at desc: number 23, 18\n";
    assert_eq!(closed.stdout, text);
    let lines = [
        "x: issue.list --label bug --sort number --order asc --limit 2",
        "issue.comment --each x --body hi",
        "list_issues --labels bug --labels gnc",
    ];
    let planned = place.run(&[&["--demo", "run", "-", "--dry-run"], &lines[..2]].concat());
    assert_eq!(planned.code, 0, "{planned:?}");
    let ran = place.run(&[&["--demo", "run", "-"], &lines[..2]].concat());
    assert!(
        ran.stdout.contains("issues/1#issuecomment")
            && ran.stdout.contains("issues/3#issuecomment"),
        "{ran:?}"
    );
    // The tool of this name means any of several labels.
    let refused = place.run(&[&["--demo", "run", "-"], &lines[2..]].concat());
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.stdout.contains("with several values, `labels`"),
        "{refused:?}"
    );
}
