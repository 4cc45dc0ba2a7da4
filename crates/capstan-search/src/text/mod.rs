//! Texts as words: split, without what tells nothing, in one form.

mod clauses;
mod compound;
mod split;
mod stem;
mod stop;
mod synonym;

pub(crate) use clauses::clauses;
pub(crate) use split::words;
pub(crate) use stem::stem;
pub(crate) use stop::is_stop_word;

/// The words of a text that tell something, in lower case.
pub(crate) fn telling_words(text: &str) -> impl Iterator<Item = String> {
    words(text)
        .map(str::to_lowercase)
        .filter(|word| !is_stop_word(word))
}

/// A text without the words that tell nothing, for an embedder; the text itself if nothing is left.
pub(crate) fn telling_text(text: &str) -> String {
    let words: Vec<_> = words(text)
        .filter(|word| !is_stop_word(&word.to_lowercase()))
        .collect();
    if words.is_empty() {
        text.trim().to_owned()
    } else {
        words.join(" ")
    }
}
