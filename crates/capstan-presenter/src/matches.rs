//! Matches of a search: which to show, and one as a line.

use capstan_core::card::Kind;
use capstan_engine::Hit;

/// Whether a match is worth showing to an agent. Capstan's own actions need a high score.
pub fn is_worth_showing(hit: &Hit) -> bool {
    const SURE: f64 = 0.5;
    hit.kind != Kind::System || hit.score >= SURE
}

/// Drops matches that score far below the best, which comes first. If even the best does not fit, drops all of them and
/// returns the line to print instead.
pub fn keep_fitting<T>(
    found: &mut Vec<T>,
    intent: &str,
    hit: impl Fn(&T) -> &Hit,
) -> Option<String> {
    const FITS: f64 = 0.3;
    const BESIDE_THE_BEST: f64 = 0.35;
    const NEAREST: usize = 2;
    let Hit { score, kind, .. } = hit(found.first()?);
    let best = *score;
    // Cards say in many words what they are for; of what others describe, even a weak match may be right.
    if best < FITS && *kind == Kind::Card {
        let nearest = found.iter().take(NEAREST).map(|it| hit(it).id.as_str());
        let nearest = nearest.collect::<Vec<_>>().join(", ");
        found.clear();
        return Some(format!("nothing fits `{intent}`; nearest are {nearest}"));
    }
    found.retain(|it| hit(it).score >= BESIDE_THE_BEST * best);
    None
}

/// Returns the line of a match: its form, and its purpose in a few words.
pub fn match_line(form: &str, description: &str) -> String {
    const LONGEST_PURPOSE: usize = 60;
    // The first clause tells enough.
    let end = description
        .find([',', ';', '.', '('])
        .unwrap_or(description.len());
    let purpose = capstan_core::brief(description[..end].trim(), LONGEST_PURPOSE);
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
