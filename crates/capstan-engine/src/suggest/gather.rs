//! The capabilities that an intent needs: the best for each thing to do, and what gives them their inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use capstan_core::card::{Card, Operation};

use super::clauses::{Clause, clauses};
use super::fill::{Giver, fill};
use super::said::{Said, without_values};
use super::words::{Doing, doing, domains};
use crate::find::{Hit, Search, Wanted};
use crate::{Capstan, local};

/// A capability for an intent, or for a part of it.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) hit: Hit,
    /// For one thing to do: how likely it is what was meant. For several: how near it comes to the best for
    /// its part.
    pub(super) relevance: f64,
    /// It is there because it gives another its input.
    pub(super) gives: bool,
}

/// What was found for an intent.
#[derive(Default)]
pub(super) struct Gathered {
    /// The best first.
    pub(super) candidates: Vec<Candidate>,
    /// What is to be run, in the order of the intent.
    pub(super) steps: Vec<Step>,
    pub(super) warnings: Vec<String>,
}

/// What is to be run for a part of an intent.
pub(super) struct Step {
    pub(super) id: String,
    /// How likely it is what was meant.
    pub(super) sure: f64,
}

/// What is not about the things of a part is less likely meant by it.
const OTHER_DOMAIN: f64 = 0.3;
/// Labels, assignees and the like of pull requests are those of issues.
const OF_BOTH: f64 = 0.8;
/// Whoever wants to look at something does not want to change it, and the other way round.
const OTHER_DOING: f64 = 0.5;
/// A part that says nothing to do tells about the others.
const TELLS_NOTHING_TO_DO: f64 = 0.5;
/// What a part has little to do with is not suggested for it.
const LEAST: f64 = 0.004;
/// Of one part so many are candidates.
const OF_ONE_PART: usize = 4;
/// What fits the whole is behind what fits a part.
const WHOLE: f64 = 0.3;
/// What gives a step its input is nearly as good as the step.
const GIVER: f64 = 0.97;

impl Capstan {
    pub(super) async fn gather(&self, intent: &str, said: &Said) -> Gathered {
        let whole = wanted(&without_values(intent));
        let Search { hits, warnings } = self.search_all(&whole).await;
        let parts = clauses(intent);
        match parts.as_slice() {
            [] | [_] => {
                let known = self.domains();
                let words = parts.first().map_or(&[][..], |part| &part.words);
                let meant = domains(words, known.iter().map(String::as_str));
                let hits = by_likelihood(hits, &meant, doing(words));
                let step = hits.first().map(|(_, best)| Step {
                    id: best.id.clone(),
                    sure: best.score,
                });
                let candidates = hits.into_iter().map(|(likely, hit)| Candidate {
                    relevance: likely,
                    ..candidate(hit)
                });
                Gathered {
                    steps: step.into_iter().collect(),
                    candidates: candidates.collect(),
                    warnings,
                }
            }
            parts => {
                let mut gathered = self.gather_parts(parts, said).await;
                gathered.warnings.extend(warnings);
                gathered.warnings.sort();
                gathered.warnings.dedup();
                let known: BTreeSet<String> = gathered
                    .candidates
                    .iter()
                    .map(|it| it.hit.id.clone())
                    .collect();
                let others = hits.into_iter().filter(|hit| !known.contains(&hit.id));
                gathered.candidates.extend(others.map(|hit| Candidate {
                    relevance: WHOLE * hit.score,
                    ..candidate(hit)
                }));
                let relevance = |it: &Candidate| it.relevance;
                gathered
                    .candidates
                    .sort_by(|one, two| relevance(two).total_cmp(&relevance(one)));
                gathered
            }
        }
    }

    async fn gather_parts(&self, parts: &[Clause], said: &Said) -> Gathered {
        let known = self.domains();
        let about = |words: &[String]| domains(words, known.iter().map(String::as_str));
        let of_all: BTreeSet<&str> = parts.iter().flat_map(|part| about(&part.words)).collect();
        let mut before: BTreeSet<&str> = BTreeSet::new();
        let mut gathered = Gathered::default();
        let mut best: BTreeMap<String, Candidate> = BTreeMap::new();
        for part in parts {
            let own = about(&part.words);
            // What is not named is what was spoken of before.
            let mut meant: BTreeSet<&str> = own.union(&before).copied().collect();
            if meant.is_empty() {
                meant.clone_from(&of_all);
            }
            if !own.is_empty() {
                before = own;
            }
            let doing = doing(&part.words);
            let found = self.search_all(&wanted(&without_values(&part.text))).await;
            gathered.warnings.extend(found.warnings);
            let hits = by_likelihood(found.hits, &meant, doing);
            let Some((top, first)) = hits.first().filter(|(top, _)| *top >= LEAST) else {
                continue;
            };
            let (top, first) = (*top, first.clone());
            let weight = match doing {
                Some(_) => 1.0,
                None => TELLS_NOTHING_TO_DO,
            };
            for (likely, hit) in hits.into_iter().take(OF_ONE_PART) {
                offer(&mut best, hit, weight * likely / top, false);
            }
            if doing.is_some() {
                let step = Step {
                    id: first.id,
                    sure: first.score,
                };
                if let Some(giver) = self.giver_for(&step, &gathered.steps, said).await {
                    gathered.steps.push(Step {
                        id: giver.id.clone(),
                        sure: step.sure,
                    });
                    offer(&mut best, giver, GIVER, true);
                }
                if gathered.steps.iter().all(|it| it.id != step.id) {
                    gathered.steps.push(step);
                }
            }
        }
        gathered.candidates = best.into_values().collect();
        gathered
    }

    /// What the first parts of ids are.
    fn domains(&self) -> BTreeSet<String> {
        let cards = self.catalog().iter().map(|summary| summary.id);
        let own = local::cards().map(|card| card.id.as_str());
        let of_ids = cards.chain(own).filter_map(|id| id.split('.').next());
        of_ids.map(str::to_owned).chain(self.servers()).collect()
    }

    /// What lists the things that a step works on, where neither the intent names them nor another step
    /// gives them.
    async fn giver_for(&self, step: &Step, earlier: &[Step], said: &Said) -> Option<Hit> {
        let card = self.card(&step.id).await.ok()?;
        let mut cards: Vec<Arc<Card>> = Vec::new();
        for step in earlier {
            cards.extend(self.card(&step.id).await.ok());
        }
        let givers: Vec<_> = cards.iter().map(|card| Giver { name: "", card }).collect();
        let missing = fill(&card, said, &givers).missing;
        let needed = missing
            .iter()
            .find_map(|input| self.givers().of_input(input, card.id.domain()))?;
        if needed == step.id || earlier.iter().any(|it| it.id == needed) {
            return None;
        }
        let giver = self.card(needed).await.ok()?;
        Some(Hit {
            id: needed.to_owned(),
            description: giver.description.clone(),
            operation: giver.operation,
            kind: giver.kind(),
            score: step.sure,
            why: None,
            reliability: None,
        })
    }
}

fn wanted(intent: &str) -> Wanted {
    Wanted {
        intent: Some(intent.to_owned()),
        ..Wanted::default()
    }
}

fn candidate(hit: Hit) -> Candidate {
    Candidate {
        relevance: hit.score,
        hit,
        gives: false,
    }
}

/// Each capability once, by the part that it fits best.
fn offer(best: &mut BTreeMap<String, Candidate>, hit: Hit, relevance: f64, gives: bool) {
    let known = best.get(&hit.id).map(|it| it.relevance);
    if known.is_none_or(|known| relevance > known) {
        let id = hit.id.clone();
        best.insert(
            id,
            Candidate {
                hit,
                relevance,
                gives,
            },
        );
    }
}

/// The likeliest first, by how well they fit and by what is spoken of.
fn by_likelihood(hits: Vec<Hit>, meant: &BTreeSet<&str>, doing: Option<Doing>) -> Vec<(f64, Hit)> {
    let hits = hits.into_iter().map(|hit| {
        let likely = hit.score * of_domain(&hit.id, meant) * of_doing(&hit, doing);
        (likely, hit)
    });
    let mut hits: Vec<_> = hits.collect();
    hits.sort_by(|(one, _), (two, _)| two.total_cmp(one));
    hits
}

fn of_domain(id: &str, meant: &BTreeSet<&str>) -> f64 {
    let mut parts = id.split('.');
    let domain = parts.next().unwrap_or_default();
    let is_of_one = parts.count() == 2;
    match meant.is_empty() || meant.contains(domain) {
        true => 1.0,
        false if domain == "issue" && is_of_one && meant.contains("pr") => OF_BOTH,
        false => OTHER_DOMAIN,
    }
}

fn of_doing(hit: &Hit, doing: Option<Doing>) -> f64 {
    let looks = hit.operation == Operation::Read;
    match doing {
        Some(Doing::Looking) if !looks => OTHER_DOING,
        Some(Doing::Changing) if looks => OTHER_DOING,
        _ => 1.0,
    }
}
