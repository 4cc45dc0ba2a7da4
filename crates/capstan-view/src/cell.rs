//! One cell of a table.

use serde_json::Value;

use crate::value;

/// The maximum number of characters in a cell, unless the caller asked for the column.
const MAX_CELL_LENGTH: usize = 120;
/// The maximum for texts without a blank: a truncated link or id is useless.
const MAX_WORD_LENGTH: usize = 300;

/// A cell, and whether it was truncated.
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) is_cut: bool,
}

pub(crate) fn cell(value: &Value, truncates: bool) -> Cell {
    let text = without_bars(&value::inline(value));
    let longest = if text.contains(' ') {
        MAX_CELL_LENGTH
    } else {
        MAX_WORD_LENGTH
    };
    match text.char_indices().nth(longest) {
        Some((end, _)) if truncates => Cell {
            text: format!("{}…", text[..end].trim_end()),
            is_cut: true,
        },
        _ => Cell {
            text,
            is_cut: false,
        },
    }
}

/// Replaces free-standing bars, which look like the end of a cell.
fn without_bars(text: &str) -> String {
    if !text.contains('|') {
        return text.to_owned();
    }
    let words: Vec<_> = text
        .split(' ')
        .map(|word| if word == "|" { "/" } else { word })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(value: &Value) -> String {
        cell(value, true).text
    }

    #[test]
    fn a_cell_stays_one_cell() {
        assert_eq!(text(&json!("a | b\n| c |")), "a / b / c /");
        assert_eq!(text(&json!("a||b |c")), "a||b |c");
        assert_eq!(text(&json!(null)), "");
        assert_eq!(text(&json!(["bug", "help wanted"])), "bug, help wanted");
        assert_eq!(text(&json!(["bug, big", "ui"])), "bug, big; ui");
        assert_eq!(text(&json!([[1], {"a": []}])), r#"[[1],{"a":[]}]"#);
    }

    #[test]
    fn long_texts_are_cut_and_links_are_not() {
        let long = "wörd ".repeat(30);
        let cut = cell(&json!(long), true);
        assert!(cut.is_cut);
        assert_eq!(cut.text.chars().count(), 120);
        assert!(cut.text.ends_with("wörd…"), "{}", cut.text);
        assert_eq!(cell(&json!(long), false).text, long.trim_end());
        let link = format!("https://github.com/{}", "a".repeat(200));
        assert_eq!(text(&json!(link)), link);
    }
}
