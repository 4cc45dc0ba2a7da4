//! Every stable code has a page, every page has a code, and what a page of cards shows is what
//! happens; `check/pages.rs` has those of skills.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use capstan_card_check::{GithubSchema, check_card, check_follow_ups};
use capstan_catalog::{load_dir, load_text};
use capstan_core::Source;
use capstan_core::card::Card;

use crate::binary::capstan;
use crate::support::workspace;

/// Shown by a command, not by a line of a card: `examples.rs` and `cli/config.rs` have them.
const WITHOUT_CARD: [&str; 3] = ["E040", "E044", "E045"];

fn codes() -> Vec<(&'static str, &'static str)> {
    let of_cards = codes_of_cards().into_iter();
    of_cards.chain(capstan_skill::CODES).collect()
}

fn codes_of_cards() -> Vec<(&'static str, &'static str)> {
    let checker = capstan_card_check::CODES.into_iter();
    capstan_catalog::CODES.into_iter().chain(checker).collect()
}

fn page(code: &str) -> String {
    let file = workspace().join("docs/errors").join(format!("{code}.md"));
    assert!(file.exists(), "there is no {}", file.display());
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let files = std::fs::read_dir(workspace().join("docs/errors")).unwrap();
    let pages: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let wanted: BTreeSet<String> = codes()
        .iter()
        .map(|(code, _)| format!("{code}.md"))
        .collect();
    assert_eq!(pages, wanted);
    for (code, what) in codes() {
        let page = page(code);
        assert_eq!(page.lines().next(), Some(&*format!("# {code}: {what}")));
    }
}

#[test]
fn explain_prints_the_page() {
    for (code, _) in codes() {
        let output = capstan(&["explain", code]);
        assert!(output.status.success(), "{code}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), page(code));
    }
}

#[test]
fn an_unknown_code_names_the_known_ones() {
    let output = capstan(&["explain", "E999"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no diagnostic `E999`"), "{message}");
    for (code, _) in codes() {
        assert!(message.contains(code), "{message}");
    }
}

/// The right lines of a page stand in a card that has no findings; with the wrong ones in their
/// place it has those of the page, in the words of the page.
#[test]
fn the_wrong_lines_of_a_page_are_found() {
    let schema = schema();
    let mut differing = Vec::new();
    for (code, _) in codes_of_cards()
        .into_iter()
        .filter(|(code, _)| !WITHOUT_CARD.contains(code))
    {
        let page = page(code);
        let (wrong, right) = (block(&page, "## Wrong"), block(&page, "## Right"));
        let card = page
            .split('`')
            .find(|text| {
                text.contains("cards/") && (text.ends_with(".yaml") || text.ends_with(".graphql"))
            })
            .expect("the page names a file");
        let none = findings(card, |text| text, &schema);
        assert!(none.is_empty(), "{code}: {none:?}");
        let found = findings(
            card,
            |text| {
                assert_eq!(text.matches(&right).count(), 1, "{code}: {right}");
                text.replace(&right, &wrong)
            },
            &schema,
        );
        let as_shown =
            |(found, message): &(&str, String)| *found == code && page.contains(message.as_str());
        if found.is_empty() || !found.iter().all(as_shown) {
            let lines: Vec<_> = found.into_iter().map(|(_, message)| message).collect();
            differing.push(format!("{code} gives:\n{}", lines.join("\n")));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
}

#[test]
fn the_example_cards_have_no_findings() {
    let schema = schema();
    let loaded = load_dir(&workspace().join("examples/cards"));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert!(!loaded.cards.is_empty());
    for card in &loaded.cards {
        assert_eq!(check(card, &schema), []);
    }
}

/// Codes and messages for a card whose file went through `change`.
fn findings(
    file: &str,
    change: impl FnOnce(String) -> String,
    schema: &GithubSchema,
) -> Vec<(&'static str, String)> {
    let read = |file: &Path| std::fs::read_to_string(workspace().join(file)).unwrap_or_default();
    let yaml = Path::new(file).with_extension("yaml");
    let graphql = Path::new(file).with_extension("graphql");
    let (mut card_text, mut document) = (read(&yaml), read(&graphql));
    if file.ends_with(".yaml") {
        card_text = change(card_text);
    } else {
        document = change(document);
    }
    let source = Source::new(yaml.display().to_string(), card_text);
    let document = Source::new(graphql.display().to_string(), document);
    match load_text(&source, |_| Ok(document)) {
        Ok(card) => check(&card, schema),
        Err(diagnostics) => diagnostics
            .iter()
            .map(|diagnostic| (diagnostic.code, diagnostic.to_string()))
            .collect(),
    }
}

fn check(card: &Card, schema: &GithubSchema) -> Vec<(&'static str, String)> {
    static BUILTIN: OnceLock<Vec<Card>> = OnceLock::new();
    let builtin = BUILTIN.get_or_init(|| load_dir(&workspace().join("cards")).cards);
    let known = |id: &_| builtin.iter().find(|other| other.id == *id);
    let findings = check_card(card, schema).into_iter();
    findings
        .chain(check_follow_ups(card, known))
        .map(|finding| (finding.code, finding.to_string()))
        .collect()
}

fn schema() -> GithubSchema {
    let read = |name: &str| std::fs::read_to_string(workspace().join("schema").join(name)).unwrap();
    let texts = [read("github.graphql"), read("extensions.graphql")];
    let named = [
        ("github.graphql", texts[0].as_str()),
        ("extensions.graphql", texts[1].as_str()),
    ];
    GithubSchema::parse(&named).unwrap()
}

/// The first code block below a heading.
fn block(page: &str, heading: &str) -> String {
    let below = page.split_once(heading).map(|(_, below)| below);
    let block = below.and_then(|below| below.split("```").nth(1));
    let block = block.and_then(|block| block.split_once('\n'));
    let (_, lines) = block.expect("there is a code block below the heading");
    lines.trim_end_matches('\n').to_owned()
}
