//! What tells two plans apart: a run that stopped goes on by the same plan, or not at all.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

use super::{NodeKind, Plan};
use crate::Runs;

impl Plan {
    /// The same for plans of which every step is the same: what it runs, its input, its condition and
    /// its place. What runs teach about the parameters of code changes nothing: the code is the same.
    pub fn fingerprint(&self) -> String {
        let mut nodes = self.nodes.clone();
        for node in &mut nodes {
            if let NodeKind::Run(leaf) = &mut node.kind
                && matches!(&leaf.runs, Runs::Capability(name) if *name == leaf.skill)
            {
                leaf.input = None;
            }
        }
        // The same words mean other parts to a skill that comes with a folder.
        let names = (&self.id, &self.version, self.is_found);
        fingerprint(&(names, &self.scopes, nodes))
    }
}

/// SHA-256 of everything that a value is made of, in hex digits. Holds within one version of Capstan.
pub fn fingerprint(value: &impl fmt::Debug) -> String {
    let mut text = Hashed(Sha256::new());
    // Neither hashing nor writing into a string can fail.
    let _ = write!(text, "{value:?}");
    let mut digits = String::new();
    for byte in text.0.finalize() {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Hashes what is written.
struct Hashed(Sha256);

impl fmt::Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}
