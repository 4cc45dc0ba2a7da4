//! Two halves of all queries, so that what is chosen on one is judged on the other.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// Which queries count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// What weights and rules are chosen with.
    Tune,
    /// What they are judged with.
    Validation,
    All,
}

impl Part {
    pub const EACH: [Self; 3] = [Self::Tune, Self::Validation, Self::All];

    /// The half that a query belongs to, by the hash of its id: it never changes.
    pub fn of(id: &str) -> Self {
        match Sha256::digest(id)[0] % 2 {
            0 => Self::Tune,
            _ => Self::Validation,
        }
    }

    /// Whether a query of that half counts.
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
