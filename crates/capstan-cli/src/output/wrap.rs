//! Long texts on a terminal.

use super::Table;

/// The text with its lines broken between words, so that it fits beside what stands before `column`.
/// As it is where nobody knows how wide the terminal is.
pub(crate) fn wrapped(text: &str, column: usize) -> String {
    match Table::room() {
        Some(room) => broken(text, room.saturating_sub(column).max(20), column),
        None => text.to_owned(),
    }
}

fn broken(text: &str, width: usize, column: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut at = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if at > 0 && at + 1 + length > width {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(column));
            at = 0;
        } else if at > 0 {
            wrapped.push(' ');
            at += 1;
        }
        wrapped.push_str(word);
        at += length;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(broken("a bb ccc dddd", 5, 2), "a bb\n  ccc\n  dddd");
        assert_eq!(broken("abcdefgh i", 3, 1), "abcdefgh\n i");
        assert_eq!(broken("", 3, 1), "");
    }
}
