//! What people paste: the commands of README and the examples of every help, in order, in one shell,
//! on a machine where nothing was done before.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::{gh_program, workspace};

/// What builds Capstan, or serves until it is stopped.
const NOT_RUN: [&str; 5] = [
    "make ",
    "cargo ",
    "capstan serve",
    "capstan sim",
    "capstan mcp",
];

#[test]
fn the_commands_of_the_readme_run_in_order_in_one_shell() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let commands = commands_of_page(&readme);
    assert!(commands.len() >= 15, "{commands:?}");
    let ran = paste(&commands);
    assert!(ran.status.success(), "{}", shown(&ran));
}

/// An example with a word in capitals (`RUN`, `NAME`) stands for something of the reader's own.
#[test]
fn the_examples_of_every_help_run_in_order_in_one_shell() {
    let mut examples = Vec::new();
    let mut commands = vec![Vec::new()];
    while let Some(command) = commands.pop() {
        let help = help_of(&command);
        let section = |name: &str| {
            let lines = help.lines().skip_while(|line| *line != name).skip(1);
            let lines = lines.take_while(|line| line.starts_with("  "));
            lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
        };
        let below = section("Commands:");
        let below = below
            .iter()
            .filter_map(|line| line.split_whitespace().next());
        let mut below: Vec<_> = below
            .map(|word| [command.clone(), vec![word.to_owned()]].concat())
            .collect();
        below.reverse();
        commands.extend(below);
        examples.extend(
            section("Examples:")
                .into_iter()
                .filter(|line| is_complete(line)),
        );
    }
    assert!(examples.len() >= 30, "{examples:?}");
    let ran = paste(&examples);
    assert!(ran.status.success(), "{}", shown(&ran));
}

fn is_complete(line: &str) -> bool {
    let code = line.split(" # ").next().unwrap_or_default();
    let is_placeholder = |word: &str| {
        let word = word.trim_start_matches("--accept=");
        word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_run = !NOT_RUN.iter().any(|start| code.starts_with(start));
    is_run && !code.split_whitespace().any(is_placeholder)
}

/// The lines of `sh` blocks, and those behind a prompt in blocks that show a terminal.
fn commands_of_page(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for (at, block) in page.split("```").enumerate() {
        if at % 2 == 0 {
            continue;
        }
        let (language, lines) = block.split_once('\n').unwrap_or((block, ""));
        let lines = lines.lines().filter_map(|line| match language {
            "sh" => Some(line),
            "" => line.strip_prefix("$ "),
            _ => None,
        });
        let lines = lines.filter(|line| is_complete(line));
        commands.extend(lines.map(str::to_owned));
    }
    commands
}

/// All commands in one shell that stops at the first failure, with what was run on its error output.
fn paste(commands: &[String]) -> Output {
    let place = tempfile::tempdir().unwrap();
    let script = format!("set -ex\n{}\n", commands.join("\n"));
    for folder in ["examples", "skills", "cards"] {
        copy(&workspace().join(folder), &place.path().join(folder));
    }
    shell(&place, &script)
}

#[expect(clippy::disallowed_methods, reason = "people paste into a shell")]
fn shell(place: &TempDir, script: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_capstan")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", script])
        .current_dir(place.path())
        .env_clear()
        .env("HOME", place.path().join("home"))
        .env("PATH", format!("{}:{path}", binary.display()))
        .env("CAPSTAN_GH", gh_program())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

fn help_of(command: &[String]) -> String {
    let place = tempfile::tempdir().unwrap();
    let said = shell(&place, &format!("capstan {} --help", command.join(" ")));
    String::from_utf8(said.stdout).unwrap()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn shown(ran: &Output) -> String {
    let stdout = String::from_utf8_lossy(&ran.stdout);
    let stderr = String::from_utf8_lossy(&ran.stderr);
    let tail = |text: &str| {
        let from = text.len().saturating_sub(2000);
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at));
        text[from.unwrap_or(0)..].to_owned()
    };
    format!("{}\n--- commands\n{}", tail(&stdout), tail(&stderr))
}
