//! Search by plain text match: words of the query against ids, descriptions, intents and
//! parameters, each weighted by how rare it is.

use std::collections::{HashMap, HashSet};

use capstan_core::card::Kind;

use crate::{Catalog, Summary};

/// Something that can be found, and the words that it can be found by.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    pub summary: Summary<'a>,
    /// Other names of it.
    pub names: Vec<&'a str>,
    pub intents: Vec<&'a str>,
    pub parameters: Vec<&'a str>,
}

/// What to look for. Everything empty lists everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query<'a> {
    pub intent: Option<&'a str>,
    pub domain: Option<&'a str>,
    pub kind: Option<Kind>,
    pub limit: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'a> {
    pub capability: Summary<'a>,
    /// Higher is better; zero when nothing was looked for.
    pub score: f64,
}

impl Catalog {
    /// The best matches among the cards first; ties in the order of their ids.
    pub fn search(&self, query: &Query<'_>) -> Vec<Hit<'_>> {
        search(self.candidates(), query)
    }
}

/// The best matches first; ties in the order of their ids. Without an intent, all in their order.
pub fn search<'a>(
    candidates: impl Iterator<Item = Candidate<'a>>,
    query: &Query<'_>,
) -> Vec<Hit<'a>> {
    let wanted = |candidate: &Candidate<'_>| {
        let Summary { id, kind, .. } = candidate.summary;
        let domain = |domain| id.split('.').next() == Some(domain);
        query.domain.is_none_or(domain) && query.kind.is_none_or(|wanted| wanted == kind)
    };
    let candidates = candidates.filter(wanted);
    let limit = query.limit.unwrap_or(usize::MAX);
    let Some(intent) = query.intent.filter(|intent| !intent.trim().is_empty()) else {
        let all = candidates.map(|candidate| Hit {
            capability: candidate.summary,
            score: 0.0,
        });
        return all.take(limit).collect();
    };
    let documents: Vec<_> = candidates
        .map(|candidate| (Document::new(&candidate), candidate))
        .collect();
    let rarity = Rarity::of(documents.iter().map(|(document, _)| document));
    let wanted: Vec<_> = words(intent).into_iter().collect();
    let mut hits: Vec<_> = documents
        .iter()
        .map(|(document, candidate)| {
            let capability = candidate.summary;
            let named = |name: &&str| *name == intent.trim();
            let exact = named(&capability.id) || candidate.names.iter().any(named);
            Hit {
                capability,
                score: f64::from(u8::from(exact)) * EXACT + document.score(&wanted, &rarity),
            }
        })
        .filter(|hit| hit.score > 0.0)
        .collect();
    hits.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(left.capability.id.cmp(right.capability.id))
    });
    hits.truncate(limit);
    hits
}

/// More than any number of matching words is worth.
const EXACT: f64 = 1000.0;

/// The words of a capability with the best weight of the places they stand in.
struct Document {
    weights: HashMap<String, f64>,
    intents: Vec<HashSet<String>>,
}

impl Document {
    fn new(candidate: &Candidate<'_>) -> Self {
        let Candidate {
            summary,
            names,
            intents,
            parameters,
        } = candidate;
        let mut weights = HashMap::new();
        let mut add = |text: &str, weight: f64| {
            for word in words(text) {
                let slot = weights.entry(word).or_insert(0.0_f64);
                *slot = slot.max(weight);
            }
        };
        add(summary.id, 3.0);
        names.iter().for_each(|name| add(name, 3.0));
        add(summary.description, 2.0);
        intents.iter().for_each(|intent| add(intent, 1.5));
        parameters.iter().for_each(|parameter| add(parameter, 0.5));
        Self {
            weights,
            intents: intents.iter().map(|intent| words(intent)).collect(),
        }
    }

    fn score(&self, wanted: &[String], rarity: &Rarity) -> f64 {
        let matched: f64 = wanted
            .iter()
            .filter_map(|word| {
                self.weights
                    .get(word)
                    .map(|weight| weight * rarity.weight(word))
            })
            .sum();
        // Whole intents count: how much of the closest one the query shares.
        let closest = self
            .intents
            .iter()
            .map(|intent| {
                let shared = wanted.iter().filter(|word| intent.contains(*word)).count();
                2.0 * shared as f64 / (intent.len() + wanted.len()).max(1) as f64
            })
            .fold(0.0, f64::max);
        if matched > 0.0 {
            matched + 4.0 * closest
        } else {
            0.0
        }
    }
}

struct Rarity {
    documents: f64,
    counts: HashMap<String, f64>,
}

impl Rarity {
    fn of<'a>(documents: impl Iterator<Item = &'a Document>) -> Self {
        let mut counts = HashMap::new();
        let mut total = 0.0;
        for document in documents {
            total += 1.0;
            for word in document.weights.keys() {
                *counts.entry(word.clone()).or_insert(0.0) += 1.0;
            }
        }
        Self {
            documents: total,
            counts,
        }
    }

    fn weight(&self, word: &str) -> f64 {
        let count = self.counts.get(word).copied().unwrap_or(0.0);
        ((self.documents - count + 0.5) / (count + 0.5) + 1.0).ln()
    }
}

/// Words that tell nothing about what is wanted.
const STOP_WORDS: [&str; 24] = [
    "a", "an", "and", "are", "at", "by", "can", "do", "for", "from", "i", "in", "is", "it", "me",
    "my", "of", "on", "or", "the", "this", "to", "what", "with",
];

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .map(|word| same_thing(&stem(&word)).to_owned())
        .collect()
}

/// Good enough for plurals and the common endings of verbs.
fn stem(word: &str) -> String {
    let cut = |ending: &str, least: usize| {
        word.strip_suffix(ending)
            .filter(|rest| rest.len() >= least)
            .map(str::to_owned)
    };
    cut("ies", 2)
        .map(|rest| rest + "y")
        .or_else(|| cut("sses", 2).map(|rest| rest + "ss"))
        .or_else(|| {
            if word.ends_with("ss") {
                None
            } else {
                cut("s", 3)
            }
        })
        .or_else(|| cut("ing", 4))
        .or_else(|| cut("ed", 4))
        .unwrap_or_else(|| word.to_owned())
}

/// What people call the things of GitHub.
fn same_thing(word: &str) -> &str {
    match word {
        "pull" | "mr" => "pr",
        "repository" => "repo",
        "ticket" | "bug" => "issue",
        "show" | "get" | "read" | "fetch" | "display" | "look" | "see" => "view",
        "all" | "find" => "list",
        "new" | "add" | "open" | "file" => word,
        "tag" => "label",
        other => other,
    }
}
