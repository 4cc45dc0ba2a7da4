//! The name of a service that cards can call beside GitHub, checked once when it enters the system.

use std::fmt;

/// The name of a service in the user's configuration, such as `gitlab`: lower-case letters, digits and `_`, starting
/// with a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServiceName(String);

/// Why a text is not the name of a service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidServiceName {
    #[error(
        "`{0}` is not the name of a service: expected lower-case letters, digits and `_`, starting with a letter, at \
         most {max} characters, such as `gitlab`",
        max = ServiceName::MAX_LENGTH
    )]
    Form(String),
    #[error("`{0}` is built in: give the service another name")]
    BuiltIn(String),
}

impl ServiceName {
    /// The longest name, in bytes. Names appear in ids, tables and error messages.
    pub const MAX_LENGTH: usize = 40;

    /// Names that already mean something in code: `capstan.github` is not a service.
    const BUILT_IN: [&str; 1] = ["github"];

    pub fn parse(text: &str) -> Result<Self, InvalidServiceName> {
        let mut bytes = text.bytes();
        let well_formed = text.len() <= Self::MAX_LENGTH
            && bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
            && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !well_formed {
            let shown = text.chars().take(Self::MAX_LENGTH).collect();
            return Err(InvalidServiceName::Form(shown));
        }
        if Self::BUILT_IN.contains(&text) {
            return Err(InvalidServiceName::BuiltIn(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_lower_case_words() {
        for good in ["gitlab", "a", "jira_cloud", "s3"] {
            assert_eq!(ServiceName::parse(good).unwrap().as_str(), good);
        }
        let long = "a".repeat(ServiceName::MAX_LENGTH + 1);
        for bad in [
            "", "GitLab", "1a", "_a", "a-b", "a.b", "a b", "é", "github", &long,
        ] {
            assert!(ServiceName::parse(bad).is_err(), "{bad:?}");
        }
        assert!(ServiceName::parse(&long[1..]).is_ok());
    }
}
