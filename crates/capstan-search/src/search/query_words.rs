//! The words of a query, with what they mean in this index.

use std::collections::HashSet;

use super::words::rarity;
use crate::Index;
use crate::index::Posting;
use crate::text::{stem, telling};

/// A word of the query.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    /// As it stands in the query.
    pub(crate) text: &'a str,
    /// What may be meant by it. Nothing, if no document has anything like it.
    pub(crate) matches: Vec<Match<'a>>,
}

/// A word of the index.
#[derive(Debug)]
pub(crate) struct Match<'a> {
    /// If it is not the word of the query.
    pub(crate) instead: Option<&'a str>,
    /// The place of its stem.
    pub(crate) term: u32,
    pub(crate) postings: &'a [Posting],
    /// Its rarity, less where it is only like the query's word.
    pub(crate) weight: f32,
}

/// More words of a query are not looked at.
const MOST_WORDS: usize = 128;
/// So many unknown words are looked for among the known ones.
const MOST_UNKNOWN: usize = 4;
/// So many words may be meant by the beginning of one.
const MOST_BEGINNINGS: usize = 6;
/// The shortest beginning of a word that is looked for.
const SHORTEST_BEGINNING: usize = 2;

/// What a word counts that is so many typing errors away, and one that is only begun.
const ERRORS: [f32; 3] = [1.0, 0.8, 0.6];
const BEGUN: f32 = 0.7;

pub(crate) fn wanted<'a>(index: &'a Index, text: &'a str) -> Vec<Wanted<'a>> {
    let mut seen = HashSet::new();
    let mut unknown = 0;
    let mut all: Vec<Wanted<'a>> = Vec::new();
    // Where all letters are large, large letters tell nothing.
    let has_small = text.contains(char::is_lowercase);
    let mut rest = telling(text).peekable();
    while let Some(word) = rest.next() {
        let lower = word.to_lowercase();
        let last = rest.peek().is_none() && text.ends_with(word);
        let is_name = !all.is_empty() && has_small && word.starts_with(char::is_uppercase);
        if !seen.insert(stem(&lower)) {
            continue;
        }
        let mut matches: Vec<_> = known(index, &lower, None, 1.0).into_iter().collect();
        // Names of people and products are not in any catalogue, and look like other words.
        if matches.is_empty() && !is_name && unknown < MOST_UNKNOWN {
            unknown += 1;
            matches = alike(index, &lower, last);
        }
        all.push(Wanted {
            text: word,
            matches,
        });
        if all.len() == MOST_WORDS {
            break;
        }
    }
    all
}

fn alike<'a>(index: &'a Index, word: &str, last: bool) -> Vec<Match<'a>> {
    let letters = word.chars().count();
    if last && letters >= SHORTEST_BEGINNING {
        let begun = index.vocabulary.beginning(word, MOST_BEGINNINGS);
        if !begun.is_empty() {
            let matches = begun.into_iter();
            return matches
                .filter_map(|full| known(index, full, Some(full), BEGUN))
                .collect();
        }
    }
    let errors = match letters {
        ..4 => return Vec::new(),
        4..8 => 1,
        _ => 2,
    };
    if !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let alike = index.vocabulary.near(word, errors);
    let matches = alike.map(|it| Match {
        instead: Some(it.text),
        term: it.term,
        postings: it.postings,
        weight: ERRORS[it.errors] * rarity(it.postings.len(), index.len()),
    });
    matches.into_iter().collect()
}

fn known<'a>(
    index: &'a Index,
    word: &str,
    instead: Option<&'a str>,
    worth: f32,
) -> Option<Match<'a>> {
    let (term, postings) = index.vocabulary.postings(word)?;
    Some(Match {
        instead,
        term,
        postings,
        weight: worth * rarity(postings.len(), index.len()),
    })
}
