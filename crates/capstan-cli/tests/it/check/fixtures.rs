//! Every fixture of the checker, as the command shows it: to a person, in a pipe, and as JSON.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::harness::Place;
use crate::support::workspace;

/// A terminal that everybody has.
const COLUMNS: u16 = 80;

/// The fixtures, in a place of their own. A day that will come becomes one that nobody will see.
fn place() -> (Place, Vec<String>) {
    let place = Place::new();
    let mut names = Vec::new();
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        place.write(&name, text.replace("2027-06-30", "2999-06-30"));
        names.push(name);
    }
    (place, names)
}

fn files() -> Vec<PathBuf> {
    let folder = workspace().join("crates/capstan-skill/tests/it/fixtures");
    let files = std::fs::read_dir(folder).unwrap();
    let is_yaml = |file: &PathBuf| file.extension() == Some("yaml".as_ref());
    let mut files: Vec<_> = files
        .map(|file| file.unwrap().path())
        .filter(is_yaml)
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn title(name: &str) -> String {
    let name = Path::new(name).file_stem().unwrap().to_string_lossy();
    format!("## {name}\n")
}

#[test]
fn on_a_terminal() {
    let (place, names) = place();
    let mut all = String::new();
    for name in &names {
        let (code, screen) = place.screen_at(COLUMNS, &["check", name]);
        for line in screen.lines() {
            assert!(
                line.chars().count() <= usize::from(COLUMNS),
                "{name}: {line}"
            );
        }
        all.push_str(&format!("{}{screen}exit {code}\n\n", title(name)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn in_a_pipe() {
    let (place, names) = place();
    let mut all = String::new();
    for name in &names {
        let ran = place.run(&["check", name]);
        all.push_str(&format!("{}{}", title(name), ran.all()));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn as_json() {
    let (place, names) = place();
    let mut all = String::new();
    for name in &names {
        let ran = place.run(&["check", "--json", name]);
        assert_eq!(ran.stderr, "");
        let answer = ran.json();
        let of = |severity: &str| {
            let found = answer["diagnostics"].as_array().unwrap().iter();
            Value::from(found.filter(|it| it["severity"] == severity).count())
        };
        assert_eq!(answer["errors"], of("error"), "{name}");
        assert_eq!(answer["warnings"], of("warning"), "{name}");
        assert_eq!(answer["hints"], of("hint"), "{name}");
        assert_eq!(answer["ok"], ran.code == 0, "{name}");
        let mut answer = answer;
        let found = answer["diagnostics"].take();
        all.push_str(&format!("{}{answer}\n", title(name)));
        for it in found.as_array().unwrap() {
            all.push_str(&format!("{it}\n"));
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_format_can_be_chosen() {
    let (place, _) = place();
    let name = "E021-type.yaml";
    let (_, screen) = place.screen_at(COLUMNS, &["check", name]);
    let full = place.run(&["check", "--format", "full", name]);
    assert_eq!(full.stdout, screen);
    let short = place.run(&["check", name]).stdout;
    let (_, screen) = place.screen_at(200, &["check", "--format", "short", name]);
    assert!(screen.starts_with(&short), "{screen}");
    let json = place.run(&["check", "--format", "json", name]);
    assert_eq!(json.stdout, place.run(&["--json", "check", name]).stdout);
    assert_eq!(place.run(&["check", "--format", "long", name]).code, 2);
}
