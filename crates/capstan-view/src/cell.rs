//! One cell of a table.

use serde_json::Value;

use crate::value;

/// Cells longer than this are cut, unless the caller asked for the column.
const LONGEST: usize = 120;
/// A link or an id that is cut is worth nothing: texts without a blank may be longer.
const LONGEST_WORD: usize = 300;

/// A cell, and whether some of it was left out.
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) is_cut: bool,
}

pub(crate) fn cell(value: &Value, cuts: bool) -> Cell {
    let text = without_bars(&value::inline(value));
    let longest = if text.contains(' ') {
        LONGEST
    } else {
        LONGEST_WORD
    };
    let end = text.char_indices().nth(longest).map(|(end, _)| end);
    match end.filter(|_| cuts) {
        None => Cell {
            text,
            is_cut: false,
        },
        Some(end) => Cell {
            text: format!("{}…", text[..end].trim_end()),
            is_cut: true,
        },
    }
}

/// A bar that stands alone looks like the end of a cell.
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
