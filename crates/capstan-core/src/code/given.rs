//! Names and intents as callers write them, before anybody knows what they mean.

use std::borrow::Cow;

/// No name of anything is longer, in bytes: what is longer is not even looked for.
pub const LONGEST_NAME: usize = 300;

/// An intent says in a few words what something is for, in at most so many bytes: it is shown wherever
/// the capability is.
pub const LONGEST_INTENT: usize = 1000;

/// How much is shown of what is no name.
const SHOWN: usize = 100;

/// A name to tell somebody about: whole if it can be one, else its beginning.
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
