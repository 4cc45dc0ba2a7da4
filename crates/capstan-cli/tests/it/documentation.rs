//! The pages under `docs/`: every `console` block is run and prints what it shows, every link
//! between pages leads somewhere, and tables are complete.

use std::path::{Path, PathBuf};
use std::process::Command;

use capstan_core::ChainRequest;
use capstan_engine::ChunkLimits;
use github_sim::FaultKind;

use crate::binary::remembered;
use crate::support::{gh_program, workspace};

/// With `UPDATE_DOCS` set, the pages are written anew instead.
#[test]
fn every_console_block_prints_what_it_shows() {
    let mut differing = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let functions = functions(&text);
        let mut fresh = text.clone();
        for block in blocks(&text) {
            let mut printed = String::new();
            for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
                printed.push_str(&format!("$ {command}\n{}", run(&functions, command)));
            }
            if printed != block {
                differing.push(format!("{}:\n{printed}", page.display()));
                fresh = fresh.replace(block, &printed);
            }
        }
        if fresh != text && update() {
            std::fs::write(&page, fresh).unwrap();
        }
    }
    assert!(
        differing.is_empty() || update(),
        "what is printed now (UPDATE_DOCS=1 writes it):\n{}",
        differing.join("\n")
    );
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let found = target.exists()
                && (heading.is_empty() || anchors(&target).iter().any(|anchor| anchor == heading));
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_page_about_the_simulator_has_every_fault() {
    let page = std::fs::read_to_string(workspace().join("docs/simulator.md")).unwrap();
    let (_, table) = page.split_once("| kind | fields |").unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut shown: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let unknown = serde_json::from_str::<FaultKind>(r#"{"kind": "none"}"#).unwrap_err();
    let unknown = unknown.to_string();
    let (_, known) = unknown.split_once("expected one of ").unwrap();
    let mut known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
    shown.sort_unstable();
    known.sort_unstable();
    assert_eq!(shown, known);
}

#[test]
fn the_page_about_chains_has_the_limits_that_hold() {
    let page = std::fs::read_to_string(workspace().join("docs/chains.md")).unwrap();
    let limits = ChunkLimits::default();
    let grouped = |number: u64| format!("{},{:03}", number / 1000, number % 1000);
    for row in [
        format!("| steps in a call | {} |", ChainRequest::MOST_STEPS),
        format!("| GraphQL reads in a request | {} |", limits.reads),
        format!("| GraphQL writes in a request | {}, ", limits.writes),
        format!(
            "| nodes that a request may ask for | {}, ",
            grouped(limits.nodes)
        ),
        format!(
            "| document and variables of a request | {} KiB |",
            limits.bytes / 1024
        ),
    ] {
        assert!(page.contains(&row), "{row}");
    }
}

fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in ["", "docs", "docs/errors"] {
        let files = std::fs::read_dir(workspace().join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        pages.extend(files.filter(|file| file.extension().is_some_and(|kind| kind == "md")));
    }
    pages.sort();
    pages
}

/// The `console` blocks of a page.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split("```console\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next())
}

/// Functions of the shell that a page defines, in blocks that start with one.
fn functions(text: &str) -> String {
    let blocks = text.split("```sh\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    let starts_with_one = |block: &&str| {
        block
            .lines()
            .next()
            .is_some_and(|line| line.ends_with("() {"))
    };
    blocks.filter(starts_with_one).collect()
}

/// What a command prints on standard output, with this build's `capstan` first on the path.
#[expect(
    clippy::disallowed_methods,
    reason = "the documentation is about commands"
)]
fn run(functions: &str, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_capstan")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{functions}\n{command}")])
        .current_dir(workspace())
        .env_clear()
        .env("PATH", format!("{}:{path}", binary.display()))
        .env("CAPSTAN_GH", gh_program())
        .env("XDG_DATA_HOME", remembered())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test decides what it is for"
)]
pub(crate) fn update() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = words
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}
