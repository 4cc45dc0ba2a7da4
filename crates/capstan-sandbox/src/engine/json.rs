//! Scans JSON texts that the engine wrote, without parsing them.

/// Returns how deeply arrays and objects are nested.
pub(super) fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        if is_quoted {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => is_quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => is_quoted = true,
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Replaces lone surrogates by U+FFFD. JavaScript strings can contain them, and JSON has them as
/// `\ud83d`, but no Rust string can. Whole characters are never written like that.
pub(super) fn replace_lone_surrogates(mut text: String) -> String {
    if !text.contains("\\ud") {
        return text;
    }
    let mut positions = Vec::new();
    let mut rest = text.as_bytes();
    let mut offset = 0;
    while let Some(found) = rest.iter().position(|byte| *byte == b'\\') {
        offset += found;
        rest = &rest[found..];
        let starts_surrogate = rest.get(1) == Some(&b'u') && rest.get(2) == Some(&b'd');
        let length = match rest.get(1) {
            Some(b'u') => 6,
            _ => 2,
        };
        // `\ud000` to `\ud7ff` are whole characters.
        if starts_surrogate
            && rest
                .get(3)
                .is_some_and(|digit| !(b'0'..=b'7').contains(digit))
        {
            positions.push(offset);
        }
        offset += length;
        rest = rest.get(length..).unwrap_or_default();
    }
    for position in positions {
        text.replace_range(position..position + 6, "\\ufffd");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_of_strings() {
        for (text, expected) in [
            ("1", 0),
            ("[]", 1),
            (r#"{"a":[1,{"b":2}],"c":[]}"#, 3),
            (r#"["[[[[","\"[[[","\\",[]]"#, 2),
        ] {
            assert_eq!(depth(text), expected, "{text}");
        }
    }

    #[test]
    fn halves_of_characters_are_replaced() {
        for (text, expected) in [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""a\udc00b\ud800""#, r#""a\ufffdb\ufffd""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud7ff\u0001""#, r#""\ud7ff\u0001""#),
            (r#""😀""#, r#""😀""#),
        ] {
            assert_eq!(replace_lone_surrogates(text.to_owned()), expected);
        }
    }
}
