//! What skills are called as Agent Skills: lower-case letters, digits and single hyphens, at most 64.
//!
//! An id that is such a name keeps it. Any other is written in lower case with hyphens between its words
//! (`Repo.brief` is `repo-brief`). Where that name would not be its alone, a part of the hash of the id
//! follows, so no two skills have one name, and which has which does not depend on the order of files.

use std::collections::{BTreeMap, HashMap};

use capstan_core::similar;
use capstan_engine::SkillVersions;
use sha2::{Digest as _, Sha256};

use super::own::NAME as MAIN;

const LONGEST: usize = 64;
const HASH_DIGITS: usize = 8;

/// Whose name it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Main,
    Skill(SkillVersions),
}

#[derive(Debug)]
pub(super) struct Names(BTreeMap<String, Named>);

impl Names {
    /// The names of skills; each id is there once.
    pub(super) fn of(skills: Vec<SkillVersions>) -> Self {
        let mut names = BTreeMap::from([(MAIN.to_owned(), Named::Main)]);
        let (plain, others): (Vec<_>, Vec<_>) = skills
            .into_iter()
            .partition(|it| is_name(&it.id) && it.id != MAIN);
        for skill in plain {
            names.insert(skill.id.clone(), Named::Skill(skill));
        }
        let mut wanted: HashMap<String, usize> = HashMap::new();
        for skill in &others {
            *wanted.entry(in_words(&skill.id, LONGEST)).or_default() += 1;
        }
        for skill in others {
            let words = in_words(&skill.id, LONGEST);
            let alone = wanted.get(&words) == Some(&1) && !names.contains_key(&words);
            let name = if alone {
                words
            } else {
                with_hash(&skill.id, &names)
            };
            names.insert(name, Named::Skill(skill));
        }
        Self(names)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Named> {
        self.0.get(name)
    }

    /// In order, those that follow a name.
    pub(super) fn after<'a>(
        &'a self,
        name: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a str, &'a Named)> {
        let start = match name {
            Some(name) => std::ops::Bound::Excluded(name),
            None => std::ops::Bound::Unbounded,
        };
        let rest = self.0.range::<str, _>((start, std::ops::Bound::Unbounded));
        rest.map(|(name, named)| (name.as_str(), named))
    }

    /// What somebody who mistyped may have meant.
    pub(super) fn near(&self, name: &str) -> Option<&str> {
        similar::closest(name, self.0.keys().map(String::as_str))
    }
}

fn is_name(id: &str) -> bool {
    id.len() <= LONGEST && in_words(id, LONGEST) == id
}

/// Its words in lower case, with hyphens between them.
fn in_words(id: &str, longest: usize) -> String {
    let lower = id.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-");
    name.truncate(longest);
    name.truncate(name.trim_end_matches('-').len());
    name
}

fn with_hash(id: &str, taken: &BTreeMap<String, Named>) -> String {
    let words = in_words(id, LONGEST - HASH_DIGITS - 1);
    // Somebody may have called a skill as another comes to be called.
    let mut round = 0_u32;
    loop {
        let name = format!(
            "{words}-{}",
            &digest(&format!("{id} {round}"))[..HASH_DIGITS]
        );
        if !taken.contains_key(&name) {
            return name;
        }
        round += 1;
    }
}

/// SHA-256 in hexadecimal digits.
pub(super) fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_id_has_a_name_of_its_own(ids in btree_set("[aAbB][ab12._:-]{0,4}|[a-]{60,70}", 0..40)) {
            let ids: Vec<_> = ids.iter().filter(|id| !id.starts_with('-')).map(String::as_str).collect();
            let all = named(&ids);
            prop_assert_eq!(all.len(), ids.len());
            for (id, name) in &all {
                prop_assert!(is_name(name), "{} is called {}", id, name);
                prop_assert!(!is_name(id) || id == name, "{} is called {}", id, name);
            }
        }
    }

    fn named(ids: &[&str]) -> Vec<(String, String)> {
        let skills = ids.iter().map(|id| SkillVersions {
            id: (*id).to_owned(),
            versions: Vec::new(),
        });
        let names = Names::of(skills.collect());
        let all = names.after(None).filter_map(|(name, named)| match named {
            Named::Skill(skill) => Some((skill.id.clone(), name.to_owned())),
            Named::Main => None,
        });
        all.collect()
    }

    fn name_of(id: &str, ids: &[&str]) -> String {
        let all = named(ids);
        all.into_iter().find(|it| it.0 == id).unwrap().1
    }

    #[test]
    fn ids_that_are_names_keep_them() {
        for id in ["report", "issue-brief", "v2", "a"] {
            assert_eq!(name_of(id, &["Report", id, "issue.brief"]), id);
        }
    }

    #[test]
    fn other_ids_are_their_words() {
        for (id, name) in [
            ("repo.brief", "repo-brief"),
            ("Team:Weekly_report", "team-weekly-report"),
            ("a--b-", "a-b"),
        ] {
            assert_eq!(name_of(id, &[id, "other"]), name);
        }
        let long = format!("{}.x", "a".repeat(80));
        assert_eq!(name_of(&long, &[&long]), "a".repeat(64));
    }

    #[test]
    fn no_two_have_one_name_whatever_the_order() {
        let ids = ["a-b", "a.b", "a_b", "A-B", "capstan", "a:b", "x.y"];
        let mut all = named(&ids);
        all.sort();
        let mut reversed = ids;
        reversed.reverse();
        let mut again = named(&reversed);
        again.sort();
        assert_eq!(all, again);
        let mut names: Vec<_> = all.iter().map(|it| &it.1).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ids.len(), "{all:?}");
        assert!(all.iter().all(|(_, name)| is_name(name) && name != MAIN));
        assert_eq!(name_of("x.y", &ids), "x-y");
    }

    #[test]
    fn a_name_that_was_taken_on_purpose_is_not_given_twice() {
        let hashed = name_of("a.b", &["a-b", "a.b"]);
        let again = name_of("a.b", &["a-b", "a.b", &hashed]);
        assert_ne!(hashed, again);
        assert!(is_name(&again));
    }
}
