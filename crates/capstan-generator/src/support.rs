//! Which outlines become cards today, and why others do not.

use std::collections::BTreeMap;
use std::fmt;

use capstan_catalog::outline::{Outline, check};

/// Outlines that cannot be run, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    pub supported: usize,
    pub unsupported: BTreeMap<String, Vec<String>>,
}

impl Support {
    /// Expands and compiles every outline.
    pub fn of<'a>(outlines: impl IntoIterator<Item = (&'a String, &'a Outline)>) -> Self {
        let mut support = Self::default();
        for (id, outline) in outlines {
            match check(id, outline) {
                Ok(()) => support.supported += 1,
                Err(reason) => {
                    let ids = support.unsupported.entry(reason).or_default();
                    ids.push(id.clone());
                }
            }
        }
        support
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsupported: usize = self.unsupported.values().map(Vec::len).sum();
        writeln!(f, "{} become cards, {unsupported} do not", self.supported)?;
        for (reason, ids) in &self.unsupported {
            writeln!(f, "{reason} ({}): {}", ids.len(), ids.join(", "))?;
        }
        Ok(())
    }
}
