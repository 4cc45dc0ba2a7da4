//! Secrets that a trace hides.

use capstan_core::code::kept::MASK;

/// Returns whether a text contains a masked secret.
pub(super) fn is_masked(text: &str) -> bool {
    text.contains(MASK)
}
