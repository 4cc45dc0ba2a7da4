//! The names of skills.

use std::borrow::Borrow;
use std::fmt;

/// The name of a skill: ASCII letters, digits, `-`, `_`, `.` and `:`, beginning with a letter, at most 100
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillId(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be the name of a skill: expected at most 100 letters a to z, digits, `-`, `_`, \
     `.` and `:`, beginning with a letter"
)]
pub struct InvalidId(String);

impl SkillId {
    const LONGEST: usize = 100;

    pub fn parse(text: &str) -> Result<Self, InvalidId> {
        let fine = |b: u8| b.is_ascii_alphanumeric() || b"-_.:".contains(&b);
        let begins = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        if begins && text.len() <= Self::LONGEST && text.bytes().all(fine) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidId(text.chars().take(Self::LONGEST).collect()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for SkillId {
    fn borrow(&self) -> &str {
        &self.0
    }
}
