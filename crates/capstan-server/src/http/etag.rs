//! ETags: the same text for the same content, and whether a conditional header lists it.

use std::fmt;

use axum::http::header::{HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH};
use sha2::{Digest as _, Sha256};

/// A strong ETag, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ETag(String);

impl ETag {
    /// Computes the ETag from everything that determines the content. The length of each part is
    /// hashed too, so that the boundaries between parts matter.
    pub(super) fn from_parts(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        let digits = digest[..16].iter().map(|byte| format!("{byte:02x}"));
        Self(digits.collect())
    }

    /// Returns whether `If-None-Match` lists this ETag or is `*`. Weak ETags match too.
    pub(super) fn matches_if_none_match(&self, headers: &HeaderMap) -> bool {
        header_values(headers, IF_NONE_MATCH).any(|list| self.is_in(list, Comparison::Weak))
    }

    /// Returns whether `If-Match` lists this ETag or is `*`. Weak ETags never match.
    pub(super) fn matches_if_match(&self, headers: &HeaderMap) -> bool {
        header_values(headers, IF_MATCH).any(|list| self.is_in(list, Comparison::Strong))
    }

    fn is_in(&self, list: &str, comparison: Comparison) -> bool {
        if list.trim() == "*" {
            return true;
        }
        let mut rest = list;
        // An ETag may contain commas, so the list is split at the quotes.
        while let Some((before, after)) = rest.split_once('"') {
            let Some((tag, left)) = after.split_once('"') else {
                return false;
            };
            let is_weak = before.ends_with("W/");
            if tag == self.0 && (comparison == Comparison::Weak || !is_weak) {
                return true;
            }
            rest = left;
        }
        false
    }
}

/// How ETags are compared (RFC 9110). Only a weak comparison accepts weak ETags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Weak,
    Strong,
}

fn header_values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    values.filter_map(|value| value.to_str().ok())
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_an_etag_in_every_form_of_list() {
        let tag = ETag("abc".to_owned());
        for list in [
            "*",
            " * ",
            r#""abc""#,
            r#"W/"abc""#,
            r#""x", "abc""#,
            r#""x,y" ,W/"abc""#,
            r#""x","","abc","z""#,
        ] {
            assert!(tag.is_in(list, Comparison::Weak), "{list}");
            let is_weak = list.contains("W/");
            assert_eq!(tag.is_in(list, Comparison::Strong), !is_weak, "{list}");
        }
        for list in [
            "",
            "abc",
            r#""abcd""#,
            r#""ab,c""#,
            r#""abc"#,
            r#""*""#,
            "**",
        ] {
            assert!(!tag.is_in(list, Comparison::Weak), "{list}");
        }
    }

    #[test]
    fn boundaries_between_parts_matter() {
        assert_ne!(
            ETag::from_parts(&[b"ab", b"c"]),
            ETag::from_parts(&[b"a", b"bc"])
        );
        assert_eq!(ETag::from_parts(&[b"ab"]), ETag::from_parts(&[b"ab"]));
    }
}
