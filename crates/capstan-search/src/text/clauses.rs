//! Splits a query into parts, because one query may ask for several things.

use super::{meaningful, meaningful_text};

/// The smallest number of meaningful words in a part. A shorter one says too little by itself.
const MIN_WORDS: usize = 3;
/// The maximum number of parts.
const MAX_PARTS: usize = 8;

/// Returns the text, and its parts if there are several, all without stop words.
pub(crate) fn clauses(text: &str) -> Vec<String> {
    let whole = meaningful_text(text);
    let mut all = vec![whole];
    for part in parts(text) {
        if meaningful(part).count() < MIN_WORDS {
            continue;
        }
        let part = meaningful_text(part);
        if !all.contains(&part) {
            all.push(part);
        }
        if all.len() > MAX_PARTS {
            break;
        }
    }
    all
}

/// Splits a text at the ends of sentences, at commas, and at `and` and `then`.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let next = at + word.len();
        if bare.eq_ignore_ascii_case("and") || bare.eq_ignore_ascii_case("then") {
            parts.push(&text[from..at]);
            from = next;
        } else if bare.ends_with([',', '.', ';', '?', '!', ':']) {
            parts.push(&text[from..next]);
            from = next;
        }
        at = next;
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::clauses;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(clauses(text), expected, "{text}");
    }

    #[test]
    fn one_thing_is_one_part() {
        check("close the issue", &["close issue"]);
        check(
            "show me issue 12 of acme/web v1.5",
            &["show issue 12 acme web v 1 5"],
        );
        check("  ", &[""]);
        check("to me", &["to me"]);
    }

    #[test]
    fn several_things_are_parts() {
        check(
            "Please find all open bugs, then add a label to each and post the weekly report.",
            &[
                "find all open bugs add label post weekly report",
                "find all open bugs",
                "post weekly report",
            ],
        );
    }
}
