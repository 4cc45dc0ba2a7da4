//! Reduces all forms of a word to one.

use rust_stemmers::{Algorithm, Stemmer};

use super::synonym::canonical_stem;

/// Returns the stem of a word in lower case. Words of other scripts stay as they are.
pub(crate) fn stem(word: &str) -> String {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let stem = Stemmer::create(Algorithm::English).stem(word);
    canonical_stem(&stem).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        let same = |one: &str, two: &str| assert_eq!(stem(one), stem(two));
        same("labels", "label");
        same("merging", "merge");
        same("queries", "query");
        same("repositories", "repo");
        same("prs", "pr");
        same("fetches", "shows");
        assert_ne!(stem("close"), stem("open"));
        assert_eq!(stem("größe"), "größe");
        assert_eq!(stem("256"), "256");
    }
}
