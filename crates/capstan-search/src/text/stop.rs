//! Words that tell nothing about what is wanted.

/// Sorted. Words that tell operations apart (`out`, `off`, `not`, `all`) are not among them.
const STOP_WORDS: [&str; 99] = [
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "did", "do", "does", "each", "for", "from", "give", "going", "has", "have",
    "hello", "help", "hey", "hi", "how", "i", "if", "im", "in", "into", "is", "it", "its", "just",
    "kindly", "know", "let", "like", "ll", "looking", "may", "me", "might", "my", "need", "now",
    "of", "ok", "okay", "on", "or", "our", "please", "re", "s", "should", "so", "some", "such",
    "t", "tell", "than", "thanks", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "to", "too", "us", "ve", "very", "want", "was", "we", "what", "when",
    "where", "which", "while", "who", "why", "will", "with", "would", "you", "your",
];

/// Whether a word in lower case is one of them.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("a") && is_stop_word("your") && !is_stop_word("issue"));
    }
}
