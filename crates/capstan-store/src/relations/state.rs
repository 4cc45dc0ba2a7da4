//! How statements and observations change a relation. Pure; the order of observations does not
//! matter.

use capstan_core::code::{Edge, EdgeKind, EdgeSource};

use crate::integer::MAX_COUNT;

/// From this many observations on, an inferred relation counts as observed.
const OBSERVED_THRESHOLD: u64 = 3;

/// Returns the relation after a statement. A person's statement always wins, the newest over older
/// ones. A declaration is no observation: it replaces what is known only if its confidence is
/// higher, and observations replace it.
pub(super) fn after_statement(known: Option<Edge>, said: Edge) -> Edge {
    let Some(known) = known else {
        return promote_if_observed(said);
    };
    let combined = with_combined_counts(&known, &said);
    match (known.source, said.source) {
        (_, EdgeSource::Template) => {
            if said.confidence() > known.confidence() {
                Edge {
                    kind: said.kind,
                    source: EdgeSource::Template,
                    ..known
                }
            } else {
                known
            }
        }
        (_, EdgeSource::Manual) => Edge {
            kind: said.kind,
            source: EdgeSource::Manual,
            ..combined
        },
        (EdgeSource::Manual, _) => combined,
        (EdgeSource::Template, _) => combine_with_declaration(&known, &said),
        (source, said_source) => promote_if_observed(Edge {
            kind: stronger(known.kind, said.kind),
            source: more_certain(source, said_source),
            ..combined
        }),
    }
}

/// Returns the kind as which the relation is declared now. It remains when everything learned is
/// forgotten.
pub(super) fn declared_kind(before: Option<EdgeKind>, said: &Edge, now: &Edge) -> Option<EdgeKind> {
    let as_template = |edge: &Edge| (edge.source == EdgeSource::Template).then_some(edge.kind);
    strongest([before, as_template(said), as_template(now)])
}

/// Returns the strongest of the kinds that are present.
pub(super) fn strongest<const N: usize>(kinds: [Option<EdgeKind>; N]) -> Option<EdgeKind> {
    kinds.into_iter().flatten().reduce(stronger)
}

/// Returns the relation after an observation. If a person stated it, only the count changes.
pub(super) fn after_observation(known: Option<Edge>, seen: Edge) -> Edge {
    let Some(known) = known else {
        return promote_if_observed(Edge {
            source: EdgeSource::Inferred,
            ..seen
        });
    };
    let combined = with_combined_counts(&known, &seen);
    match known.source {
        EdgeSource::Manual => combined,
        EdgeSource::Template => {
            let inferred = Edge {
                source: EdgeSource::Inferred,
                ..seen
            };
            combine_with_declaration(&known, &inferred)
        }
        source => promote_if_observed(Edge {
            kind: stronger(known.kind, seen.kind),
            source: more_certain(source, EdgeSource::Inferred),
            ..combined
        }),
    }
}

/// Combines a declared relation with what was seen. The declaration wins while its confidence is
/// higher.
fn combine_with_declaration(declared: &Edge, seen: &Edge) -> Edge {
    let combined = with_combined_counts(declared, seen);
    let evidence = promote_if_observed(Edge {
        kind: seen.kind,
        source: seen.source,
        ..combined.clone()
    });
    if evidence.confidence() >= declared.confidence() {
        evidence
    } else {
        combined
    }
}

/// Merges two relations whose ends became the same.
pub(super) fn merged(known: Option<Edge>, other: Edge) -> Edge {
    let Some(known) = known else {
        return other;
    };
    let is_manual = |edge: &Edge| edge.source == EdgeSource::Manual;
    let combined = with_combined_counts(&known, &other);
    match (is_manual(&known), is_manual(&other)) {
        (true, _) => combined,
        (false, true) => Edge {
            kind: other.kind,
            source: EdgeSource::Manual,
            ..combined
        },
        (false, false) => promote_if_observed(Edge {
            kind: stronger(known.kind, other.kind),
            source: more_certain(known.source, other.source),
            ..combined
        }),
    }
}

/// Returns `known` with the counts of both, from the first to the last time.
fn with_combined_counts(known: &Edge, other: &Edge) -> Edge {
    Edge {
        observed: known.observed.saturating_add(other.observed).min(MAX_COUNT),
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

fn more_certain(one: EdgeSource, other: EdgeSource) -> EdgeSource {
    let sure = |source: EdgeSource| EdgeKind::Dependency.confidence(source);
    if sure(other) > sure(one) { other } else { one }
}

/// Turns an inferred relation that was seen often enough into an observed one.
fn promote_if_observed(edge: Edge) -> Edge {
    let source = match edge.source {
        EdgeSource::Inferred if edge.observed >= OBSERVED_THRESHOLD => EdgeSource::Observed,
        source => source,
    };
    Edge {
        source,
        observed: edge.observed.min(MAX_COUNT),
        ..edge
    }
}
