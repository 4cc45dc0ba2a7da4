//! Explains why something was found.

use capstan_search::{Exact, Why};

/// The minimum cosine similarity that is reported.
const MIN_REPORTED_COSINE: f32 = 0.3;

/// Returns the evidence for a hit, such as `words merge, pr; meaning 0.61`.
pub(crate) fn describe(why: &Why) -> String {
    let mut told = Vec::new();
    match why.exact {
        Some(Exact::Id) => return "its id".to_owned(),
        Some(Exact::Name) => return "its name".to_owned(),
        Some(Exact::Beginning) => told.push("its id begins like this".to_owned()),
        None => {}
    }
    if !why.words.is_empty() {
        told.push(format!("words {}", why.words.join(", ")));
    }
    if !why.corrected.is_empty() {
        let corrected = why.corrected.iter();
        let corrected: Vec<_> = corrected
            .map(|it| format!("{} → {}", it.from, it.to))
            .collect();
        told.push(format!("read as {}", corrected.join(", ")));
    }
    if why.cosine >= MIN_REPORTED_COSINE {
        told.push(format!("meaning {:.2}", why.cosine));
    }
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use capstan_search::Correction;

    use super::*;

    #[test]
    fn it_is_told_in_words() {
        let why = Why {
            words: vec!["merge".to_owned(), "prs".to_owned()],
            corrected: vec![Correction {
                from: "brnach".to_owned(),
                to: "branch".to_owned(),
            }],
            cosine: 0.614,
            ..Why::default()
        };
        assert_eq!(
            describe(&why),
            "words merge, prs; read as brnach → branch; meaning 0.61"
        );
        let exact = Why {
            exact: Some(Exact::Name),
            ..why
        };
        assert_eq!(describe(&exact), "its name");
    }
}
