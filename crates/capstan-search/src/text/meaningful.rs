//! The words of a text that tell something.

use super::stop::tells_nothing;
use super::words;

/// The words of a text that tell something, as they stand in it.
pub(crate) fn telling(text: &str) -> impl Iterator<Item = &str> {
    let mut words = words(text).peekable();
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            if !tells_nothing(word, words.peek().copied()) {
                return Some(word);
            }
        }
    })
}

/// The same, in lower case.
pub(crate) fn telling_words(text: &str) -> impl Iterator<Item = String> {
    telling(text).map(str::to_lowercase)
}

/// A text without the words that tell nothing, for an embedder; the text itself if nothing is left.
pub(crate) fn telling_text(text: &str) -> String {
    let words: Vec<_> = telling(text).collect();
    if words.is_empty() {
        text.trim().to_owned()
    } else {
        words.join(" ")
    }
}
