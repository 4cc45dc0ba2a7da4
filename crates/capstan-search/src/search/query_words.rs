//! The words of a query, with their matches in the index.

use std::collections::HashSet;

use super::words::rarity;
use crate::Index;
use crate::index::Posting;
use crate::text::{meaningful, stem};

/// A word of the query.
#[derive(Debug)]
pub(crate) struct QueryWord<'a> {
    /// The word as written in the query.
    pub(crate) text: &'a str,
    /// The words of the index that it may mean; empty if no document has a similar one.
    pub(crate) matches: Vec<Match<'a>>,
}

/// A word of the index.
#[derive(Debug)]
pub(crate) struct Match<'a> {
    /// The matching word, if it differs from the query's word.
    pub(crate) instead: Option<&'a str>,
    /// The slot of its stem.
    pub(crate) term: u32,
    pub(crate) postings: &'a [Posting],
    /// Its rarity, reduced if it only resembles the query's word.
    pub(crate) weight: f32,
}

/// How many words of a query are considered.
const MAX_WORDS: usize = 128;
/// For how many unknown words similar ones are searched.
const MAX_UNKNOWN: usize = 4;
/// How many words a prefix may match.
const MAX_BEGINNINGS: usize = 6;
/// The shortest prefix that is completed, in characters.
const MIN_BEGINNING_CHARS: usize = 2;

/// The weight of a word by its number of typing errors.
const ERRORS: [f32; 3] = [1.0, 0.8, 0.6];
/// The weight of a word of which the query has only a prefix.
const BEGUN: f32 = 0.7;

pub(crate) fn query_words<'a>(index: &'a Index, text: &'a str) -> Vec<QueryWord<'a>> {
    let mut seen = HashSet::new();
    let mut unknown = 0;
    let mut all: Vec<QueryWord<'a>> = Vec::new();
    // If all letters are upper case, capitals say nothing about names.
    let has_small = text.contains(char::is_lowercase);
    let mut rest = meaningful(text).peekable();
    while let Some(word) = rest.next() {
        let lower = word.to_lowercase();
        let last = rest.peek().is_none() && text.ends_with(word);
        let is_name = !all.is_empty() && has_small && word.starts_with(char::is_uppercase);
        if !seen.insert(stem(&lower)) {
            continue;
        }
        let mut matches: Vec<_> = known(index, &lower, None, 1.0).into_iter().collect();
        // Names of people and products are in no catalogue, and resemble other words.
        if matches.is_empty() && !is_name && unknown < MAX_UNKNOWN {
            unknown += 1;
            matches = alike(index, &lower, last);
        }
        all.push(QueryWord {
            text: word,
            matches,
        });
        if all.len() == MAX_WORDS {
            break;
        }
    }
    all
}

fn alike<'a>(index: &'a Index, word: &str, last: bool) -> Vec<Match<'a>> {
    let letters = word.chars().count();
    if last && letters >= MIN_BEGINNING_CHARS {
        let begun = index.vocabulary.beginning(word, MAX_BEGINNINGS);
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
