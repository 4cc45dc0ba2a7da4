//! Texts as words: split, without what tells nothing, in one form.

mod clauses;
mod compound;
mod names;
mod split;
mod stem;
mod stop;
mod synonym;

pub(crate) use clauses::clauses;
pub(crate) use names::without_unknown;
pub(crate) use split::words;
pub(crate) use stem::stem;

use stop::tells_nothing;

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
