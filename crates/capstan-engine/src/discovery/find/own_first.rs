//! Puts what users have made before generated cards.

use capstan_core::card::Kind;

use super::request::Hit;

/// By how much a generated card must fit better than code, a skill or a tool of the user to come before it. It is in
/// addition to the prior of generated cards, because their descriptions have words that short intents lack.
const OWN_LEAD: f32 = 1.0;

/// A hit, and what it is sorted by.
pub(super) struct RankedHit {
    pub(super) rank: f32,
    pub(super) hit: Hit,
}

/// Returns sorted hits again, with generated cards behind what users have made and what fits about equally. Everything
/// else keeps its order, and scores still decrease.
pub(super) fn own_first(hits: Vec<RankedHit>) -> Vec<Hit> {
    let (generated, mut others): (Vec<_>, Vec<_>) =
        hits.into_iter().partition(|it| it.hit.is_generated);
    // From the last to the first: the rank that puts a generated card before all that follow.
    let mut needed = f32::NEG_INFINITY;
    for other in others.iter_mut().rev() {
        let lead = if is_own(other.hit.kind) {
            OWN_LEAD
        } else {
            0.0
        };
        needed = needed.max(other.rank + lead);
        other.rank = needed;
    }
    let mut sorted: Vec<Hit> = Vec::with_capacity(generated.len() + others.len());
    let mut generated = generated.into_iter().peekable();
    for other in others {
        while let Some(better) = generated.next_if(|it| it.rank > other.rank) {
            sorted.push(better.hit);
        }
        sorted.push(other.hit);
    }
    sorted.extend(generated.map(|it| it.hit));
    let mut least = 1.0_f64;
    for hit in &mut sorted {
        hit.score = hit.score.min(least);
        least = hit.score;
    }
    sorted
}

fn is_own(kind: Kind) -> bool {
    match kind {
        Kind::Code | Kind::Skill | Kind::Tool => true,
        Kind::Card | Kind::System => false,
    }
}
