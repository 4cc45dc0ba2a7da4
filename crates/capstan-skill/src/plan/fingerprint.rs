//! Fingerprints of plans: a stopped run is resumed with the same plan or not at all.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

use super::{NodeKind, Plan};
use crate::Runs;

impl Plan {
    /// Returns a text that is equal for plans with equal steps: what each runs, its input, its condition and
    /// its position. The input schema of remembered code is ignored, because runs refine it while the code
    /// stays the same.
    pub fn fingerprint(&self) -> String {
        let mut nodes = self.nodes.clone();
        for node in &mut nodes {
            if let NodeKind::Run(leaf) = &mut node.kind
                && matches!(&leaf.runs, Runs::Capability(name) if *name == leaf.skill)
            {
                leaf.input = None;
            }
        }
        // The same names refer to other skills if the skill comes from the current folder's `capstan.toml`.
        let names = (&self.id, &self.version, self.is_from_folder);
        fingerprint(&(names, &self.scopes, nodes))
    }
}

/// Returns the SHA-256 digest of a value's debug representation in hex digits. It is stable within one
/// version of Capstan.
pub fn fingerprint(value: &impl fmt::Debug) -> String {
    let mut text = Hashed(Sha256::new());
    // Neither hashing nor writing to a string can fail.
    let _ = write!(text, "{value:?}");
    let mut digits = String::new();
    for byte in text.0.finalize() {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Hashes everything that is written to it.
struct Hashed(Sha256);

impl fmt::Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}
