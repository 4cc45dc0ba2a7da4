//! Relations of the model.

use std::collections::BTreeMap;

use capstan_core::code::{EdgeKind, EdgeSource, Fqdn};
use capstan_core::port::{Edge, NewEdge};

use super::{Model, Outcome, Wrong};

type Ends = (Fqdn, Fqdn);
type Said = (EdgeKind, EdgeSource, u64);

#[derive(Default)]
pub(super) struct Edges(BTreeMap<Ends, Said>);

impl Model {
    pub(crate) fn edges(&self, fqdn: &Fqdn) -> Vec<Edge> {
        let all = || self.edges.0.iter();
        let from = all().filter(|((from, _), _)| from == fqdn);
        let to = all().filter(|((_, to), _)| to == fqdn);
        from.chain(to)
            .map(|(ends, said)| shown(ends, *said))
            .collect()
    }

    pub(crate) fn add_edge(&mut self, new: &NewEdge) -> Outcome<Edge> {
        if new.from == new.to {
            return Err(Wrong::Refused);
        }
        for end in [&new.from, &new.to] {
            self.place(end)?;
        }
        let ends = (new.from.clone(), new.to.clone());
        self.edges.say(ends.clone(), (new.kind, new.source, 1));
        Ok(shown(&ends, self.edges.0[&ends]))
    }
}

impl Edges {
    pub(super) fn forget(&mut self, fqdn: &Fqdn) {
        self.0.retain(|(from, to), _| from != fqdn && to != fqdn);
    }

    pub(super) fn move_all(&mut self, from: &Fqdn, into: &Fqdn) {
        let before = self.0.clone();
        self.forget(from);
        let moved = |end: &Fqdn| if end == from { into } else { end }.clone();
        for (ends, said) in before {
            if ends.0 != *from && ends.1 != *from {
                continue;
            }
            let ends = (moved(&ends.0), moved(&ends.1));
            if ends.0 != ends.1 {
                self.say(ends, said);
            }
        }
    }

    fn say(&mut self, ends: Ends, new: Said) {
        let (mut kind, mut source, mut count) = new;
        if let Some((old_kind, old_source, old_count)) = self.0.get(&ends) {
            count += old_count;
            let order = [
                EdgeSource::Template,
                EdgeSource::Inferred,
                EdgeSource::Observed,
                EdgeSource::Manual,
            ];
            let place = |source| order.iter().position(|it| *it == source);
            let strength = |kind: EdgeKind| kind.confidence(EdgeSource::Manual);
            let newest = source == EdgeSource::Manual;
            let stated = *old_source == EdgeSource::Manual;
            if !newest && (stated || strength(*old_kind) > strength(kind)) {
                kind = *old_kind;
            }
            if place(*old_source) > place(source) {
                source = *old_source;
            }
        }
        if source == EdgeSource::Inferred && count >= 3 {
            source = EdgeSource::Observed;
        }
        self.0.insert(ends, (kind, source, count));
    }
}

fn shown((from, to): &Ends, (kind, source, observed): Said) -> Edge {
    Edge {
        from: from.clone(),
        to: to.clone(),
        kind,
        source,
        observed,
        confidence: kind.confidence(source),
    }
}
