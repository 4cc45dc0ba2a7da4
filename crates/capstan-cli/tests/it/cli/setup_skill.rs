//! `capstan setup --skill`: what the skill says, where it is written, and that what it says is true.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tiktoken_rs::o200k_base_singleton;

use super::harness::{CAPSTAN, Place, Ran, program};

/// What an agent may pay for the skill.
const BUDGET: usize = 150;

/// Each client with the file for all projects and the file for one; the usual one first.
const CLIENTS: [(&str, [&str; 2]); 9] = [
    (
        "claude",
        [
            "here/.claude/skills/capstan/SKILL.md",
            "home/.claude/skills/capstan/SKILL.md",
        ],
    ),
    (
        "cursor",
        [
            "here/.cursor/skills/capstan/SKILL.md",
            "home/.cursor/skills/capstan/SKILL.md",
        ],
    ),
    (
        "vscode",
        [
            "here/.github/skills/capstan/SKILL.md",
            "home/.copilot/skills/capstan/SKILL.md",
        ],
    ),
    (
        "codex",
        [
            "home/.agents/skills/capstan/SKILL.md",
            "here/.agents/skills/capstan/SKILL.md",
        ],
    ),
    (
        "gemini",
        [
            "home/.gemini/skills/capstan/SKILL.md",
            "here/.gemini/skills/capstan/SKILL.md",
        ],
    ),
    (
        "windsurf",
        [
            "home/.codeium/windsurf/skills/capstan/SKILL.md",
            "here/.windsurf/skills/capstan/SKILL.md",
        ],
    ),
    (
        "zed",
        [
            "home/.agents/skills/capstan/SKILL.md",
            "here/.agents/skills/capstan/SKILL.md",
        ],
    ),
    (
        "opencode",
        [
            "home/.config/opencode/skills/capstan/SKILL.md",
            "here/.opencode/skills/capstan/SKILL.md",
        ],
    ),
    (
        "copilot",
        [
            "home/.copilot/skills/capstan/SKILL.md",
            "here/.github/skills/capstan/SKILL.md",
        ],
    ),
];

/// The clients whose skill has to ask for the text that agents read.
const WITH_VIEW_FLAG: [&str; 3] = ["codex", "windsurf", "zed"];

/// Installs the skill of a client and returns its text.
fn installed(place: &Place, client: &str, flags: &str) -> String {
    let ran = place.line(&format!("--json setup --skill {client} --write {flags}"));
    assert_eq!(ran.code, 0, "{client}: {ran:?}");
    let file = ran.json()["file"].as_str().unwrap().to_owned();
    fs::read_to_string(file).unwrap()
}

/// The commands that a skill shows.
fn commands(skill: &str) -> &str {
    let (_, rest) = skill.split_once("```sh\n").unwrap();
    rest.split_once("```").unwrap().0
}

fn run_in_shell(place: &Place, script: &str) -> Ran {
    let bash = program("bash").expect("bash is installed");
    let output = place
        .command(bash.to_str().unwrap())
        .args(["--norc", "-euc", script])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn what_is_printed() {
    let place = Place::new();
    let lines = [
        "setup --skill claude",
        "setup --skill codex --scope project --dry-run",
        "setup --skill claude --write --demo --read-only --config other.toml --path skills/ours.md",
        "setup --skill claude-desktop",
    ];
    let said: String = lines
        .into_iter()
        .map(|line| {
            let ran = place.line(line);
            format!("$ capstan {line}\n{}", place.anonymous(&ran.all()))
        })
        .collect();
    insta::assert_snapshot!(said);
}

#[test]
fn every_client_gets_it_in_its_place_and_a_second_time_changes_nothing() {
    for (client, files) in CLIENTS {
        let place = Place::new();
        let scope_of = |file: &str| {
            if file.starts_with("here/") {
                "project"
            } else {
                "user"
            }
        };
        let lines = [
            (format!("setup --skill {client}"), files[0]),
            (
                format!("setup {client} --skill --scope {}", scope_of(files[1])),
                files[1],
            ),
        ];
        for (line, file) in lines {
            let path = place.path().join(file);
            for (flag, said) in [
                ("", "Add this to "),
                ("--dry-run", "would be created"),
                ("--write", "created"),
                ("--write", "is set up already"),
                ("--dry-run", "is set up already"),
            ] {
                let ran = place.line(&format!("{line} {flag}"));
                assert_eq!(ran.code, 0, "{line} {flag}: {ran:?}");
                assert!(ran.stdout.contains(said), "{line} {flag}: {ran:?}");
                assert!(
                    ran.stdout.contains(path.to_str().unwrap()),
                    "{line}: {ran:?}"
                );
                let is_written = flag == "--write" || said.contains("already");
                assert_eq!(path.exists(), is_written, "{line} {flag}");
            }
            assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        }
    }
}

#[test]
fn the_homes_of_clients_can_be_elsewhere() {
    for (client, variable) in [
        ("claude", "CLAUDE_CONFIG_DIR"),
        ("copilot", "COPILOT_HOME"),
        ("opencode", "XDG_CONFIG_HOME"),
    ] {
        let place = Place::new();
        let home = place.path().join("elsewhere");
        let place = place.env(variable, &home);
        installed(&place, client, "--scope user");
        let below = if client == "opencode" { "opencode" } else { "" };
        let file = home.join(below).join("skills/capstan/SKILL.md");
        assert!(file.exists(), "{client}");
    }
}

#[test]
fn the_whole_file_keeps_its_budget() {
    for (client, _) in CLIENTS {
        let skill = installed(&Place::new(), client, "");
        let cost = o200k_base_singleton().encode_ordinary(&skill).len();
        assert!(cost <= BUDGET, "{client}: {cost} tokens\n{skill}");
        let has_flag = skill.contains("--format view");
        assert_eq!(has_flag, WITH_VIEW_FLAG.contains(&client), "{skill}");
    }
}

/// What the Agent Skills specification asks for.
#[test]
fn the_front_matter_is_valid() {
    for (client, files) in CLIENTS {
        let skill = installed(&Place::new(), client, "");
        let (_, rest) = skill.split_once("---\n").unwrap();
        let (front, _) = rest.split_once("\n---\n").unwrap();
        let front: Value = serde_saphyr::from_str(front).unwrap();
        let name = front["name"].as_str().unwrap();
        let folder = Path::new(files[0]).parent().unwrap().file_name().unwrap();
        assert_eq!(folder, name);
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(name.len() <= 64 && name.chars().all(is_allowed), "{name}");
        let description = front["description"].as_str().unwrap();
        assert!((1..=1024).contains(&description.len()), "{description}");
        let metadata = front["metadata"].as_object().unwrap();
        assert!(metadata.values().all(Value::is_string), "{metadata:?}");
    }
}

/// Where the shell says that an agent started it, and where it does not.
#[test]
fn the_commands_work_as_shown_and_print_what_agents_read() {
    for (client, _) in CLIENTS {
        let mut place = Place::new();
        if !WITH_VIEW_FLAG.contains(&client) {
            place = place.env("AI_AGENT", client);
        }
        let skill = installed(&place, client, "--demo --absolute");
        let ran = run_in_shell(&place, commands(&skill));
        assert_eq!(ran.code, 0, "{client}: {ran:?}");
        let shown = "\
1 of 12 open issues labelled \"bug\", last opened first: number | title
48 | Tank pressure sensor reads 0.0 after brown-out
more: --after Y3Vyc29yOnYyOjA=
[0 x] 1 of 11 closed issues, by closed_at desc: number | title
42 | Which parachute model do we simulate?
[1] #42 open (reopened)
";
        assert!(ran.stdout.starts_with(shown), "{client}: {ran:?}");
        let found = &ran.stdout[shown.len()..];
        assert!(found.contains("pr.threads.list"), "{client}: {found}");
    }
}

#[test]
fn a_wrong_line_prints_its_form_and_nothing_runs() {
    let place = Place::new();
    let skill = installed(&place, "zed", "--demo --absolute");
    let wrong = commands(&skill).replace("--each x", "");
    let ran = run_in_shell(&place, &wrong);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stdout
            .contains("nothing was run\n[1] `NUMBER` is missing. Right: issue.reopen NUMBER"),
        "{ran:?}"
    );
}

/// What the user said for setup holds for the agent too, whatever is in a path.
#[test]
fn global_flags_and_the_binary_are_in_every_command() {
    let place = Place::new();
    place.write("my cards/readme.md", "no cards yet");
    place.write("it's.toml", "");
    let flags = "--demo --cards 'my cards' --config 'it'\\''s.toml' --read-only";
    let ran = place.run(&[
        "setup",
        "--skill",
        "claude",
        "--absolute",
        "--demo",
        "--cards",
        "my cards",
        "--config",
        "it's.toml",
        "--read-only",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let start = format!("{CAPSTAN} {flags} ");
    let shown = commands(&ran.stdout);
    assert_eq!(shown.matches(CAPSTAN).count(), 3, "{shown}");
    assert_eq!(shown.matches(&start).count(), 3, "{shown}");
    let place = place.env("CLAUDECODE", "1");
    let refused = run_in_shell(&place, shown);
    assert_ne!(refused.code, 0, "{refused:?}");
    let said = "issue.reopen is not allowed here: it writes, and only reads are allowed";
    assert!(refused.stdout.contains(said), "{refused:?}");
}

#[test]
fn a_skill_of_ours_is_replaced_and_one_of_somebody_else_is_not() {
    let place = Place::new();
    let file = place.here().join(".claude/skills/capstan/SKILL.md");
    let skill = installed(&place, "claude", "");
    for ours in [
        skill.replace("Guess first", "Ask first"),
        skill.replace('\n', "\r\n"),
        format!("\u{feff}{skill}"),
        String::new(),
    ] {
        fs::write(&file, &ours).unwrap();
        let shown = place.line("setup --skill claude --dry-run");
        assert!(shown.stdout.contains("would change"), "{shown:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), ours);
        let ran = place.line("setup --skill claude --write");
        assert!(ran.stdout.contains("changed"), "{ran:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), skill);
    }
    for foreign in [
        skill.replace("generator: capstan setup", "author: me"),
        skill.replace("name: capstan", "name: rope"),
        skill.replacen("---\n", "", 1),
        "My notes: generator: capstan setup, name: capstan\n".to_owned(),
    ] {
        fs::write(&file, &foreign).unwrap();
        for flag in ["--write", "--dry-run"] {
            let ran = place.line(&format!("setup --skill claude {flag}"));
            assert_eq!(ran.code, 2, "{ran:?}");
            for words in ["was not changed", "did not write", "`--path`"] {
                assert!(ran.stderr.contains(words), "{words}: {ran:?}");
            }
            assert_eq!(fs::read_to_string(&file).unwrap(), foreign);
        }
    }
}

#[test]
fn json_is_for_programs() {
    let place = Place::new();
    let printed = place.line("--json setup --skill gemini").json();
    assert_eq!(
        (
            &printed["client"],
            &printed["action"],
            &printed["scope"],
            &printed["note"]
        ),
        (
            &"gemini".into(),
            &"print".into(),
            &"user".into(),
            &Value::Null
        )
    );
    assert!(
        printed["content"]
            .as_str()
            .unwrap()
            .starts_with("---\nname: capstan\n")
    );
    let actions = ["--dry-run", "--write", "--write", "--dry-run"].map(|flag| {
        place
            .line(&format!("--json setup --skill gemini {flag}"))
            .json()["action"]
            .clone()
    });
    assert_eq!(
        actions,
        ["would_create", "created", "unchanged", "unchanged"]
    );
}

#[test]
fn a_client_without_skills_is_told_the_other_way() {
    let ran = Place::new().line("setup --skill claude-desktop --write");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("`capstan setup claude-desktop`"),
        "{ran:?}"
    );
}
