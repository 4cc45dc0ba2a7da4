//! What code has in common with other code, before any of it was seen together.

use std::collections::BTreeSet;

use capstan_core::code::{EdgeKind, Evidence, Fqdn, Node, Observation, Timestamp};

/// What is known of code without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeFacts {
    pub fqdn: Fqdn,
    /// Everything that it calls.
    pub calls: BTreeSet<String>,
    pub created_at: Timestamp,
    /// How alike its intent is to that of the new code, from 0 to 1, where both have one.
    pub similarity: Option<f32>,
}

/// From here on two intents are the same in other words.
const ALIKE: f32 = 0.9;

/// Of shared calls, so many are named.
const MOST_NAMED: usize = 20;

/// Newer code that calls at least half of what older code calls usually comes before or after it: `sequence`
/// from the newer to the older. If their intents are more alike than 0.9 and what they call differs,
/// the newer is an `alternative` to the older. So it is the same whichever of both is looked at, and when.
pub fn related(new: &CodeFacts, others: &[CodeFacts]) -> Vec<Observation> {
    let mut observations: Vec<_> = others
        .iter()
        .filter(|other| other.fqdn != new.fqdn)
        .flat_map(|other| [sequence(new, other), alternative(new, other)])
        .flatten()
        .collect();
    let key = |it: &Observation| (it.from.clone(), it.to.clone(), it.kind.as_str());
    observations.sort_by_cached_key(key);
    observations.dedup_by_key(|it| key(it));
    observations
}

fn sequence(new: &CodeFacts, other: &CodeFacts) -> Option<Observation> {
    let (newer, older) = by_age(new, other);
    let shared: Vec<_> = newer.calls.intersection(&older.calls).collect();
    let is_half = !shared.is_empty() && shared.len() * 2 >= older.calls.len();
    is_half.then(|| {
        let named = shared.into_iter().take(MOST_NAMED).cloned();
        let evidence = Evidence::SharedCalls(named.collect());
        observation(newer, older, EdgeKind::Sequence, evidence)
    })
}

fn alternative(new: &CodeFacts, other: &CodeFacts) -> Option<Observation> {
    let similarity = other.similarity.filter(|it| *it > ALIKE)?;
    if new.calls == other.calls {
        return None;
    }
    let (newer, older) = by_age(new, other);
    let evidence = Evidence::AlikeIntents(similarity.into());
    Some(observation(newer, older, EdgeKind::Alternative, evidence))
}

/// The newer first. Of two that are as old, the name decides.
fn by_age<'a>(one: &'a CodeFacts, two: &'a CodeFacts) -> (&'a CodeFacts, &'a CodeFacts) {
    let age = |facts: &'a CodeFacts| (facts.created_at, &facts.fqdn);
    match age(one) > age(two) {
        true => (one, two),
        false => (two, one),
    }
}

fn observation(
    from: &CodeFacts,
    to: &CodeFacts,
    kind: EdgeKind,
    evidence: Evidence,
) -> Observation {
    Observation {
        from: Node::Code(from.fqdn.clone()),
        to: Node::Code(to.fqdn.clone()),
        kind,
        times: 1,
        evidence,
    }
}
