//! Shortens what somebody sent before it is repeated: enough to recognise it, however long it is.

use std::borrow::Cow;

/// Shortens a text to at most `most` characters. A shortened text ends with its original length.
pub fn brief(text: &str, most: usize) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return Cow::Borrowed(text);
    };
    let total = most + text[end..].chars().count();
    Cow::Owned(format!("{}… ({total} characters)", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_stays_and_what_is_long_is_counted() {
        assert_eq!(brief("", 0), "");
        assert_eq!(brief("äöü", 3), "äöü");
        assert_eq!(brief("äöüß", 3), "äöü… (4 characters)");
    }
}
