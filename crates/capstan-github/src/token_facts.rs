//! Reads facts about the token from the headers of an answer.

use capstan_core::port::{Budget, TokenFacts};
use http::HeaderMap;

/// The longest scope, in bytes. A proxy may put anything into a header, even the token; no scope is
/// longer than this.
const MAX_SCOPE_BYTES: usize = 40;

pub(crate) fn token_facts(headers: &HeaderMap) -> TokenFacts {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let number = |name: &str| text(name).and_then(|text| text.trim().parse().ok());
    let budget = || {
        Some(Budget {
            limit: number("x-ratelimit-limit")?,
            remaining: number("x-ratelimit-remaining")?,
            resets_at: number("x-ratelimit-reset")?,
        })
    };
    TokenFacts {
        scopes: text("x-oauth-scopes").map(scopes),
        budget: budget(),
    }
}

fn scopes(listed: &str) -> Vec<String> {
    let words = listed.split(',').map(str::trim);
    let is_scope = |word: &&str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b':' | b'-');
        !word.is_empty() && word.len() <= MAX_SCOPE_BYTES && word.bytes().all(plain)
    };
    words.filter(is_scope).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(headers: &[(&'static str, &'static str)]) -> TokenFacts {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        token_facts(&map)
    }

    #[test]
    fn scopes_and_budget_are_read() {
        let facts = facts(&[
            ("x-oauth-scopes", "repo, read:org, admin:public_key"),
            ("x-ratelimit-limit", "5000"),
            ("x-ratelimit-remaining", "4990"),
            ("x-ratelimit-reset", "1790000000"),
        ]);
        let scopes = facts.scopes.unwrap();
        assert_eq!(scopes, ["repo", "read:org", "admin:public_key"]);
        let budget = facts.budget.unwrap();
        assert_eq!((budget.limit, budget.remaining), (5000, 4990));
    }

    #[test]
    fn a_token_without_scopes_differs_from_one_with_none_named() {
        assert_eq!(facts(&[("x-oauth-scopes", "")]).scopes, Some(Vec::new()));
        assert_eq!(facts(&[]).scopes, None);
        assert_eq!(facts(&[("x-ratelimit-limit", "many")]).budget, None);
    }

    #[test]
    fn what_cannot_be_a_scope_is_left_out() {
        let reflected = facts(&[("x-oauth-scopes", "ghp_0123456789ABCdef, repo, a b")]);
        assert_eq!(reflected.scopes.unwrap(), ["repo"]);
    }
}
