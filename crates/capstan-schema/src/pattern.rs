//! Regular expressions of schemas, as far as they can be read without an engine.

/// Whether a text matches a pattern; nothing if the pattern cannot be read.
pub(crate) fn matches(pattern: &str, _text: &str) -> Option<bool> {
    pattern.is_empty().then_some(true)
}
