//! Tracks which domains the clauses of an intent are about: a clause names its domains or continues with
//! those of earlier clauses.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::card::{Kind, Operation};

use super::clauses::Clause;
use super::vocabulary::{VerbKind, main_verb_kind, mentioned_domains};
use crate::discovery::Discovery;
use crate::discovery::find::Hit;

/// The domains (first segments of ids), and whether each has a capability that writes.
pub(super) type WritableByDomain = BTreeMap<String, bool>;

impl Discovery {
    pub(super) fn domains(&self) -> WritableByDomain {
        let cards = self.shared.catalog.iter();
        let cards = cards.map(|summary| (summary.id, summary.operation));
        let own = (self.shared.own_cards.all)()
            .iter()
            .map(|card| (card.id.as_str(), card.operation));
        let mut domains = WritableByDomain::new();
        for (id, operation) in cards.chain(own) {
            let domain = id.split('.').next().unwrap_or_default();
            let changes = domains.entry(domain.to_owned()).or_default();
            *changes |= operation == Operation::Write;
        }
        domains.extend(
            self.shared
                .servers()
                .into_iter()
                .map(|server| (server, true)),
        );
        domains
    }
}

/// The domains that were mentioned so far.
pub(super) struct TopicTracker<'a> {
    domains: &'a WritableByDomain,
    domains_in_intent: BTreeSet<&'a str>,
    last_domains: BTreeSet<&'a str>,
    /// The last mentioned domains that have writes: in "check ci, then merge it", "it" is not ci.
    last_writable_domains: BTreeSet<&'a str>,
}

/// What one clause is about.
#[derive(Clone, Default)]
pub(super) struct ClauseTopic<'a> {
    pub(super) verb_kind: Option<VerbKind>,
    /// The domains that the clause names, or else those to which "it" may refer.
    domains_meant: BTreeSet<&'a str>,
    is_named: bool,
    domains_in_intent: BTreeSet<&'a str>,
}

impl<'a> TopicTracker<'a> {
    pub(super) fn new(domains: &'a WritableByDomain, clauses: &[Clause]) -> Self {
        let mut tracker = Self {
            domains,
            domains_in_intent: BTreeSet::new(),
            last_domains: BTreeSet::new(),
            last_writable_domains: BTreeSet::new(),
        };
        let all = clauses
            .iter()
            .flat_map(|clause| tracker.domains_named(&clause.words));
        tracker.domains_in_intent = all.collect();
        tracker
    }

    /// Returns the topic of the next clause.
    pub(super) fn next_topic(&mut self, words: &[String]) -> ClauseTopic<'a> {
        let verb_kind = main_verb_kind(words);
        let domains_named = self.domains_named(words);
        let is_named = !domains_named.is_empty();
        if is_named {
            let writable = domains_named.iter().filter(|domain| self.domains[**domain]);
            let writable: BTreeSet<_> = writable.copied().collect();
            if !writable.is_empty() {
                self.last_writable_domains = writable;
            }
            self.last_domains.clone_from(&domains_named);
        }
        let before = match verb_kind {
            Some(VerbKind::Write) => &self.last_writable_domains,
            _ => &self.last_domains,
        };
        let domains_meant = match (is_named, before.is_empty()) {
            (true, _) => domains_named,
            (false, false) => before.clone(),
            (false, true) => self.domains_in_intent.clone(),
        };
        ClauseTopic {
            verb_kind,
            domains_meant,
            is_named,
            domains_in_intent: self.domains_in_intent.clone(),
        }
    }

    fn domains_named(&self, words: &[String]) -> BTreeSet<&'a str> {
        mentioned_domains(words, self.domains.keys().map(String::as_str))
    }
}

/// Score of a capability that is named by its id. No other hit reaches it.
const EXACT_SCORE: f64 = 1.0;
/// Weight of a domain that only another clause names.
const NAMED_ELSEWHERE: f64 = 0.7;
/// Weight of a domain that no clause names, if some clause names another.
const NOT_NAMED: f64 = 0.3;
/// Weight of Capstan's own actions if no domain is named at all.
const OWN_NOT_NAMED: f64 = 0.3;
/// Weight of Capstan's own actions if a word names several domains: "runs" are those of skills or of
/// workflows.
const OWN_AMBIGUOUS: f64 = 0.7;
/// Weight of capabilities for issues if pull requests are named: both share labels, assignees and comments.
const ISSUE_FOR_PULL_REQUEST: f64 = 0.8;
/// Weight of a read if the verb writes, and of a write if it reads.
const OTHER_VERB_KIND: f64 = 0.5;

impl ClauseTopic<'_> {
    /// Appends the noun that "it" refers to, if there is only one, so that a search for "read it" finds
    /// something.
    pub(super) fn with_implied_noun(&self, text: &str) -> String {
        let mut domains_meant = self.domains_meant.iter();
        match (domains_meant.next(), domains_meant.next(), self.is_named) {
            (Some(it), None, false) => format!("{text} {it}"),
            _ => text.to_owned(),
        }
    }

    /// Returns the hits with their likelihood, the likeliest first. The likelihood is the score, weighted by
    /// domain and verb.
    pub(super) fn rank(&self, hits: Vec<Hit>) -> Vec<(f64, Hit)> {
        let hits = hits.into_iter().map(|hit| {
            // A capability that is named by its id is meant, whatever the topic is.
            let likelihood = if hit.score >= EXACT_SCORE {
                hit.score
            } else {
                hit.score * self.domain_weight(&hit) * self.verb_weight(&hit)
            };
            (likelihood, hit)
        });
        let mut hits: Vec<_> = hits.collect();
        hits.sort_by(|(one, _), (two, _)| two.total_cmp(one));
        hits
    }

    fn domain_weight(&self, hit: &Hit) -> f64 {
        let mut parts = hit.id.split('.');
        let domain = parts.next().unwrap_or_default();
        let has_three_segments = parts.count() == 2;
        let is_own = hit.kind == Kind::System;
        if self.domains_meant.contains(domain) {
            if is_own && self.domains_meant.len() > 1 {
                OWN_AMBIGUOUS
            } else {
                1.0
            }
        } else if domain == "issue" && has_three_segments && self.domains_meant.contains("pr") {
            ISSUE_FOR_PULL_REQUEST
        } else if self.domains_in_intent.contains(domain) {
            NAMED_ELSEWHERE
        } else if !self.domains_in_intent.is_empty() {
            NOT_NAMED
        } else if is_own {
            OWN_NOT_NAMED
        } else {
            1.0
        }
    }

    fn verb_weight(&self, hit: &Hit) -> f64 {
        let is_read = hit.operation == Operation::Read;
        match self.verb_kind {
            Some(VerbKind::Read) if !is_read => OTHER_VERB_KIND,
            Some(VerbKind::Write) if is_read => OTHER_VERB_KIND,
            _ => 1.0,
        }
    }
}
