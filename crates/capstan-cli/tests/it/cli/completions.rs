//! Completions for the shells.

use std::path::Path;
use std::process::Stdio;

use super::harness::{Place, program};

#[test]
fn every_shell_learns_the_commands_and_the_ids() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = place.run(&["completions", shell]);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{shell}");
        assert!(ran.stdout.contains("doctor"), "{shell}");
        // The others complete names of commands and options only.
        if ["bash", "zsh"].contains(&shell) {
            assert!(ran.stdout.contains("issue.view"), "{shell}");
            assert!(ran.stdout.contains("workflow.runs.list"), "{shell}");
            assert!(ran.stdout.contains("gist.update"), "{shell}");
        }
    }
}

#[test]
fn bash_can_read_its_completions() {
    let Some(bash) = program("bash") else { return };
    let place = Place::new();
    let script = place.run(&["completions", "bash"]).stdout;
    let file = place.write("completions.bash", script);
    for (begun, id) in [
        ("issue.v", "issue.view"),
        // A generated card.
        ("gist.comments.up", "gist.comments.update"),
    ] {
        completes(&place, &bash, &file, begun, id);
    }
}

fn completes(place: &Place, bash: &Path, file: &Path, begun: &str, id: &str) {
    let question = format!(
        "source {} && COMP_WORDS=(capstan run {begun}) COMP_CWORD=2 && \
         _capstan capstan {begun} run && echo \"${{COMPREPLY[@]}}\"",
        file.display()
    );
    let output = place
        .command(bash.to_str().unwrap())
        .args(["--norc", "-c", &question])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answer.trim(), id, "{:?}", output.stderr);
}

#[test]
fn an_unknown_shell_is_refused_with_the_known_ones() {
    let ran = Place::new().run(&["completions", "tcsh"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("bash"), "{}", ran.stderr);
}

#[test]
fn own_actions_kinds_and_visibilities_are_completed() {
    let script = Place::new().run(&["completions", "bash"]).stdout;
    for word in [
        "cap.rename",
        "trace.show",
        "private project org public",
        "card tool code skill system",
    ] {
        assert!(script.contains(word), "{word}");
    }
}
