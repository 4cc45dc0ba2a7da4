//! The capabilities that an intent needs: the best for each thing to do, and what gives them their inputs.

use std::collections::HashMap;

use capstan_core::card::Card;

use super::clauses::clauses;
use super::fill::{Giver, fill};
use super::said::Said;
use crate::Capstan;
use crate::find::{Hit, Search, Wanted};

/// How many suggestions there are at most.
pub(super) const MOST: usize = 5;

/// How well something has to fit a part of an intent to be a step of a plan.
pub(super) const FITS: f64 = 0.5;

/// A capability for an intent, or for a part of it.
pub(super) struct Candidate {
    pub(super) hit: Hit,
    /// The part of the intent that it is the best for, by its place.
    pub(super) step: Option<usize>,
    /// It is there because it gives another its input.
    pub(super) gives: bool,
}

/// What was found for an intent.
pub(super) struct Gathered {
    /// The best first.
    pub(super) candidates: Vec<Candidate>,
    /// What is to be done has several parts.
    pub(super) parts: usize,
    pub(super) warnings: Vec<String>,
}

impl Capstan {
    pub(super) async fn gather(&self, intent: &str, said: &Said) -> Gathered {
        let Search { hits, mut warnings } = self.search_all(&wanted(intent)).await;
        let parts = clauses(intent);
        let mut candidates: Vec<Candidate> = Vec::new();
        if parts.len() > 1 {
            let mut best: Vec<Candidate> = Vec::new();
            for (place, part) in parts.iter().enumerate() {
                let found = self.search_all(&wanted(part)).await;
                warnings.extend(found.warnings);
                let hit = found.hits.into_iter().next();
                if let Some(hit) = hit.filter(|hit| hit.score >= FITS) {
                    best.push(Candidate {
                        hit,
                        step: Some(place),
                        gives: false,
                    });
                }
            }
            self.add_givers(&mut best, said).await;
            candidates.extend(best);
        }
        candidates.extend(hits.into_iter().map(|hit| Candidate {
            hit,
            step: None,
            gives: false,
        }));
        warnings.sort();
        warnings.dedup();
        Gathered {
            candidates: first_of_each(candidates),
            parts: parts.len(),
            warnings,
        }
    }

    /// What lists the things that a step works on, where the intent does not name them.
    async fn add_givers(&self, steps: &mut Vec<Candidate>, said: &Said) {
        let mut cards: Vec<(String, Card)> = Vec::new();
        let mut place = 0;
        while place < steps.len() {
            let id = steps[place].hit.id.clone();
            if let Ok(card) = self.card(&id).await {
                let earlier: Vec<_> = cards
                    .iter()
                    .map(|(name, card)| Giver { name, card })
                    .collect();
                let missing = fill(&card, said, &earlier).missing;
                let givers = self.givers();
                let needed = missing
                    .iter()
                    .find_map(|input| givers.of_input(input, card.id.domain()));
                let is_there = |needed: &str| steps[..place].iter().any(|it| it.hit.id == needed);
                if let Some(needed) = needed.filter(|it| *it != id && !is_there(it))
                    && let Some(giver) = self.giver(needed, &steps[place]).await
                {
                    steps.insert(place, giver);
                    place += 1;
                }
                cards.push((format!("s{place}"), (*card).clone()));
            }
            place += 1;
        }
    }

    async fn giver(&self, id: &str, taker: &Candidate) -> Option<Candidate> {
        let card = self.card(id).await.ok()?;
        Some(Candidate {
            hit: Hit {
                id: id.to_owned(),
                description: card.description.clone(),
                operation: card.operation,
                kind: card.kind(),
                ..taker.hit.clone()
            },
            step: taker.step,
            gives: true,
        })
    }
}

fn wanted(intent: &str) -> Wanted {
    Wanted {
        intent: Some(intent.to_owned()),
        ..Wanted::default()
    }
}

/// Steps of the plan first, in their order, then the others; each capability once, with its best score.
fn first_of_each(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        match places.get(&candidate.hit.id) {
            Some(&place) => {
                let known: &mut Candidate = &mut all[place];
                if candidate.hit.score > known.hit.score && !known.gives {
                    known.hit.score = candidate.hit.score;
                    known.hit.why = candidate.hit.why;
                }
            }
            None => {
                places.insert(candidate.hit.id.clone(), all.len());
                all.push(candidate);
            }
        }
    }
    all
}
