//! Relates code by what it has in common, before it was observed together.

use std::collections::BTreeSet;

use capstan_core::code::{EdgeKind, Evidence, Fqdn, Node, Observation, Timestamp};

/// Facts about code that are known without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeFacts {
    pub fqdn: Fqdn,
    /// All capabilities that it calls.
    pub calls: BTreeSet<String>,
    pub created_at: Timestamp,
    /// The similarity of its intent to that of the new code, from 0 to 1; `None` unless both have
    /// one.
    pub similarity: Option<f32>,
}

/// The similarity above which two intents mean the same.
const SIMILAR_INTENT: f32 = 0.9;

/// How many shared calls are named.
const MAX_NAMED: usize = 20;

/// Returns the relations between new code and others. If newer code calls at least half of what
/// older code calls, it usually comes before or after it: `sequence` from the newer to the older.
/// If the similarity of their intents exceeds 0.9 and their calls differ, the newer is an
/// `alternative` to the older. The result does not depend on which of the two is the new one.
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
        let named = shared.into_iter().take(MAX_NAMED).cloned();
        let evidence = Evidence::SharedCalls(named.collect());
        observation(newer, older, EdgeKind::Sequence, evidence)
    })
}

fn alternative(new: &CodeFacts, other: &CodeFacts) -> Option<Observation> {
    let similarity = other.similarity.filter(|it| *it > SIMILAR_INTENT)?;
    if new.calls == other.calls {
        return None;
    }
    let (newer, older) = by_age(new, other);
    let evidence = Evidence::AlikeIntents(similarity.into());
    Some(observation(newer, older, EdgeKind::Alternative, evidence))
}

/// Returns the newer first. If both are equally old, the name decides.
fn by_age<'a>(one: &'a CodeFacts, two: &'a CodeFacts) -> (&'a CodeFacts, &'a CodeFacts) {
    let age = |facts: &'a CodeFacts| (facts.created_at, &facts.fqdn);
    if age(one) > age(two) {
        (one, two)
    } else {
        (two, one)
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
