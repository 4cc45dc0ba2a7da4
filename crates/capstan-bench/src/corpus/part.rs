//! Splits the queries into two halves: one to tune weights and rules, one to validate them.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// A set of queries to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The half to tune weights and rules with.
    Tune,
    /// The half to validate them with.
    Validation,
    All,
}

impl Part {
    pub const EACH: [Self; 3] = [Self::Tune, Self::Validation, Self::All];

    /// Returns the half that a query belongs to. It depends only on the hash of the query's id.
    pub fn of(id: &str) -> Self {
        match Sha256::digest(id)[0] % 2 {
            0 => Self::Tune,
            _ => Self::Validation,
        }
    }

    /// Returns whether this set contains the queries of a half.
    pub fn has(self, half: Self) -> bool {
        self == Self::All || self == half
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Tune => "tune",
            Self::Validation => "validation",
            Self::All => "all",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = Self::EACH.into_iter().find(|part| part.name() == text);
        part.ok_or_else(|| format!("`{text}` is no part; it is `tune`, `validation` or `all`"))
    }
}
