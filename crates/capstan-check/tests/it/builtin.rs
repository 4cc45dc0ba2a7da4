//! The cards that ship have no findings.

use capstan_check::check_card;

use crate::support::{builtin, schema};

#[test]
fn the_built_in_cards_have_no_findings() {
    let loaded = builtin();
    let mut lines: Vec<_> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    assert!(!loaded.cards.is_empty(), "no cards found");
    for card in &loaded.cards {
        let file = format!("cards/{}.yaml", card.id.as_str().replacen('.', "/", 1));
        for finding in check_card(card, schema()) {
            lines.push(format!("{file}: {finding}"));
        }
    }
    assert!(
        lines.is_empty(),
        "{} findings\n{}",
        lines.len(),
        lines.join("\n")
    );
}
