//! What a relation becomes by what is said and seen of it. Pure, and the same in whatever order things
//! are seen.

use capstan_core::code::{Edge, EdgeKind, EdgeSource};

use crate::number::MOST;

/// What was seen this often was observed.
const OBSERVED_AT: u64 = 3;

/// After somebody stated it. What a person states stands, the newest last. A declaration is no observation: it
/// takes the place of what is known only if it is surer, and what is observed takes its place.
pub(super) fn stated(known: Option<Edge>, said: Edge) -> Edge {
    let Some(known) = known else {
        return settled(said);
    };
    let joined = together(&known, &said);
    match (known.source, said.source) {
        (_, EdgeSource::Template) => match said.confidence() > known.confidence() {
            true => Edge {
                kind: said.kind,
                source: EdgeSource::Template,
                ..known
            },
            false => known,
        },
        (_, EdgeSource::Manual) => Edge {
            kind: said.kind,
            source: EdgeSource::Manual,
            ..joined
        },
        (EdgeSource::Manual, _) => joined,
        (EdgeSource::Template, _) => beside_declaration(&known, &said),
        (source, said_source) => settled(Edge {
            kind: stronger(known.kind, said.kind),
            source: surer(source, said_source),
            ..joined
        }),
    }
}

/// As what it was declared until now, and by what was said just now: that is what stays when everything
/// else is forgotten.
pub(super) fn declared(before: Option<EdgeKind>, said: &Edge, now: &Edge) -> Option<EdgeKind> {
    let as_template = |edge: &Edge| (edge.source == EdgeSource::Template).then_some(edge.kind);
    strongest([before, as_template(said), as_template(now)])
}

/// Of several, where there are any.
pub(super) fn strongest<const N: usize>(kinds: [Option<EdgeKind>; N]) -> Option<EdgeKind> {
    kinds.into_iter().flatten().reduce(stronger)
}

/// After it was seen. What a person stated is only counted.
pub(super) fn observed(known: Option<Edge>, seen: Edge) -> Edge {
    let Some(known) = known else {
        return settled(Edge {
            source: EdgeSource::Inferred,
            ..seen
        });
    };
    let joined = together(&known, &seen);
    match known.source {
        EdgeSource::Manual => joined,
        EdgeSource::Template => {
            let inferred = Edge {
                source: EdgeSource::Inferred,
                ..seen
            };
            beside_declaration(&known, &inferred)
        }
        source => settled(Edge {
            kind: stronger(known.kind, seen.kind),
            source: surer(source, EdgeSource::Inferred),
            ..joined
        }),
    }
}

/// What was seen of a relation that was only declared, which stands as long as it is surer than what was seen.
fn beside_declaration(declared: &Edge, seen: &Edge) -> Edge {
    let joined = together(declared, seen);
    let evidence = settled(Edge {
        kind: seen.kind,
        source: seen.source,
        ..joined.clone()
    });
    if evidence.confidence() >= declared.confidence() {
        evidence
    } else {
        joined
    }
}

/// Two relations become one, because their ends do.
pub(super) fn joined(known: Option<Edge>, other: Edge) -> Edge {
    let Some(known) = known else {
        return other;
    };
    let by_hand = |edge: &Edge| edge.source == EdgeSource::Manual;
    let joined = together(&known, &other);
    match (by_hand(&known), by_hand(&other)) {
        (true, _) => joined,
        (false, true) => Edge {
            kind: other.kind,
            source: EdgeSource::Manual,
            ..joined
        },
        (false, false) => settled(Edge {
            kind: stronger(known.kind, other.kind),
            source: surer(known.source, other.source),
            ..joined
        }),
    }
}

/// As often as both, from the first to the last time.
fn together(known: &Edge, other: &Edge) -> Edge {
    Edge {
        observed: known.observed.saturating_add(other.observed).min(MOST),
        created_at: known.created_at.min(other.created_at),
        last_observed: known.last_observed.max(other.last_observed),
        ..known.clone()
    }
}

fn stronger(one: EdgeKind, other: EdgeKind) -> EdgeKind {
    let weight = |kind: EdgeKind| kind.confidence(EdgeSource::Observed);
    if weight(other) > weight(one) {
        other
    } else {
        one
    }
}

fn surer(one: EdgeSource, other: EdgeSource) -> EdgeSource {
    let sure = |source: EdgeSource| EdgeKind::Dependency.confidence(source);
    if sure(other) > sure(one) { other } else { one }
}

/// Seen often enough, a guess is none any more.
fn settled(edge: Edge) -> Edge {
    let source = match edge.source {
        EdgeSource::Inferred if edge.observed >= OBSERVED_AT => EdgeSource::Observed,
        source => source,
    };
    Edge {
        source,
        observed: edge.observed.min(MOST),
        ..edge
    }
}
