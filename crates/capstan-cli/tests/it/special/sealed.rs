//! Secrets: libsodium reads what was sent, and nothing else has the plain value.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use capstan_catalog::Catalog;
use capstan_core::Route;
use capstan_core::card::is_secret;
use capstan_test_support::Oracle;
use github_sim::world::SECRETS_PRIVATE_KEY;
use github_sim::{Fault, FaultKind, Sim};
use serde_json::{Map, Value, json};

use crate::cli::harness::{Github, Place, Ran};
use crate::support::Bench;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/special/open_box.py");

/// A value that looks like no token, and has characters that need escapes in JSON.
const SECRET: &str = "grün \"quoted\" 0815 opensesame";
/// A part of it that looks the same in every notation.
const PIECE: &str = "0815 opensesame";

/// Returns the path of the last secret that was sent, and its value as libsodium reads it.
fn opened(sim: &Sim) -> Option<(String, String)> {
    let sent = sim.world(|world| world.memory.sealed_secrets.last().cloned())?;
    let question = json!({
        "private_key": STANDARD.encode(SECRETS_PRIVATE_KEY),
        "box": sent.encrypted_value,
    });
    Some((sent.path, Oracle::start(SCRIPT).ask(&question)))
}

fn count(sim: &Sim) -> usize {
    sim.world(|world| world.memory.sealed_secrets.len())
}

#[tokio::test]
async fn every_card_with_a_secret_seals_it_on_every_route() {
    let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    let mut cards = 0;
    for summary in catalog.generated() {
        let card = catalog.get(summary.id).unwrap();
        let rest = card.rest.as_ref();
        let Some(sealed) = rest.and_then(|rest| rest.seal.values().next()) else {
            continue;
        };
        cards += 1;
        let properties = &card.input_schema["properties"];
        assert!(is_secret(&properties[&sealed.input]), "{}", summary.id);
        for route in [Route::Rest, Route::Cli] {
            let bench = Bench::demo().await;
            let required = card.input_schema["required"].as_array().unwrap();
            let mut input: Map<String, Value> = required
                .iter()
                .map(|name| {
                    let name = name.as_str().unwrap();
                    (name.to_owned(), value_of(name, &properties[name]))
                })
                .collect();
            input.insert(sealed.input.clone(), json!(SECRET));
            let envelope = bench.run_on(route, summary.id, &Value::Object(input)).await;
            assert!(envelope.ok, "{} on {route}: {envelope:?}", summary.id);
            let (path, value) = opened(&bench.sim).unwrap();
            assert_eq!(value, SECRET, "{path}");
            assert!(!format!("{envelope:?}").contains(PIECE));
        }
    }
    assert_eq!(cards, 12);
}

fn value_of(name: &str, schema: &Value) -> Value {
    match name {
        "owner" | "org" => json!("acme"),
        "repo" => json!("rocket"),
        _ => schema["enum"]
            .get(0)
            .cloned()
            .unwrap_or_else(|| json!("production")),
    }
}

fn place(github: &Github) -> Place {
    Place::new()
        .with_gh()
        .online(github)
        .env("GH_CONFIG_DIR", github.gh_config.path())
        .env("CAPSTAN_LOG", "trace")
}

/// Asserts that neither the output nor any file has the plain value.
#[track_caller]
fn assert_clean(place: &Place, ran: &Ran, what: &str) {
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains(PIECE), "{what}: {text}");
    }
    assert_no_file_has(place.path(), what);
}

#[track_caller]
fn assert_no_file_has(folder: &Path, what: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            assert_no_file_has(&path, what);
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let has = |piece: &[u8]| bytes.windows(piece.len()).any(|window| window == piece);
        assert!(!has(PIECE.as_bytes()), "{what}: {}", path.display());
    }
}

fn value() -> String {
    format!("value={SECRET}")
}

#[test]
fn the_plain_value_is_nowhere_but_in_the_box() {
    let github = Github::demo();
    let place = place(&github);
    let run = [
        "run",
        "workflow.secrets.set",
        "-R",
        "acme/rocket",
        "secret_name=TOKEN",
        &value(),
    ];
    let with = |more: &[&'static str]| -> Vec<&str> {
        run.iter().copied().chain(more.iter().copied()).collect()
    };
    for (args, sent) in [
        (with(&["--trace"]), true),
        (with(&["--route", "cli", "--trace"]), true),
        (with(&["--json"]), true),
        (with(&["--dry-run"]), false),
        (with(&["--route", "cli", "--dry-run"]), false),
        (with(&["--read-only"]), false),
        (with(&["nope=1"]), false),
        (with(&["secret_name="]), false),
    ] {
        let before = count(&github.sim);
        let ran = place.run(&args);
        let what = args.join(" ").replace(SECRET, "…");
        assert_clean(&place, &ran, &what);
        assert_eq!(
            count(&github.sim),
            before + usize::from(sent),
            "{what}: {ran:?}"
        );
    }
    let path = "/repos/acme/rocket/actions/secrets/TOKEN".to_owned();
    assert_eq!(opened(&github.sim), Some((path, SECRET.to_owned())));
    let shown = place.line("trace list --json");
    assert_clean(&place, &shown, "traces");
    assert!(shown.stdout.contains("workflow.secrets.set"), "{shown:?}");
}

#[test]
fn nothing_of_it_is_in_errors() {
    let github = Github::demo();
    let place = place(&github);
    for fault in [
        FaultKind::HangAfter,
        FaultKind::ResetAfter,
        FaultKind::Status401,
        FaultKind::Status500,
        FaultKind::Status502Html,
        FaultKind::Truncated,
        FaultKind::NotJson,
    ] {
        github.sim.clear_faults();
        github.sim.inject(Fault::always(fault.clone()));
        let value = value();
        let args =
            "run workflow.secrets.set -R acme/rocket secret_name=TOKEN --trace --timeout-ms 1500";
        let args: Vec<_> = args.split(' ').chain([value.as_str()]).collect();
        let ran = place.run(&args);
        assert_ne!(ran.code, 0, "{fault:?}: {ran:?}");
        assert_clean(&place, &ran, &format!("{fault:?}"));
    }
}

#[test]
fn chains_lines_and_skills_keep_it_secret_too() {
    let github = Github::demo();
    let place = place(&github);
    let line = format!("workflow.secrets.set TOKEN --value {}", json!(SECRET));
    let step = json!({
        "task": "workflow.secrets.set",
        "input": {"owner": "acme", "repo": "rocket", "secret_name": "TOKEN", "value": SECRET},
    });
    let view = json!({"task": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}});
    for (what, args, stdin) in [
        ("chain", vec!["chain", "-"], json!([view, step]).to_string()),
        (
            "planned",
            vec!["chain", "-", "--dry-run"],
            json!([view, step]).to_string(),
        ),
        (
            "lines",
            vec!["run", "-", "-R", "acme/rocket"],
            format!("issue.view 1\n{line}\n"),
        ),
        (
            "wrong line",
            vec!["run", "-", "-R", "acme/rocket"],
            format!("{line} --nope 1\n"),
        ),
    ] {
        let ran = place.run_with(&args, stdin.as_bytes());
        assert_clean(&place, &ran, what);
    }
    assert_eq!(
        count(&github.sim),
        2,
        "the chain and the lines, and nothing else"
    );
    place.write("skills/rotate.yaml", SKILL);
    let word = format!("word={SECRET}");
    let args = "--skills skills skill run rotate -R acme/rocket owner=acme repo=rocket --trace";
    let args: Vec<_> = args.split(' ').chain([word.as_str()]).collect();
    let ran = place.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    std::fs::remove_dir_all(place.here().join("skills")).unwrap();
    assert_clean(&place, &ran, "skill");
    assert_eq!(count(&github.sim), 4);
    assert_eq!(opened(&github.sim).unwrap().1, SECRET);
}

/// A skill with a secret input that goes to two places.
const SKILL: &str = r#"
id: rotate
version: 1.0.0
level: 2
description: Set the same secret for workflows and for Dependabot.
composes:
  - skill: workflow.secrets.set
    as: actions
  - skill: dependabot.secrets.set
    as: dependabot
input_schema:
  type: object
  properties:
    owner: { type: string }
    repo: { type: string }
    word: { type: string, writeOnly: true }
  required: [owner, repo, word]
execution:
  - step: actions
    inputs: { owner: $input.owner, repo: $input.repo, secret_name: TOKEN, value: $input.word }
  - step: dependabot
    inputs: { owner: $input.owner, repo: $input.repo, secret_name: TOKEN, value: $input.word }
"#;
