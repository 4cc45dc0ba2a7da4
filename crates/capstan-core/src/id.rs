//! The id of a capability, checked once when it enters the system.

use std::fmt;

/// A dotted lower-case name such as `issue.comments.list`; the first part is its domain. Tools and
/// code keep the names that others gave them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CapabilityId(String);

/// Why a text is not a capability id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a capability id: expected dotted lower-case words such as `issue.comments.list`"
)]
pub struct InvalidId(String);

impl CapabilityId {
    /// The longest id, in bytes. Ids appear in tables, traces and MCP tool names.
    pub const MAX_LENGTH: usize = 100;

    pub fn parse(text: &str) -> Result<Self, InvalidId> {
        let well_formed =
            text.len() <= Self::MAX_LENGTH && text.contains('.') && text.split('.').all(is_word);
        if well_formed {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidId(text.chars().take(Self::MAX_LENGTH).collect()))
        }
    }

    /// Returns the id of a capability that is not a card: the name of a tool or of code, which
    /// others chose.
    pub fn given(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part before the first dot: `issue` of `issue.comments.list`.
    pub fn domain(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }
}

impl fmt::Display for CapabilityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for CapabilityId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

fn is_word(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_lowercase())
        && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_dotted_words_and_nothing_else() {
        for good in ["issue.view", "pr.threads.reply", "a1.b_2"] {
            assert_eq!(CapabilityId::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "issue",
            "Issue.view",
            "issue..view",
            ".view",
            "issue.",
            "1a.b",
            "a.b c",
            "a.é",
        ] {
            assert!(CapabilityId::parse(bad).is_err(), "{bad:?}");
        }
        assert!(CapabilityId::parse(&format!("a.{}", "b".repeat(200))).is_err());
    }

    #[test]
    fn the_domain_is_the_first_word() {
        assert_eq!(
            CapabilityId::parse("issue.comments.list").unwrap().domain(),
            "issue"
        );
    }
}
