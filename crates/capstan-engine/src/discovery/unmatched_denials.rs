//! Finds patterns of the policy that deny nothing: they are probably misspelt.

use std::time::{Duration, Instant};

use capstan_core::ErrorCode;

use capstan_core::glob;

use super::{Discovery, SearchRequest};

/// How long to wait for the servers' lists of tools.
const TOOL_LIST_TIMEOUT: Duration = Duration::from_secs(10);

impl Discovery {
    /// Returns the patterns of `deny` that match no capability. May start downstream servers.
    pub async fn unmatched_denials(&self) -> Vec<String> {
        let patterns = &self.shared.settings.policy.deny;
        if patterns.is_empty() {
            return Vec::new();
        }
        let (hits, _) = self.search(&SearchRequest::default()).await;
        let names: Vec<_> = hits
            .iter()
            .flat_map(|hit| [Some(hit.id.as_str()), hit.fqdn.as_deref()])
            .flatten()
            .chain(["code.exec"])
            .collect();
        let deadline = self.shared.clock.now() + TOOL_LIST_TIMEOUT;
        let mut unmatched = Vec::new();
        for pattern in patterns {
            let fits = |name: &&str| glob::fits(without_object(pattern), name);
            if !names.iter().any(fits) && !self.can_be_named(pattern, deadline).await {
                unmatched.push(pattern.clone());
            }
        }
        unmatched
    }

    /// Returns whether a capability has this name: an alias, a short name, or a range of versions.
    async fn can_be_named(&self, name: &str, deadline: Instant) -> bool {
        match self.resolver.find(without_object(name), deadline).await {
            Ok(_) => true,
            Err(error) => error.code != ErrorCode::NotFound,
        }
    }
}

/// Returns a pattern without the object through which code calls capabilities.
fn without_object(pattern: &str) -> &str {
    let pattern = pattern.trim();
    ["capstan.", "mcp.", "caps."]
        .iter()
        .find_map(|object| pattern.strip_prefix(object))
        .unwrap_or(pattern)
}
