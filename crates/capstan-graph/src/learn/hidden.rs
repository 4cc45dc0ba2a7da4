//! What a trace does not tell: values that were not kept, and secrets.

use capstan_core::code::kept::MASK;

/// Whether a text holds a secret that was hidden.
pub(super) fn is_masked(text: &str) -> bool {
    text.contains(MASK)
}
