//! JSON texts that the engine wrote: they are looked at, not parsed.

/// How deeply arrays and objects are nested.
pub(super) fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
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

/// Halves of characters, which JavaScript can have and writes as `\ud83d`, become U+FFFD: no Rust
/// string can hold them. Whole characters are never written like that.
pub(super) fn without_halves(mut text: String) -> String {
    if !text.contains("\\ud") {
        return text;
    }
    let mut halves = Vec::new();
    let mut rest = text.as_bytes();
    let mut at = 0;
    while let Some(found) = rest.iter().position(|byte| *byte == b'\\') {
        at += found;
        rest = &rest[found..];
        let is_half = rest.get(1) == Some(&b'u') && rest.get(2) == Some(&b'd');
        let length = match rest.get(1) {
            Some(b'u') => 6,
            _ => 2,
        };
        // `\ud000` to `\ud7ff` are whole characters.
        if is_half
            && rest
                .get(3)
                .is_some_and(|digit| !(b'0'..=b'7').contains(digit))
        {
            halves.push(at);
        }
        at += length;
        rest = rest.get(length..).unwrap_or_default();
    }
    for half in halves {
        text.replace_range(half..half + 6, "\\ufffd");
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
            assert_eq!(without_halves(text.to_owned()), expected);
        }
    }
}
