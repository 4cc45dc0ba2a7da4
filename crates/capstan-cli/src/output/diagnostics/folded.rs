//! Wraps long lines of messages between words, but not inside words such as `2027-01-31` or `user-lookup`.

use super::shown_line::width;

/// Wraps every line to at most `room` columns. Continuation lines keep the indentation of their line.
pub(super) fn folded(text: &str, room: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let words = line.trim_start_matches(' ');
        let indent = &line[..line.len() - words.len()];
        let mut current = indent.to_owned();
        for word in words.split(' ') {
            let is_first = current.len() == indent.len();
            if !is_first && width(&current) + 1 + width(word) > room {
                lines.push(std::mem::replace(&mut current, indent.to_owned()));
            } else if !is_first {
                current.push(' ');
            }
            for c in word.chars() {
                // Only a word that is wider than a line is broken.
                if width(&current) + width(c.encode_utf8(&mut [0; 4])) > room {
                    lines.push(std::mem::replace(&mut current, indent.to_owned()));
                }
                current.push(c);
            }
        }
        lines.push(current);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn lines_break_between_words_and_keep_their_indentation() {
        for (text, expected) in [
            ("", ""),
            ("gone on 2027-01-31", "gone on\n2027-01-31"),
            ("a\n  bb cc dd\ne", "a\n  bb cc dd\ne"),
            ("  aaaa bbbb cc", "  aaaa\n  bbbb cc"),
            ("abcdefghijklmnop q", "abcdefghij\nklmnop q"),
        ] {
            assert_eq!(folded(text, 10), expected, "{text}");
        }
    }
}
