//! Names and intents as callers write them, before they are resolved.

use std::borrow::Cow;

/// The longest name, in bytes. Longer ones are not even looked up.
pub const LONGEST_NAME: usize = 300;

/// The longest intent, in bytes. It describes a capability in a few words, and is shown wherever
/// the capability is.
pub const LONGEST_INTENT: usize = 1000;

/// How many characters are shown of a text that cannot be a name.
const SHOWN: usize = 100;

/// Returns a name for a message: complete if it can be a name, else its beginning.
pub fn shown_name(given: &str) -> Cow<'_, str> {
    if given.len() <= LONGEST_NAME {
        return Cow::Borrowed(given);
    }
    let beginning: String = given.chars().take(SHOWN).collect();
    Cow::Owned(format!("{beginning}…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_a_name_is_shown_whole() {
        let longest = "é".repeat(LONGEST_NAME / 2);
        assert_eq!(shown_name(&longest), longest);
        let longer = format!("{longest}x");
        assert_eq!(shown_name(&longer), format!("{}…", "é".repeat(SHOWN)));
    }
}
