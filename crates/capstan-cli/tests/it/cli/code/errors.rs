//! What goes wrong with names, in the promised words, and what the exit code says of it.

use super::workshop::Workshop;

/// The code and the message, and the exit code.
fn refused(workshop: &Workshop, args: &[&str]) -> (i32, String, String) {
    let ran = workshop.run(args);
    let error = &ran.json()["error"];
    let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    (ran.code, text("code"), text("message"))
}

#[test]
fn the_four_messages() {
    let workshop = Workshop::new();
    let check = |args: &[&str], exit: i32, code: &str, message: &str| {
        let expected = (exit, code.to_owned(), message.to_owned());
        assert_eq!(refused(&workshop, args), expected, "{args:?}");
        // A person reads the same words, wrapped.
        let screen = workshop.screen(args);
        let words: Vec<_> = screen.split_whitespace().collect();
        let told = format!("{code}: {message}");
        assert!(words.join(" ").contains(&told), "{screen}");
    };
    let invalid = "Invalid capability name: \"no good\". Must be alphanumeric with underscores, hyphens, and colons only.";
    let taken = "Capability name 'report' already exists in scope local.default";
    let missing = "Capability not found: nothing";
    for args in [
        &["cap", "rename", "double", "no good"][..],
        &["cap", "alias", "double", "no good"],
    ] {
        check(args, 2, "VALIDATION", invalid);
    }
    for args in [
        &["cap", "rename", "double", "report"][..],
        &["cap", "alias", "double", "report"],
    ] {
        check(args, 1, "CONFLICT", taken);
    }
    for args in [
        &["cap", "show", "nothing"][..],
        &["cap", "lookup", "nothing"],
        &["cap", "rename", "nothing", "x"],
        &["cap", "alias", "nothing", "x"],
        &["cap", "share", "nothing", "org"],
        &["cap", "merge", "nothing", "double"],
        &["cap", "merge", "double", "nothing"],
        &["cap", "delete", "nothing", "--yes"],
    ] {
        check(args, 1, "NOT_FOUND", missing);
    }
    workshop.json(&["cap", "rename", "double", "twice"]);
    let warning =
        "[WARN] Deprecated: Using alias \"double\" for capability \"twice\". Update your code.";
    for args in [&["cap", "lookup", "double"][..], &["call", "double", "n=1"]] {
        let answer = workshop.json(args);
        assert_eq!(answer["meta"]["warnings"][0], warning, "{answer}");
        let screen = workshop.screen(args);
        assert!(
            screen.contains("[WARN] Deprecated: Using alias"),
            "{screen}"
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let workshop = Workshop::new();
    for (args, exit, code) in [
        (&["cap", "merge", "double", "report"][..], 2, "VALIDATION"),
        (&["cap", "merge", "double", "double"], 2, "VALIDATION"),
        (&["cap", "name", "double", "twice"], 1, "CONFLICT"),
        (&["cap", "list", "--limit", "0"], 2, "VALIDATION"),
        (&["trace", "show", "nothing"], 1, "NOT_FOUND"),
        (&["trace", "list", "--limit", "0"], 2, "VALIDATION"),
        (&["call", "report", "first=many"], 2, "VALIDATION"),
    ] {
        let (ended, said, message) = refused(&workshop, args);
        assert_eq!((ended, &*said), (exit, code), "{args:?}: {message}");
        let (on_a_terminal, _) = workshop.place.screen(&[&["--demo"], args].concat());
        assert_eq!(on_a_terminal, exit, "{args:?}");
    }
    let read_only = workshop.run(&["--read-only", "cap", "rename", "double", "twice"]);
    assert_eq!(read_only.json()["error"]["code"], "POLICY", "{read_only:?}");
    assert_eq!(read_only.code, 4);
}

#[test]
fn wrong_usage_is_said_before_anything_is_started() {
    let workshop = Workshop::empty();
    for line in [
        "cap",
        "cap fly",
        "cap show",
        "cap name one",
        "cap share x everyone",
        "cap list --named --unnamed",
        "cap list --visibility secret",
        "cap list --limit many",
        "cap export --force",
        "cap import",
        "cap import nothing.json",
        "trace",
        "trace show",
        "trace prune",
        "trace prune --keep all",
        "trace list --ok --failed",
        "list --kind wish",
        "search x --kind everything",
    ] {
        let ran = workshop.place.line(line);
        assert_eq!(ran.code, 2, "{line}: {ran:?}");
        assert!(
            ran.stdout.is_empty() && !ran.stderr.trim().is_empty(),
            "{line}"
        );
    }
    assert!(!workshop.place.path().join("home/.local").exists());
}
