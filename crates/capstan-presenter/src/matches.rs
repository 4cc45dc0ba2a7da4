//! Search matches: which to show, and each as a line.

use capstan_core::card::Kind;
use capstan_engine::Hit;

/// Whether a match is worth showing to an agent. Capstan's own actions need a high score.
pub fn is_worth_showing(hit: &Hit) -> bool {
    const MIN_OWN_SCORE: f64 = 0.5;
    hit.kind != Kind::System || hit.score >= MIN_OWN_SCORE
}

/// Drops matches that score far below the best, which comes first. If even the best does not fit, drops all of them and
/// returns the line to print instead.
pub fn keep_fitting<T>(
    found: &mut Vec<T>,
    intent: &str,
    hit: impl Fn(&T) -> &Hit,
) -> Option<String> {
    const MIN_CARD_SCORE: f64 = 0.3;
    const MIN_SHARE_OF_BEST: f64 = 0.35;
    const MAX_NEAREST: usize = 2;
    let Hit { score, kind, .. } = hit(found.first()?);
    let best = *score;
    // Cards have detailed descriptions, so a weak match is wrong. For other kinds even a weak match may be
    // right.
    if best < MIN_CARD_SCORE && *kind == Kind::Card {
        let nearest = found.iter().take(MAX_NEAREST).map(|it| hit(it).id.as_str());
        let nearest = nearest.collect::<Vec<_>>().join(", ");
        found.clear();
        return Some(format!("nothing fits `{intent}`; nearest are {nearest}"));
    }
    found.retain(|it| hit(it).score >= MIN_SHARE_OF_BEST * best);
    None
}

/// Returns the line of a match: its form, and its purpose in a few words.
pub fn match_line(form: &str, description: &str) -> String {
    const MAX_PURPOSE_LENGTH: usize = 60;
    // The first clause is enough.
    let end = description
        .find([',', ';', '.', '('])
        .unwrap_or(description.len());
    let purpose = capstan_core::brief(description[..end].trim(), MAX_PURPOSE_LENGTH);
    format!("{form} — {purpose}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_clause_is_the_purpose() {
        let line = match_line(
            "issue.close NUMBER",
            "Close an issue, with a reason. Idempotent.",
        );
        assert_eq!(line, "issue.close NUMBER — Close an issue");
    }
}
