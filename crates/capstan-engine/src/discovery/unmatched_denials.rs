//! Which patterns of a policy deny nothing: they are probably misspelt, and protect nobody.

use std::time::{Duration, Instant};

use capstan_core::ErrorCode;

use capstan_exec::glob;

use super::{Discovery, Wanted};

/// How long servers may take to say which tools they have.
const PATIENCE: Duration = Duration::from_secs(10);

impl Discovery {
    /// Returns the patterns of `deny` that fit no capability. May start downstream servers to find out.
    pub async fn unmatched_denials(&self) -> Vec<String> {
        let patterns = &self.shared.settings.policy.deny;
        if patterns.is_empty() {
            return Vec::new();
        }
        let (hits, _) = self.search(&Wanted::default()).await;
        let names: Vec<_> = hits
            .iter()
            .flat_map(|hit| [Some(hit.id.as_str()), hit.fqdn.as_deref()])
            .flatten()
            .chain(["code.exec"])
            .collect();
        let deadline = self.shared.clock.now() + PATIENCE;
        let mut unmatched = Vec::new();
        for pattern in patterns {
            let fits = |name: &&str| glob::fits(without_object(pattern), name);
            if !names.iter().any(fits) && !self.can_be_named(pattern, deadline).await {
                unmatched.push(pattern.clone());
            }
        }
        unmatched
    }

    /// Whether something is run under this name: an alias, a short name, or a range of versions.
    async fn can_be_named(&self, name: &str, deadline: Instant) -> bool {
        match self.resolver.find(without_object(name), deadline).await {
            Ok(_) => true,
            Err(error) => error.code != ErrorCode::NotFound,
        }
    }
}

/// A pattern without the object of which code calls what it names.
fn without_object(pattern: &str) -> &str {
    let pattern = pattern.trim();
    ["capstan.", "mcp.", "caps."]
        .iter()
        .find_map(|object| pattern.strip_prefix(object))
        .unwrap_or(pattern)
}
