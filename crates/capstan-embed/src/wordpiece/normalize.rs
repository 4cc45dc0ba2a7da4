//! Normalizes a text before it is split: removes control characters and accents, turns white space
//! into spaces, separates Chinese characters, and converts to lower case.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

/// Appends the normalized text.
pub(super) fn normalize(text: &str, out: &mut String) {
    out.reserve(text.len());
    if text.is_ascii() {
        out.extend(text.bytes().filter_map(ascii).map(char::from));
        return;
    }
    // The whole text at once, because combining marks are sorted, and they may be far apart.
    let cleaned = text.chars().filter_map(clean).flat_map(spaced);
    let bare = cleaned.nfd().filter(|char| !is_accent(*char));
    out.extend(bare.flat_map(char::to_lowercase));
}

fn ascii(byte: u8) -> Option<u8> {
    match byte {
        b'\t' | b'\n' | b'\r' => Some(b' '),
        0..0x20 | 0x7f => None,
        _ => Some(byte.to_ascii_lowercase()),
    }
}

fn clean(char: char) -> Option<char> {
    match char {
        '\t' | '\n' | '\r' => Some(' '),
        char::REPLACEMENT_CHARACTER => None,
        _ if is_control(char) => None,
        _ if char.is_whitespace() => Some(' '),
        _ => Some(char),
    }
}

fn spaced(char: char) -> impl Iterator<Item = char> {
    let space = is_chinese(char).then_some(' ');
    space.into_iter().chain([char]).chain(space)
}

fn is_control(char: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    matches!(get_general_category(char), Control | Format | PrivateUse)
}

fn is_accent(char: char) -> bool {
    !char.is_ascii() && get_general_category(char) == GeneralCategory::NonspacingMark
}

/// Returns whether a character is in one of the blocks that BERT's authors listed. One block begins
/// too late there (it should be U+2B820), and so it does here.
fn is_chinese(char: char) -> bool {
    matches!(
        u32::from(char),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        normalize(text, &mut out);
        assert_eq!(out, expected, "{text:?}");
    }

    #[test]
    fn case_accents_and_control_characters_go() {
        check("Über\tCafé\r\n", "uber cafe  ");
        check("a\0b\u{7f}c\u{200b}d\u{fffd}e", "abcde");
        check("İstanbul e\u{301}\u{323}", "istanbul e");
        check("\u{2028}x\u{a0}", " x ");
    }

    #[test]
    fn chinese_stands_alone_and_kana_does_not() {
        check("中文abc", " 中  文 abc");
        // A mark makes a kana voiced, and normalization removes it.
        check("がカ", "かカ");
    }

    #[test]
    fn what_is_ascii_is_treated_as_what_is_not() {
        let text: String = (0..128_u8).map(char::from).collect();
        let (mut short, mut long) = (String::new(), String::new());
        normalize(&text, &mut short);
        normalize(&format!("{text}ß"), &mut long);
        assert_eq!(format!("{short}ß"), long);
    }
}
