//! The cards that ship have no findings.

use capstan_check::{check_card, check_follow_ups};

use crate::support::{builtin, schema};

#[test]
fn the_built_in_cards_have_no_findings() {
    let loaded = builtin();
    let mut lines: Vec<_> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    assert!(!loaded.cards.is_empty(), "no cards found");
    for card in &loaded.cards {
        let file = format!("cards/{}.yaml", card.id.as_str().replacen('.', "/", 1));
        let known = |id: &_| loaded.cards.iter().find(|other| other.id == *id);
        let findings = check_card(card, schema())
            .into_iter()
            .chain(check_follow_ups(card, known));
        for finding in findings {
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
