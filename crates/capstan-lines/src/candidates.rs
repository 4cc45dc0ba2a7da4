//! The names of capabilities that the first words of a line may be.

use crate::syntax::Word;

/// A possible name of a capability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub name: String,
    /// The number of words that it uses.
    pub words: usize,
}

/// The largest number of words in a name.
const MOST_WORDS: usize = 4;

/// Returns the possible names, longest first, ids before commands of `gh`.
pub(crate) fn from_words(words: &[Word]) -> Vec<Candidate> {
    let skipped = usize::from(words.len() > 1 && words[0].text == "gh");
    let Some(first) = words
        .get(skipped)
        .filter(|word| !word.text.starts_with('-'))
    else {
        return Vec::new();
    };
    let more = words[skipped + 1..].iter();
    let more = more.take_while(|word| is_part(&word.text) && !is_whole(&first.text));
    let parts: Vec<&str> = std::iter::once(first)
        .chain(more)
        .map(|word| word.text.as_str())
        .take(MOST_WORDS)
        .collect();
    let mut found: Vec<Candidate> = Vec::new();
    for length in (1..=parts.len()).rev() {
        for separator in [".", " ", "_"] {
            let name = parts[..length].join(separator);
            for name in [name.to_lowercase(), name] {
                let words = skipped + length;
                if !found.iter().any(|it| it.name == name) {
                    found.push(Candidate { name, words });
                }
            }
        }
    }
    found
}

/// Whether a word can continue a name.
fn is_part(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Whether a word already consists of several parts.
fn is_whole(word: &str) -> bool {
    word.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-')
}
