//! The generated cards of GitHub's mutations fit GitHub's schema.

use capstan_card_check::check_card;
use capstan_catalog::outline::{card_of, read_outlines};
use capstan_core::Severity;

use crate::support::{schema, workspace};

#[test]
fn the_cards_of_mutations_have_no_findings_but_hints() {
    let outlines = read_outlines(&workspace().join("catalogue/graphql")).unwrap();
    assert!(outlines.len() > 250, "{}", outlines.len());
    let mut lines = Vec::new();
    for (id, outline) in &outlines {
        let card = card_of(id, outline).unwrap();
        let findings = check_card(&card, schema()).into_iter();
        let findings = findings.filter(|finding| finding.severity != Severity::Hint);
        lines.extend(findings.map(|finding| format!("{id}: {finding}")));
    }
    assert!(
        lines.is_empty(),
        "{} findings\n{}",
        lines.len(),
        lines.join("\n")
    );
}
