//! Stop words: words that say nothing about what is wanted.

/// The stop words, sorted. Words that distinguish operations (`out`, `off`, `not`, `all`) are not
/// among them.
const STOP_WORDS: [&str; 96] = [
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "did", "do", "does", "each", "for", "from", "going", "has", "have", "hello",
    "help", "hey", "hi", "how", "i", "if", "im", "in", "into", "is", "it", "its", "just", "kindly",
    "know", "like", "ll", "looking", "may", "me", "might", "my", "need", "now", "of", "ok", "okay",
    "on", "or", "our", "please", "re", "s", "should", "so", "some", "such", "t", "than", "thanks",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too",
    "us", "ve", "very", "want", "was", "we", "what", "when", "where", "which", "while", "who",
    "why", "will", "with", "would", "you", "your",
];

/// Returns whether a word is a stop word, given the next one: in "tell me" it is, in "tell the
/// reporter" it is not.
pub(crate) fn is_stop_word(word: &str, next: Option<&str>) -> bool {
    let is = |word: &str, all: &[&str]| all.iter().any(|it| it.eq_ignore_ascii_case(word));
    let lower = word.to_ascii_lowercase();
    STOP_WORDS.binary_search(&lower.as_str()).is_ok()
        || (is(word, &["give", "let", "tell"])
            && next.is_none_or(|next| is(next, &["me", "s", "us", "you"])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        for (word, next, expected) in [
            ("a", None, true),
            ("Your", Some("issue"), true),
            ("issue", None, false),
            ("Tell", Some("me"), true),
            ("let", Some("s"), true),
            ("give", Some("it"), false),
        ] {
            assert_eq!(is_stop_word(word, next), expected, "{word} {next:?}");
        }
    }
}
