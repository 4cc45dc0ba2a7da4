//! Validators: the same text for the same content, and whether a caller has it already.

use std::fmt;

use axum::http::header::{HeaderMap, IF_NONE_MATCH};
use sha2::{Digest as _, Sha256};

/// A strong validator, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ETag(String);

impl ETag {
    /// Of everything that decides the content. The parts cannot run into each other.
    pub(super) fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let hash = hash.finalize();
        let digits = hash[..16].iter().map(|byte| format!("{byte:02x}"));
        Self(digits.collect())
    }

    /// Whether `If-None-Match` names it: any does that says `*`, and it does not matter whether a
    /// validator is said to be weak.
    pub(super) fn is_known_to(&self, headers: &HeaderMap) -> bool {
        let lists = headers.get_all(IF_NONE_MATCH).iter();
        let lists = lists.filter_map(|list| list.to_str().ok());
        lists.into_iter().any(|list| self.is_in(list))
    }

    fn is_in(&self, list: &str) -> bool {
        if list.trim() == "*" {
            return true;
        }
        let mut rest = list;
        // Quoted texts may hold commas, so they are read one by one.
        while let Some((_, after)) = rest.split_once('"') {
            let Some((tag, left)) = after.split_once('"') else {
                return false;
            };
            if tag == self.0 {
                return true;
            }
            rest = left;
        }
        false
    }
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
    fn a_list_names_it_however_it_is_written() {
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
            assert!(tag.is_in(list), "{list}");
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
            assert!(!tag.is_in(list), "{list}");
        }
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(ETag::of(&[b"ab", b"c"]), ETag::of(&[b"a", b"bc"]));
        assert_eq!(ETag::of(&[b"ab"]), ETag::of(&[b"ab"]));
    }
}
