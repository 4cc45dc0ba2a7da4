//! The identity of code.

use std::fmt;

/// SHA-256 of code in its canonical form, as 64 lower-case hex digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeHash(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a code hash: expected 64 hex digits")]
pub struct InvalidHash(String);

impl CodeHash {
    const DIGITS: usize = 64;

    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        use fmt::Write as _;
        let mut digits = String::with_capacity(Self::DIGITS);
        for byte in bytes {
            // Writing into a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Self(digits)
    }

    pub fn parse(text: &str) -> Result<Self, InvalidHash> {
        let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() == Self::DIGITS && text.bytes().all(hex) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidHash(text.chars().take(Self::DIGITS + 1).collect()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first digits, at most all of them.
    pub fn short(&self, digits: usize) -> &str {
        &self.0[..digits.min(Self::DIGITS)]
    }
}

impl fmt::Display for CodeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CodeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
