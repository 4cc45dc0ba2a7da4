//! `lib.rs` and `mod.rs` hold declarations and re-exports, no logic.

use std::path::Path;

use super::sources::{read, sources};

/// The keywords of items that hold logic or data.
const ITEMS: [&str; 5] = ["fn", "impl", "struct", "enum", "trait"];

/// What may stand before them.
const MODIFIERS: [&str; 5] = ["pub", "async", "const", "unsafe", "extern"];

#[test]
fn module_files_hold_declarations_only() {
    let mut with_items = Vec::new();
    for source in sources() {
        if !is_module_file(&source) {
            continue;
        }
        if let Some(first) = read(&source).lines().find_map(item) {
            with_items.push(format!("{}: {first}", source.display()));
        }
    }
    assert!(
        with_items.is_empty(),
        "move these into files that are named for what they hold: {with_items:#?}"
    );
}

#[test]
fn items_are_told_from_declarations() {
    for line in [
        "fn run() {}",
        "    pub(crate) async fn run() {",
        "pub(in crate::mcp) const fn limit() -> usize {",
        "unsafe extern \"C\" fn handler() {",
        "impl<T> From<T> for Step {",
        "pub struct Step;",
        "pub(super) enum Step {",
        "trait Step {",
    ] {
        assert!(item(line).is_some(), "{line}");
    }
    for line in [
        "//! fn run() {}",
        "mod structs;",
        "pub(crate) use run::fn_of;",
        "pub const MOST: usize = 3;",
        "pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;",
    ] {
        assert_eq!(item(line), None, "{line}");
    }
}

fn is_module_file(source: &Path) -> bool {
    let is_named = source.ends_with("mod.rs") || source.ends_with("lib.rs");
    is_named && source.iter().nth(2).is_some_and(|folder| folder == "src")
}

/// Returns a line that begins an item, without what stands around it.
fn item(line: &str) -> Option<&str> {
    let line = line.trim();
    let mut rest = line;
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        if ITEMS.contains(&word) {
            return Some(line);
        }
        if !MODIFIERS.contains(&word) {
            return None;
        }
        rest = without_argument(after.trim_start());
    }
}

/// Drops what belongs to a modifier: the scope in `pub(crate)`, the name in `extern "C"`.
fn without_argument(rest: &str) -> &str {
    let after = match rest.chars().next() {
        Some('(') => rest.split_once(')'),
        Some('"') => rest[1..].split_once('"'),
        _ => None,
    };
    after.map_or(rest, |(_, after)| after.trim_start())
}
