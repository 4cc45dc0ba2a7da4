//! The names of skills as Agent Skills: lower-case letters, digits and single hyphens, at most 64 characters.
//!
//! An id that is a valid name is used as it is. Any other id is turned into a slug (`Repo.brief` becomes
//! `repo-brief`). If another skill has or wants the same slug, a part of the hash of the id is appended. So
//! names are unique, and they do not depend on the order of files.

use std::collections::{BTreeMap, HashMap};

use capstan_core::similar;
use capstan_engine::SkillVersions;
use sha2::{Digest as _, Sha256};

use super::main_skill::NAME as MAIN;

/// The longest name, in characters.
const MAX_LENGTH: usize = 64;
const HASH_DIGITS: usize = 8;

/// The skill that a name belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedSkill {
    Main,
    Engine(SkillVersions),
}

/// All skills by their unique names.
#[derive(Debug)]
pub(super) struct SkillNames(BTreeMap<String, NamedSkill>);

impl SkillNames {
    /// Gives each skill a name. Each id must occur once.
    pub(super) fn assign(skills: Vec<SkillVersions>) -> Self {
        let mut names = BTreeMap::from([(MAIN.to_owned(), NamedSkill::Main)]);
        let (valid, others): (Vec<_>, Vec<_>) = skills
            .into_iter()
            .partition(|it| is_valid_name(&it.id) && it.id != MAIN);
        for skill in valid {
            names.insert(skill.id.clone(), NamedSkill::Engine(skill));
        }
        let mut slug_counts: HashMap<String, usize> = HashMap::new();
        for skill in &others {
            *slug_counts.entry(slug(&skill.id, MAX_LENGTH)).or_default() += 1;
        }
        for skill in others {
            let slug = slug(&skill.id, MAX_LENGTH);
            let is_unique = slug_counts.get(&slug) == Some(&1) && !names.contains_key(&slug);
            let name = if is_unique {
                slug
            } else {
                name_with_hash(&skill.id, &names)
            };
            names.insert(name, NamedSkill::Engine(skill));
        }
        Self(names)
    }

    pub(super) fn get(&self, name: &str) -> Option<&NamedSkill> {
        self.0.get(name)
    }

    /// Iterates in the order of names, starting behind `name`, or at the beginning without one.
    pub(super) fn iter_after<'a>(
        &'a self,
        name: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a str, &'a NamedSkill)> {
        let start = match name {
            Some(name) => std::ops::Bound::Excluded(name),
            None => std::ops::Bound::Unbounded,
        };
        let rest = self.0.range::<str, _>((start, std::ops::Bound::Unbounded));
        rest.map(|(name, named)| (name.as_str(), named))
    }

    /// Returns the name that is most similar to a mistyped one, if any is similar enough.
    pub(super) fn closest(&self, name: &str) -> Option<&str> {
        similar::closest(name, self.0.keys().map(String::as_str))
    }
}

fn is_valid_name(id: &str) -> bool {
    id.len() <= MAX_LENGTH && slug(id, MAX_LENGTH) == id
}

/// Returns the words of an id in lower case, joined by hyphens and cut at `max_length`.
fn slug(id: &str, max_length: usize) -> String {
    let lower = id.to_ascii_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    let mut name = words.join("-");
    name.truncate(max_length);
    name.truncate(name.trim_end_matches('-').len());
    name
}

/// Returns the slug of an id with a part of its hash, which no other skill has.
fn name_with_hash(id: &str, taken: &BTreeMap<String, NamedSkill>) -> String {
    let slug = slug(id, MAX_LENGTH - HASH_DIGITS - 1);
    // Another skill may have this very name as its id: then another hash is tried.
    let mut round = 0_u32;
    loop {
        let name = format!(
            "{slug}-{}",
            &sha256_hex(&format!("{id} {round}"))[..HASH_DIGITS]
        );
        if !taken.contains_key(&name) {
            return name;
        }
        round += 1;
    }
}

/// Returns the SHA-256 of a text in hexadecimal digits.
pub(super) fn sha256_hex(text: &str) -> String {
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
        fn every_id_gets_a_unique_valid_name(ids in btree_set("[aAbB][ab12._:-]{0,4}|[a-]{60,70}", 0..40)) {
            let ids: Vec<_> = ids.iter().filter(|id| !id.starts_with('-')).map(String::as_str).collect();
            let all = assigned(&ids);
            prop_assert_eq!(all.len(), ids.len());
            for (id, name) in &all {
                prop_assert!(is_valid_name(name), "{} is called {}", id, name);
                prop_assert!(!is_valid_name(id) || id == name, "{} is called {}", id, name);
            }
        }
    }

    /// Returns the ids with the names that they get.
    fn assigned(ids: &[&str]) -> Vec<(String, String)> {
        let skills = ids.iter().map(|id| SkillVersions {
            id: (*id).to_owned(),
            versions: Vec::new(),
        });
        let names = SkillNames::assign(skills.collect());
        let all = names
            .iter_after(None)
            .filter_map(|(name, named)| match named {
                NamedSkill::Engine(skill) => Some((skill.id.clone(), name.to_owned())),
                NamedSkill::Main => None,
            });
        all.collect()
    }

    fn name_of(id: &str, ids: &[&str]) -> String {
        let all = assigned(ids);
        all.into_iter().find(|it| it.0 == id).unwrap().1
    }

    #[test]
    fn ids_that_are_valid_names_are_kept() {
        for id in ["report", "issue-brief", "v2", "a"] {
            assert_eq!(name_of(id, &["Report", id, "issue.brief"]), id);
        }
    }

    #[test]
    fn other_ids_become_slugs() {
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
    fn names_are_unique_and_independent_of_order() {
        let ids = ["a-b", "a.b", "a_b", "A-B", "capstan", "a:b", "x.y"];
        let mut all = assigned(&ids);
        all.sort();
        let mut reversed = ids;
        reversed.reverse();
        let mut again = assigned(&reversed);
        again.sort();
        assert_eq!(all, again);
        let mut names: Vec<_> = all.iter().map(|it| &it.1).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ids.len(), "{all:?}");
        assert!(
            all.iter()
                .all(|(_, name)| is_valid_name(name) && name != MAIN)
        );
        assert_eq!(name_of("x.y", &ids), "x-y");
    }

    #[test]
    fn a_hashed_name_that_is_taken_is_not_used_again() {
        let hashed = name_of("a.b", &["a-b", "a.b"]);
        let again = name_of("a.b", &["a-b", "a.b", &hashed]);
        assert_ne!(hashed, again);
        assert!(is_valid_name(&again));
    }
}
