//! Names of servers.

use std::fmt;

/// The name of a server: letters, digits, `-` and `_`. It precedes the dot in `server.tool`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerName(String);

/// Why a text is not the name of a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be the name of a server: use at most {max} letters, digits, `-` and `_`",
    max = ServerName::MAX_LENGTH
)]
pub struct InvalidServerName(String);

impl ServerName {
    pub const MAX_LENGTH: usize = 64;

    pub fn parse(text: &str) -> Result<Self, InvalidServerName> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(fits) {
            Ok(Self(text.to_owned()))
        } else {
            let shown = text.chars().filter(|c| !c.is_control());
            Err(InvalidServerName(shown.take(Self::MAX_LENGTH).collect()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_dots_and_no_blanks() {
        for good in ["github", "brave-search", "My_Server2", "7"] {
            assert_eq!(ServerName::parse(good).unwrap().as_str(), good);
        }
        let long = "a".repeat(65);
        for bad in ["", "a.b", "my server", "é", "a/b", long.as_str()] {
            assert!(ServerName::parse(bad).is_err(), "{bad:?}");
        }
    }
}
