//! Validators: the same text for the same content, and whether a caller has it already.

use std::fmt;

use axum::http::header::{HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH};
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
        lists(headers, IF_NONE_MATCH).any(|list| self.is_in(list, Compared::Weakly))
    }

    /// Whether `If-Match` names it: any does that says `*`, and none that is said to be weak.
    pub(super) fn is_meant_by(&self, headers: &HeaderMap) -> bool {
        lists(headers, IF_MATCH).any(|list| self.is_in(list, Compared::Strongly))
    }

    fn is_in(&self, list: &str, compared: Compared) -> bool {
        if list.trim() == "*" {
            return true;
        }
        let mut rest = list;
        // Quoted texts may hold commas, so they are read one by one.
        while let Some((before, after)) = rest.split_once('"') {
            let Some((tag, left)) = after.split_once('"') else {
                return false;
            };
            let counts = compared == Compared::Weakly || !before.ends_with("W/");
            if tag == self.0 && counts {
                return true;
            }
            rest = left;
        }
        false
    }
}

/// Whether a validator that is said to be weak counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    Weakly,
    Strongly,
}

fn lists(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let lists = headers.get_all(name).into_iter();
    lists.filter_map(|list| list.to_str().ok())
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
            assert!(tag.is_in(list, Compared::Weakly), "{list}");
            let is_weak = list.contains("W/");
            assert_eq!(tag.is_in(list, Compared::Strongly), !is_weak, "{list}");
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
            assert!(!tag.is_in(list, Compared::Weakly), "{list}");
        }
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(ETag::of(&[b"ab", b"c"]), ETag::of(&[b"a", b"bc"]));
        assert_eq!(ETag::of(&[b"ab"]), ETag::of(&[b"ab"]));
    }
}
