//! Every example runs as printed.

use std::sync::LazyLock;

use regex::Regex;

use super::page::{Block, Example, blocks};
use super::pages::{pages, update};
use super::session::Session;
use crate::screenshots;
use crate::support::workspace;

/// Each page is tried from top to bottom in one session: scripts (`sh`) have to succeed, and commands behind a prompt
/// have to print what the page shows, in a pipe (`console`) or on a terminal (no language). With `UPDATE_DOCS` set, what
/// is shown is written anew instead.
#[test]
fn every_example_runs_as_printed_in_order() {
    let (mut failed, mut differing) = (Vec::new(), Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let tried = Tried::page(&text);
        let name = page.strip_prefix(workspace()).unwrap_or(&page).display();
        let named = |it: &String| format!("{name}:{it}");
        failed.extend(tried.failed.iter().map(named));
        differing.extend(tried.differing.iter().map(named));
        if tried.fresh != text && update() {
            std::fs::write(&page, tried.fresh).unwrap();
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(
        differing.is_empty() || update(),
        "UPDATE_DOCS=1 writes what is printed now\n{}",
        differing.join("\n")
    );
}

#[test]
fn a_page_that_shows_something_else_is_found() {
    let wrong =
        "```console\n$ echo one\ntwo\n```\n```sh\nfalse\n```\n```\n$ echo 3 ms\n4 ms\n```\n";
    let tried = Tried::page(wrong);
    assert_eq!(
        (tried.failed.len(), tried.differing.len()),
        (1, 1),
        "{tried:?}"
    );
    assert!(tried.failed[0].starts_with("5: `false`"), "{tried:?}");
    assert!(tried.differing[0].starts_with("1: `echo one`"), "{tried:?}");
    assert!(
        tried
            .fresh
            .starts_with("```console\n$ echo one\none\n```\n"),
        "{tried:?}"
    );
}

/// What came of trying a page.
#[derive(Debug, Default)]
struct Tried {
    /// The scripts that failed, each with its line and what it said.
    failed: Vec<String>,
    /// The commands that print something else than the page shows.
    differing: Vec<String>,
    /// The page with what its commands print now.
    fresh: String,
}

impl Tried {
    fn page(page: &str) -> Self {
        let mut session = Session::new();
        let mut tried = Self::default();
        let mut printed = Vec::new();
        for block in blocks(page) {
            let is_terminal = block.language.is_empty() && block.has_prompt();
            if block.language == "sh" {
                tried.script(&mut session, &block);
            } else if is_terminal || block.language == "console" {
                let text = tried.examples(&session, &block);
                printed.push((block, text));
            }
        }
        page.clone_into(&mut tried.fresh);
        // From the last to the first: what comes before stays where it is.
        for (block, text) in printed.into_iter().rev() {
            tried.fresh = block.replaced(&tried.fresh, &text);
        }
        tried
    }

    fn script(&mut self, session: &mut Session, block: &Block) {
        let printed = session.script(&block.text);
        if !printed.succeeded {
            let (line, typed) = (block.line, block.text.trim_end());
            self.failed
                .push(format!("{line}: `{typed}` fails:\n{}", printed.all()));
        }
    }

    /// Types the commands of a block and returns it with what they print.
    fn examples(&mut self, session: &Session, block: &Block) -> String {
        let mut text = String::new();
        for Example { typed, shown } in block.examples() {
            text.push_str(&format!("$ {typed}\n"));
            if screenshots::has_picture(&typed) {
                continue;
            }
            let printed = if block.language == "console" {
                session.pipe(&typed)
            } else {
                session.terminal(&typed)
            };
            let printed = printed.with_last_line_ended();
            if timeless(&printed.text) == timeless(&shown) {
                text.push_str(&shown);
            } else {
                let line = block.line;
                self.differing
                    .push(format!("{line}: `{typed}` prints:\n{}", printed.all()));
                text.push_str(&printed.text);
            }
        }
        text
    }
}

/// What is printed without what differs from run to run: how long things take, ids, and what depends on a hash.
fn timeless(printed: &str) -> String {
    static DIFFERING: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let all = [
            (r"\b\d+(\.\d+)? (ms|s)\b", "[time]"),
            (r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "[date]"),
            (r#""(duration|total|adapter)_ms":\d+"#, "[time]"),
            (r"\b01[0-9a-z]{14}\b", "[id]"),
            (
                r"\b(exec|unnamed)_[0-9a-f]{8}(\.[0-9a-f]{4})?",
                "${1}_[hash]",
            ),
        ];
        all.map(|(found, shown)| (Regex::new(found).unwrap(), shown))
            .into()
    });
    let mut text = printed.to_owned();
    for (found, shown) in &*DIFFERING {
        text = found.replace_all(&text, *shown).into_owned();
    }
    text
}
