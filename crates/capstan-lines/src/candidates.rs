//! The capabilities that the first words of a line may mean.

use crate::syntax::Word;

/// A name that the first words may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub name: String,
    /// How many words of the line it takes.
    pub words: usize,
}

/// No name has more words.
const MOST_WORDS: usize = 4;

/// The longest first; as an id before as a command of `gh`.
pub(crate) fn of(words: &[Word]) -> Vec<Candidate> {
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

/// Whether a word may be a further part of a name.
fn is_part(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Whether a word has parts already.
fn is_whole(word: &str) -> bool {
    word.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-')
}
