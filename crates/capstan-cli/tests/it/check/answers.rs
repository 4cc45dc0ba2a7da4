//! What the exit code says, what is counted, and what is left out.

use crate::cli::harness::Place;

const SOUND: &str = "id: look\nlevel: 2\ncomposes: [issue.view]\n";
const WARNED: &str = "id: look\nlevel: 2\ncomposes: [old]\n---\nid: old\nlevel: 1\ncard: issue.view\ndeprecated: {since: 1.0.0}\n";
const HINTED: &str =
    "id: look\nlevel: 2\ncomposes: [issue.view, issue.list]\nexecution: [{step: issue.view}]\n";
const WRONG: &str = "id: look\nlevel: 2\ncomposes: [issue.veiw]\n";

#[test]
fn only_errors_fail_unless_warnings_are_denied() {
    let place = Place::new();
    for (name, text) in [
        ("sound", SOUND),
        ("warned", WARNED),
        ("hinted", HINTED),
        ("wrong", WRONG),
    ] {
        place.write(&format!("{name}.yaml"), text);
    }
    for (line, code, summary) in [
        ("check sound.yaml", 0, "1 skill is sound"),
        ("check sound.yaml --deny-warnings", 0, "1 skill is sound"),
        ("check warned.yaml", 0, "1 warning in 2 skills (1 file)"),
        (
            "check warned.yaml --deny-warnings",
            1,
            "1 warning in 2 skills (1 file)",
        ),
        (
            "check hinted.yaml --deny-warnings",
            0,
            "1 hint in 1 skill (1 file)",
        ),
        ("check hinted.yaml --no-hints", 0, "1 skill is sound"),
        ("check hinted.yaml --quiet", 0, "1 skill is sound"),
        ("check wrong.yaml", 1, "1 error in 1 skill (1 file)"),
        (
            "check wrong.yaml --no-hints",
            1,
            "1 error in 1 skill (1 file)",
        ),
    ] {
        let ran = place.line(line);
        assert_eq!(ran.code, code, "{line}: {ran:?}");
        assert_eq!(ran.stderr.trim_end(), summary, "{line}");
    }
    let denied = place.line("--json check warned.yaml --deny-warnings");
    assert_eq!((denied.code, &denied.json()["ok"]), (1, &false.into()));
    let hidden = place.line("--json check hinted.yaml --no-hints").json();
    assert_eq!(hidden["diagnostics"], serde_json::json!([]));
}

#[test]
fn a_terminal_is_not_flooded() {
    let place = Place::new();
    let mut text = String::new();
    for number in 0..1000 {
        text.push_str(&format!("id: look-{number}\nlevel: 2\ncomposes: [issue.view, issue.list]\nexecution: [{{step: issue.view}}]\n---\n"));
    }
    text.push_str(WRONG);
    place.write("many.yaml", text);
    let (code, screen) = place.screen_at(80, &["check", "many.yaml"]);
    assert_eq!(code, 1);
    assert_eq!(screen.matches("╭─[many.yaml:").count(), 100);
    // What matters most is among them.
    assert!(screen.contains("Skill 'issue.veiw' not found"), "{screen}");
    let end: Vec<_> = screen.trim_end().lines().rev().take(4).collect();
    assert_eq!(end[3], "… and 901 more (use --format short)");
    assert_eq!(end[0], "1 error, 1000 hints in 1001 skills (1 file)");
    let short = place.line("check many.yaml");
    assert_eq!(short.stdout.lines().count(), 1001);
}

#[test]
fn secrets_are_not_shown() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    let place = Place::new().env("GITHUB_TOKEN", secret);
    // In a message, and in a line that is cut in the middle of it.
    let text = format!(
        "id: look\nlevel: 2\ncomposes: [{secret}]\nexecution: [{{step: \"{}{secret}{secret}\"}}]\n",
        "x".repeat(60)
    );
    place.write("skills.yaml", text);
    for format in ["full", "short", "json"] {
        for columns in [60, 80, 100, 120] {
            let (_, screen) =
                place.screen_at(columns, &["check", "skills.yaml", "--format", format]);
            let joined: String = screen.chars().filter(|c| c.is_alphanumeric()).collect();
            assert!(!joined.contains("0123456789abc"), "{screen}");
            assert!(!screen.contains("ghp_01"), "{screen}");
        }
    }
}

#[test]
fn nothing_in_a_file_steers_a_terminal() {
    let place = Place::new();
    let text = "id: look\nlevel: 2\ncomposes: [\"a\u{9b}2J\u{202e}b\"]\n# \u{9b}31m\n";
    place.write("skills.yaml", text);
    for format in ["full", "short", "json"] {
        let (_, text) = place.raw_terminal(&["check", "skills.yaml", "--format", format]);
        assert!(!text.contains(['\u{9b}', '\u{202e}']), "{text:?}");
    }
}
