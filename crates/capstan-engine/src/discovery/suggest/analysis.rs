//! Finds the capabilities that an intent needs: the best one for each clause, and other candidates.

use std::collections::BTreeMap;

use capstan_core::card::{Card, Operation};

use super::clauses::{Clause, clauses, unread_connectors};
use super::coverage::starts_like_question;
use super::doubt::Doubt;
use super::negation::{find_negation, is_remark};
use super::negation_tracker::NegationTracker;
use super::quotes::normalized;
use super::topics::{ClauseTopic, TopicTracker, WritableByDomain};
use super::values::{IntentValues, without_values};
use super::vocabulary::{VerbKind, find_condition, mentions_several};
use crate::discovery::Discovery;
use crate::discovery::find::{Hit, IntentQuery, SearchRequest};

/// A capability that may be what an intent, or one of its clauses, asks for.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) hit: Hit,
    /// For an intent with one clause: the likelihood that this is what was meant. For several clauses: the
    /// likelihood relative to the best candidate of its clause. From 0 to 1.
    pub(super) relevance: f64,
    /// Whether it was added because its output provides the input of a step.
    pub(super) is_producer: bool,
    /// The clause for which it was found. Empty if it was found only for the intent as a whole.
    pub(super) clause: String,
}

/// The result of analyzing an intent.
#[derive(Default)]
pub(super) struct IntentAnalysis {
    /// Sorted by relevance, the best first.
    pub(super) candidates: Vec<Candidate>,
    /// The capabilities to run, in the order of their clauses.
    pub(super) steps: Vec<IntentStep>,
    /// The values in the clauses without a step.
    pub(super) aside_values: IntentValues,
    /// The texts of the clauses without a step.
    pub(super) asides: Vec<String>,
    /// Words between the clauses that say more than their order.
    pub(super) connectors: Vec<String>,
    /// The first reason why the steps may be more or less than the intent asks for.
    pub(super) doubt: Option<Doubt>,
    /// The clauses that say what not to do.
    pub(super) negated: Vec<String>,
    /// Those of `negated` that come before the first step. A later "it" may refer to what they name.
    negated_first: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// The capability to run for one clause.
pub(super) struct IntentStep {
    pub(super) id: String,
    /// The likelihood that it is what was meant, from 0 to 1.
    pub(super) likelihood: f64,
    /// The text of the clause.
    pub(super) text: String,
    /// The values in the clause.
    pub(super) values: IntentValues,
    /// Position in the order of execution. The intent states no order between steps with the same turn.
    pub(super) turn: usize,
    pub(super) writes: bool,
    /// Whether it may have to run for several objects, which another step has to list first.
    pub(super) may_concern_several: bool,
}

/// Weight of candidates for a clause that asks for nothing: it only describes the other clauses.
const ASIDE_WEIGHT: f64 = 0.5;
/// Candidates below this likelihood are not used for a clause.
const MIN_LIKELIHOOD: f64 = 0.004;
/// Maximum number of candidates for one clause.
const CANDIDATES_PER_CLAUSE: usize = 4;
/// Weight of candidates that were found only for the intent as a whole.
const WHOLE_INTENT_WEIGHT: f64 = 0.3;

/// Maximum number of clauses that are analyzed. Later clauses are left out and reported as not covered.
const MAX_CLAUSES: usize = 8;

/// Relevance of a producer, relative to the best candidate.
const PRODUCER_RELEVANCE: f64 = 0.97;

impl Discovery {
    pub(super) async fn analyze(&self, intent: &str) -> IntentAnalysis {
        let mut clauses = clauses(intent);
        let omitted = clauses.split_off(clauses.len().min(MAX_CLAUSES));
        let (domains, host) = (self.domains(), &self.shared.settings.host);
        let clause_topics = clause_topics(&domains, &clauses);
        let mut texts = vec![search_query(intent, intent)];
        if clauses.len() > 1 {
            let by_clause = clauses.iter().zip(&clause_topics);
            texts.extend(by_clause.map(|(clause, topic)| {
                search_query(&topic.with_implied_noun(&clause.text), &clause.text)
            }));
        }
        let (found, warnings) = self.search_each(&texts, &SearchRequest::default()).await;
        let mut found = found.into_iter();
        let hits = found.next().unwrap_or_default();
        let described = hits.first().filter(|hit| equals_description(intent, hit));
        let mut analysis = match (clauses.as_slice(), described) {
            ([], _) | ([_], _) | (_, Some(_)) => {
                let whole = Clause {
                    text: intent.to_owned(),
                    ..clauses.first().cloned().unwrap_or_default()
                };
                let topic = clause_topics.first().cloned().unwrap_or_default();
                analyze_single(host, &whole, &topic, hits)
            }
            (clauses, None) => IntentAnalysis {
                connectors: unread_connectors(intent),
                ..analyze_several(host, clauses.iter().zip(&clause_topics).zip(found), hits)
            },
        };
        // Clauses that are left out may still say what not to do.
        let negated_later = omitted
            .iter()
            .filter(|clause| find_negation(&clause.text, 0).is_some());
        analysis
            .negated
            .extend(negated_later.map(|clause| clause.text.clone()));
        let omitted_texts = omitted.iter().map(|clause| clause.text.clone());
        analysis.asides.extend(omitted_texts);
        let first_omitted = omitted.into_iter().next();
        let not_covered = first_omitted.map(|clause| Doubt::NotCovered(clause.text));
        analysis.doubt = if analysis.negated.is_empty() {
            analysis.doubt.or(not_covered)
        } else {
            Some(Doubt::Negated(analysis.negated.clone()))
        };
        analysis.warnings = warnings;
        analysis
    }
}

/// Returns whether an intent equals the description of a capability, word by word. Such an intent is not
/// misread, even if the description says what the capability does not do.
fn equals_description(intent: &str, hit: &Hit) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().map(normalized);
        words.filter(|word| !word.is_empty()).collect()
    };
    let intent_words = words(intent);
    intent_words.len() > 1 && intent_words == words(&hit.description)
}

/// Returns the topic of each clause, which may depend on the clauses before it.
fn clause_topics<'a>(domains: &'a WritableByDomain, clauses: &[Clause]) -> Vec<ClauseTopic<'a>> {
    let mut tracker = TopicTracker::new(domains, clauses);
    let mut previous_reads = false;
    let topics = clauses.iter().map(|clause| {
        let mut topic = tracker.next_topic(&clause.words);
        // "check the tests and the open threads": one verb for both.
        if topic.verb_kind.is_none() && previous_reads && clause.continues_previous {
            topic.verb_kind = Some(VerbKind::Read);
        }
        previous_reads = topic.verb_kind == Some(VerbKind::Read);
        topic
    });
    topics.collect()
}

/// Analyzes an intent with one clause.
fn analyze_single(
    host: &str,
    whole: &Clause,
    topic: &ClauseTopic<'_>,
    hits: Vec<Hit>,
) -> IntentAnalysis {
    let intent = &whole.text;
    let hits = prefer_reads(intent, topic.rank(hits));
    let best = best_for_clause(intent, &hits);
    let equals_its_description = hits
        .first()
        .is_some_and(|(_, hit)| equals_description(intent, hit));
    let negated = match (best, find_negation(intent, 0)) {
        (Some((_, hit)), Some(it)) => it.applies_to(hit) && !equals_its_description,
        (None, Some(it)) => it.is_unconditional(),
        (_, None) => false,
    };
    let step = if negated { None } else { best };
    let step = step.map(|(likelihood, best)| IntentStep {
        id: best.id.clone(),
        likelihood: *likelihood,
        text: intent.clone(),
        values: IntentValues::parse(intent, host),
        turn: 0,
        writes: best.operation == Operation::Write,
        may_concern_several: mentions_several(&whole.words),
    });
    let candidates = hits.into_iter().map(|(likelihood, hit)| Candidate {
        relevance: likelihood,
        ..candidate(hit, intent)
    });
    IntentAnalysis {
        steps: step.into_iter().collect(),
        candidates: candidates.collect(),
        doubt: doubt(whole, true),
        negated: negated.then(|| intent.clone()).into_iter().collect(),
        ..IntentAnalysis::default()
    }
}

/// Drops the writes, if there are reads, for a text that describes objects by a negation: "which issues have
/// no label" asks for a read.
fn prefer_reads(text: &str, hits: Vec<(f64, Hit)>) -> Vec<(f64, Hit)> {
    let reads = |(_, hit): &(f64, Hit)| hit.operation == Operation::Read;
    let describes = find_negation(text, 0).is_some_and(|it| it.is_description());
    if describes && hits.iter().any(reads) {
        hits.into_iter().filter(reads).collect()
    } else {
        hits
    }
}

/// Returns the hit with the highest product of likelihood and reliability.
fn most_valuable(hits: &[(f64, Hit)]) -> Option<&(f64, Hit)> {
    let value = |(likelihood, hit): &(f64, Hit)| likelihood * hit.reliability.unwrap_or(1.0);
    let mut all = hits.iter();
    let first = all.next()?;
    Some(all.fold(first, |best, other| {
        if value(other) > value(best) {
            other
        } else {
            best
        }
    }))
}

/// Returns the hit to run for a clause. A question is answered by a read, if a read fits.
fn best_for_clause<'a>(text: &str, hits: &'a [(f64, Hit)]) -> Option<&'a (f64, Hit)> {
    let best = most_valuable(hits)?;
    if best.1.operation == Operation::Read || !starts_like_question(text) {
        return Some(best);
    }
    let reads = |(likelihood, hit): &&(f64, Hit)| {
        hit.operation == Operation::Read && *likelihood >= MIN_LIKELIHOOD
    };
    hits.iter().find(reads).or(Some(best))
}

/// Analyzes an intent with several clauses, given the hits for each clause and those for the whole intent.
fn analyze_several<'a>(
    host: &str,
    clauses: impl Iterator<Item = ((&'a Clause, &'a ClauseTopic<'a>), Vec<Hit>)>,
    whole_intent_hits: Vec<Hit>,
) -> IntentAnalysis {
    let mut analysis = IntentAnalysis::default();
    let mut aside_texts = Vec::new();
    let mut best_by_id: BTreeMap<String, Candidate> = BTreeMap::new();
    let mut negations = NegationTracker::default();
    for ((clause, topic), hits) in clauses {
        let hits = prefer_reads(&clause.text, topic.rank(hits));
        let best = best_for_clause(&clause.text, &hits)
            .filter(|(likelihood, _)| *likelihood >= MIN_LIKELIHOOD);
        let is_negated = negations.record(clause, best.map(|(_, hit)| hit), host);
        let has_step = topic.verb_kind.is_some() && !is_negated && !is_remark(&clause.text);
        if negations.retracts_last {
            analysis.steps.pop();
        }
        analysis.doubt = analysis.doubt.or(doubt(clause, has_step));
        if is_negated && analysis.steps.is_empty() {
            analysis.negated_first.push(clause.text.clone());
        }
        // A negated clause does not describe the remaining steps.
        if (!has_step || best.is_none()) && !is_negated {
            aside_texts.push(clause.text.as_str());
        }
        let Some((likelihood, best)) = best else {
            continue;
        };
        // The likeliest hit may differ from the one to run, which is also weighted by reliability.
        let top = hits
            .first()
            .map_or(*likelihood, |(likelihood, _)| *likelihood);
        let weight = if has_step {
            analysis.steps.push(IntentStep {
                id: best.id.clone(),
                likelihood: *likelihood,
                text: clause.text.clone(),
                values: IntentValues::parse(&clause.text, host),
                turn: clause.turn,
                writes: best.operation == Operation::Write,
                may_concern_several: true,
            });
            1.0
        } else {
            ASIDE_WEIGHT
        };
        if negations.retracts_all {
            analysis.steps.clear();
        }
        for (likelihood, hit) in hits.into_iter().take(CANDIDATES_PER_CLAUSE) {
            add_candidate(
                &mut best_by_id,
                hit,
                weight * likelihood / top,
                &clause.text,
            );
        }
    }
    let is_planned = |step: &IntentStep| !negations.forbids(step);
    analysis.steps.retain(is_planned);
    analysis.negated = negations.texts;
    let others = whole_intent_hits.into_iter();
    let others = others.filter(|hit| !best_by_id.contains_key(&hit.id));
    let others: Vec<_> = others
        .map(|hit| Candidate {
            relevance: WHOLE_INTENT_WEIGHT * hit.score,
            // It is unknown which clause it would be for.
            ..candidate(hit, "")
        })
        .collect();
    analysis.aside_values = IntentValues::parse(&aside_texts.join(". "), host);
    analysis.asides = aside_texts.into_iter().map(str::to_owned).collect();
    analysis.candidates = best_by_id.into_values().chain(others).collect();
    analysis
        .candidates
        .sort_by(|one, two| two.relevance.total_cmp(&one.relevance));
    analysis
}

impl IntentAnalysis {
    /// Returns the part of an intent that is about its steps. "reopen it but not issue 4" says nothing about
    /// issue 4, but "do not merge pr 7, just approve it" says which pull request is meant.
    pub(super) fn affirmed_text(&self, intent: &str) -> String {
        if self.negated.is_empty() {
            return intent.to_owned();
        }
        let first = self.negated_first.iter().map(String::as_str);
        let steps = self.steps.iter().map(|step| step.text.as_str());
        let asides = self.asides.iter().map(String::as_str);
        let texts = first.chain(steps).chain(asides);
        texts.collect::<Vec<_>>().join(". ")
    }

    /// Adds a capability that provides the input of a step, slightly less relevant than the best candidate.
    pub(super) fn add_producer(&mut self, card: &Card, likelihood: f64) {
        let relevance = |it: &Candidate| it.relevance;
        let best = self.candidates.iter().map(relevance).fold(0.0, f64::max);
        let id = card.id.as_str();
        self.candidates
            .retain(|it| it.hit.id != id || it.relevance > PRODUCER_RELEVANCE * best);
        if self.candidates.iter().any(|it| it.hit.id == id) {
            return;
        }
        self.candidates.push(Candidate {
            hit: Hit {
                id: id.to_owned(),
                description: card.description.clone(),
                operation: card.operation,
                kind: card.kind(),
                is_generated: false,
                fqdn: None,
                score: likelihood,
                why: None,
                reliability: None,
            },
            relevance: PRODUCER_RELEVANCE * best,
            is_producer: true,
            clause: String::new(),
        });
    }
}

/// Builds a search query from the action alone: values such as numbers and names find nothing.
fn search_query(text: &str, original: &str) -> IntentQuery {
    let stripped = without_exclusions(&without_values(text));
    IntentQuery {
        text: if stripped.is_empty() {
            text.to_owned()
        } else {
            stripped
        },
        original: original.to_owned(),
    }
}

/// Removes the nouns after "without": `show issue 3 without comments` must not find comments.
fn without_exclusions(text: &str) -> String {
    let mut kept = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let is_thing = |next: &&str| !normalized(next).ends_with("ing");
        if normalized(word) != "without" || words.next_if(is_thing).is_none() {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// Returns why a clause may ask for more or less than its step does.
fn doubt(clause: &Clause, has_step: bool) -> Option<Doubt> {
    if let Some(word) = find_condition(&clause.words) {
        return Some(Doubt::Condition(word.to_owned()));
    }
    let rest = without_values(&clause.text);
    let says_something = rest
        .split_whitespace()
        .filter(|word| word.len() > 3)
        .count()
        > 1;
    (!has_step && says_something).then(|| Doubt::NotCovered(clause.text.clone()))
}

fn candidate(hit: Hit, clause: &str) -> Candidate {
    Candidate {
        relevance: hit.score,
        hit,
        is_producer: false,
        clause: clause.to_owned(),
    }
}

/// Keeps each capability once, with the clause for which it is most relevant.
fn add_candidate(best: &mut BTreeMap<String, Candidate>, hit: Hit, relevance: f64, clause: &str) {
    let known = best.get(&hit.id).map(|it| it.relevance);
    if known.is_none_or(|known| relevance > known) {
        let id = hit.id.clone();
        best.insert(
            id,
            Candidate {
                relevance,
                ..candidate(hit, clause)
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use capstan_core::card::{Kind, Operation};

    use super::*;

    fn hit(id: &str, score: f64, reliability: f64) -> Hit {
        Hit {
            id: id.to_owned(),
            description: String::new(),
            operation: Operation::Read,
            kind: Kind::Code,
            is_generated: false,
            fqdn: None,
            score,
            why: None,
            reliability: Some(reliability),
        }
    }

    /// A reliable capability is preferred to an unreliable one that is slightly likelier, and no relevance
    /// exceeds 1.
    #[test]
    fn what_can_be_relied_on_is_run() {
        let (domains, clauses) = (
            WritableByDomain::new(),
            clauses("show the stock and count the crates"),
        );
        let clause_topics = clause_topics(&domains, &clauses);
        let found = clauses
            .iter()
            .map(|_| vec![hit("shaky", 0.9, 0.2), hit("sound", 0.6, 1.0)]);
        let analysis = analyze_several(
            "github.com",
            clauses.iter().zip(&clause_topics).zip(found),
            Vec::new(),
        );
        let steps: Vec<_> = analysis.steps.iter().map(|it| &*it.id).collect();
        assert_eq!(steps, ["sound", "sound"]);
        let is_share = |it: &Candidate| (0.0..=1.0).contains(&it.relevance);
        assert!(analysis.candidates.iter().all(is_share));
    }
}
