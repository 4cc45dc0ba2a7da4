//! What an intent speaks of: each part of it may name things, or go on about those that were named.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::card::{Kind, Operation};

use super::clauses::Clause;
use super::words::{Doing, doing, domains};
use crate::discovery::Discovery;
use crate::discovery::find::Hit;

/// The first parts of ids, and whether something of it can be changed.
pub(super) type Domains = BTreeMap<String, bool>;

impl Discovery {
    pub(super) fn domains(&self) -> Domains {
        let cards = self.shared.catalog.iter();
        let cards = cards.map(|summary| (summary.id, summary.operation));
        let own = (self.shared.own_cards.all)()
            .iter()
            .map(|card| (card.id.as_str(), card.operation));
        let mut domains = Domains::new();
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

/// What was spoken of so far.
pub(super) struct Talk<'a> {
    domains: &'a Domains,
    anywhere: BTreeSet<&'a str>,
    last: BTreeSet<&'a str>,
    /// Of those, what can be changed: "check ci, then merge it" merges no ci.
    last_changeable: BTreeSet<&'a str>,
}

/// What one part is about.
#[derive(Clone, Default)]
pub(super) struct TraceSubject<'a> {
    pub(super) doing: Option<Doing>,
    /// What it names, else what is meant by "it".
    meant: BTreeSet<&'a str>,
    is_named: bool,
    anywhere: BTreeSet<&'a str>,
}

impl<'a> Talk<'a> {
    pub(super) fn new(domains: &'a Domains, parts: &[Clause]) -> Self {
        let mut talk = Self {
            domains,
            anywhere: BTreeSet::new(),
            last: BTreeSet::new(),
            last_changeable: BTreeSet::new(),
        };
        let all = parts.iter().flat_map(|part| talk.named(&part.words));
        talk.anywhere = all.collect();
        talk
    }

    /// What the next part is about.
    pub(super) fn about(&mut self, words: &[String]) -> TraceSubject<'a> {
        let doing = doing(words);
        let named = self.named(words);
        let is_named = !named.is_empty();
        if is_named {
            let changeable = named.iter().filter(|domain| self.domains[**domain]);
            let changeable: BTreeSet<_> = changeable.copied().collect();
            if !changeable.is_empty() {
                self.last_changeable = changeable;
            }
            self.last.clone_from(&named);
        }
        let before = match doing {
            Some(Doing::Changing) => &self.last_changeable,
            _ => &self.last,
        };
        let meant = match (is_named, before.is_empty()) {
            (true, _) => named,
            (false, false) => before.clone(),
            (false, true) => self.anywhere.clone(),
        };
        TraceSubject {
            doing,
            meant,
            is_named,
            anywhere: self.anywhere.clone(),
        }
    }

    fn named(&self, words: &[String]) -> BTreeSet<&'a str> {
        domains(words, self.domains.keys().map(String::as_str))
    }
}

/// The score of what is named; nothing else is so sure.
const NAMED: f64 = 1.0;
/// What was named elsewhere is less likely meant.
const ELSEWHERE: f64 = 0.7;
/// What was not named at all, where something was.
const UNNAMED: f64 = 0.3;
/// Capstan itself is seldom meant where nothing of it is named.
const UNSPOKEN: f64 = 0.3;
/// Where it is, the word may still mean something else: runs are those of skills and of workflows.
const SPOKEN: f64 = 0.7;
/// Labels, assignees and the like of pull requests are those of issues.
const OF_BOTH: f64 = 0.8;
/// Whoever wants to look at something does not want to change it, and the other way round.
const OTHER_DOING: f64 = 0.5;

impl TraceSubject<'_> {
    /// "read it" is found by what it is.
    pub(super) fn said_fully(&self, text: &str) -> String {
        let mut meant = self.meant.iter();
        match (meant.next(), meant.next(), self.is_named) {
            (Some(it), None, false) => format!("{text} {it}"),
            _ => text.to_owned(),
        }
    }

    /// The likeliest first, by how well they fit and by what is spoken of.
    pub(super) fn by_likelihood(&self, hits: Vec<Hit>) -> Vec<(f64, Hit)> {
        let hits = hits.into_iter().map(|hit| {
            // Who names something means it, whatever else is spoken of.
            let likely = match hit.score >= NAMED {
                true => hit.score,
                false => hit.score * self.of_domain(&hit) * self.of_doing(&hit),
            };
            (likely, hit)
        });
        let mut hits: Vec<_> = hits.collect();
        hits.sort_by(|(one, _), (two, _)| two.total_cmp(one));
        hits
    }

    fn of_domain(&self, hit: &Hit) -> f64 {
        let mut parts = hit.id.split('.');
        let domain = parts.next().unwrap_or_default();
        let is_of_one = parts.count() == 2;
        let is_own = hit.kind == Kind::System;
        if self.meant.contains(domain) {
            match is_own && self.meant.len() > 1 {
                true => SPOKEN,
                false => 1.0,
            }
        } else if domain == "issue" && is_of_one && self.meant.contains("pr") {
            OF_BOTH
        } else if self.anywhere.contains(domain) {
            ELSEWHERE
        } else if !self.anywhere.is_empty() {
            UNNAMED
        } else if is_own {
            UNSPOKEN
        } else {
            1.0
        }
    }

    fn of_doing(&self, hit: &Hit) -> f64 {
        let looks = hit.operation == Operation::Read;
        match self.doing {
            Some(Doing::Looking) if !looks => OTHER_DOING,
            Some(Doing::Changing) if looks => OTHER_DOING,
            _ => 1.0,
        }
    }
}
