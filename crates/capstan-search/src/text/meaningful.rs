//! The meaningful words of a text: those that are not stop words.

use super::stop::is_stop_word;
use super::words;

/// Returns the meaningful words of a text, as written.
pub(crate) fn meaningful(text: &str) -> impl Iterator<Item = &str> {
    let mut words = words(text).peekable();
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            if !is_stop_word(word, words.peek().copied()) {
                return Some(word);
            }
        }
    })
}

/// Returns the meaningful words of a text in lower case.
pub(crate) fn meaningful_words(text: &str) -> impl Iterator<Item = String> {
    meaningful(text).map(str::to_lowercase)
}

/// Returns a text without stop words for an embedder, or the text itself if nothing is left.
pub(crate) fn meaningful_text(text: &str) -> String {
    let words: Vec<_> = meaningful(text).collect();
    if words.is_empty() {
        text.trim().to_owned()
    } else {
        words.join(" ")
    }
}
