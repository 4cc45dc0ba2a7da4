//! Relations in the model.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::code::{
    Edge, EdgeKind, EdgeSource, Fqdn, Node, Observation, Observed, Record, Trace,
};
use capstan_core::port::{Direction, NewEdge, Sharing, Viewer};

use super::{ErrorKind, Model, ModelResult};

/// The names of both ends.
type Ends = (String, String);

#[derive(Default)]
pub(super) struct Edges {
    all: BTreeMap<Ends, KnownEdge>,
    /// The traces from which something was learned.
    learned: BTreeSet<String>,
    /// The code that was compared with other code.
    related: BTreeSet<Fqdn>,
}

struct KnownEdge {
    edge: Edge,
    /// The kind as which it was declared.
    template: Option<EdgeKind>,
    seen: Vec<Observed>,
}

impl Model {
    pub(crate) fn edges(&self, viewer: &Viewer, node: &Node, direction: Direction) -> Vec<Edge> {
        let all = self.all_edges(viewer, None);
        let from = all.iter().filter(|it| it.from == *node);
        let from = from.filter(|_| direction != Direction::To);
        let to = all.iter().filter(|it| it.to == *node);
        let to = to.filter(|_| direction != Direction::From);
        from.chain(to).cloned().collect()
    }

    pub(crate) fn all_edges(&self, viewer: &Viewer, above: Option<f64>) -> Vec<Edge> {
        let all = self.edges.all.values().map(|it| &it.edge);
        all.filter(|it| self.sees(viewer, &it.from) && self.sees(viewer, &it.to))
            .filter(|it| above.is_none_or(|above| it.confidence() > above))
            .cloned()
            .collect()
    }

    /// Returns which nodes contain which, as the viewer sees it.
    pub(crate) fn contained(&self, viewer: &Viewer) -> Vec<(Node, Node)> {
        let all = self.all_edges(viewer, None).into_iter();
        let contained = all.filter(|it| it.kind == EdgeKind::Contains);
        contained.map(|it| (it.from, it.to)).collect()
    }

    pub(crate) fn edge(
        &self,
        viewer: &Viewer,
        from: &Node,
        to: &Node,
    ) -> Option<(Edge, Vec<Observed>)> {
        let known = self.edges.all.get(&ends(from, to))?;
        if !self.sees(viewer, from) || !self.sees(viewer, to) {
            return None;
        }
        let own: Vec<_> = self.traces.list(viewer);
        let is_own = |it: &&Observed| match &it.trace {
            Some(trace) => own.iter().any(|own| own.id == *trace),
            None => true,
        };
        let mut seen: Vec<_> = known.seen.iter().filter(is_own).cloned().collect();
        seen.sort_by(|one, other| {
            let newest = other.trace.cmp(&one.trace);
            newest.then(one.kind.as_str().cmp(other.kind.as_str()))
        });
        Some((known.edge.clone(), seen))
    }

    /// Returns the relation, and the kind that it had before.
    pub(crate) fn add_edge(
        &mut self,
        viewer: &Viewer,
        new: &NewEdge,
    ) -> ModelResult<(Edge, Option<EdgeKind>)> {
        if new.from == new.to {
            return Err(ErrorKind::Refused);
        }
        for end in [&new.from, &new.to] {
            self.check(viewer, end)?;
        }
        let known = self.edges.all.entry(ends(&new.from, &new.to));
        let before = match &known {
            std::collections::btree_map::Entry::Occupied(it) => Some(it.get().edge.clone()),
            std::collections::btree_map::Entry::Vacant(_) => None,
        };
        let edge = said(before.as_ref(), new);
        let known = known.or_insert_with(|| KnownEdge {
            edge: edge.clone(),
            template: None,
            seen: Vec::new(),
        });
        known.edge = edge.clone();
        for (kind, source) in [(new.kind, new.source), (edge.kind, edge.source)] {
            if source == EdgeSource::Template {
                known.template = Some(match known.template {
                    Some(before) => strongest(before, kind),
                    None => kind,
                });
            }
        }
        let replaced = before.map(|it| it.kind).filter(|it| *it != edge.kind);
        Ok((edge, replaced))
    }

    pub(crate) fn observe_edge(
        &mut self,
        viewer: &Viewer,
        (from, to): (&Node, &Node),
        times: u64,
        at: i64,
    ) -> ModelResult<Edge> {
        for end in [from, to] {
            self.check(viewer, end)?;
        }
        let missing = ErrorKind::NotFound(format!("{from} → {to}"));
        let known = self.edges.all.get_mut(&ends(from, to)).ok_or(missing)?;
        if times > 0 {
            let kind = known.edge.kind;
            known.edge = seen(&known.edge, kind, times, at);
        }
        Ok(known.edge.clone())
    }

    pub(crate) fn remove_edge(
        &mut self,
        viewer: &Viewer,
        from: &Node,
        to: &Node,
    ) -> ModelResult<()> {
        match self.edge(viewer, from, to) {
            Some(_) => {
                self.edges.all.remove(&ends(from, to));
                Ok(())
            }
            None => Err(ErrorKind::NotFound(format!("{from} → {to}"))),
        }
    }

    pub(crate) fn forget_learned(&mut self, viewer: &Viewer, node: Option<&Node>) -> u64 {
        let all = self.all_edges(viewer, None).into_iter();
        let meant = all.filter(|it| node.is_none_or(|node| it.from == *node || it.to == *node));
        let project = format!("{}.", viewer.scope);
        let is_elsewhere = |node: &Node| match node {
            Node::Code(fqdn) => !fqdn.as_str().starts_with(&project),
            Node::Named(_) => false,
        };
        let own: BTreeSet<_> = self
            .traces
            .list(viewer)
            .into_iter()
            .map(|it| it.id)
            .collect();
        let is_of_others = |it: &Observed| it.trace.as_ref().is_some_and(|it| !own.contains(it));
        let mut gone = 0;
        for edge in meant.filter(|it| !is_elsewhere(&it.from)) {
            let key = ends(&edge.from, &edge.to);
            let known = self.edges.all.get_mut(&key).unwrap();
            let is_learned = matches!(edge.source, EdgeSource::Inferred | EdgeSource::Observed);
            if is_learned && known.seen.iter().any(is_of_others) {
                continue;
            }
            gone += u64::from(is_learned);
            if is_learned && known.template.is_none() {
                self.edges.all.remove(&key);
                continue;
            }
            let own = known.seen.iter().filter(|it| !is_of_others(it));
            let own = own.map(|it| it.times).sum();
            if let (true, Some(template)) = (is_learned || own > 0, known.template)
                && edge.source != EdgeSource::Manual
            {
                known.edge.kind = template;
                known.edge.source = EdgeSource::Template;
            }
            known.edge.observed = edge.observed.saturating_sub(own).max(1);
            known.seen.retain(is_of_others);
        }
        gone
    }

    pub(crate) fn unlearned(&self, viewer: &Viewer) -> Vec<Trace> {
        let own = self.traces.list(viewer).into_iter().rev();
        own.filter(|it| !self.edges.learned.contains(it.id.as_str()))
            .map(|it| self.traces.get(viewer, it.id.as_str()).unwrap().unwrap())
            .collect()
    }

    /// Returns how many relations are new or stronger.
    pub(crate) fn learn(
        &mut self,
        viewer: &Viewer,
        trace: &Trace,
        observations: &[Observation],
    ) -> u64 {
        let own = self.traces.list(viewer);
        let is_own = own.iter().any(|it| it.id == trace.id);
        if is_own && self.edges.learned.insert(trace.id.to_string()) {
            self.add_observations(viewer, Some(trace), observations, trace.started_at)
        } else {
            0
        }
    }

    pub(crate) fn unrelated(&self, viewer: &Viewer) -> Vec<Fqdn> {
        let mut own: Vec<_> = self.records.iter().map(|it| &it.record).collect();
        own.retain(|it| it.scope == viewer.scope && it.owner == viewer.user);
        own.retain(|it| !self.edges.related.contains(&it.fqdn));
        own.sort_by_key(|it| (it.created_at, &it.fqdn));
        own.into_iter().map(|it| it.fqdn.clone()).collect()
    }

    pub(crate) fn relate(
        &mut self,
        viewer: &Viewer,
        fqdn: &Fqdn,
        observations: &[Observation],
        at: i64,
    ) -> u64 {
        let seen = self.sees(viewer, &Node::Code(fqdn.clone()));
        if seen && self.edges.related.insert(fqdn.clone()) {
            self.add_observations(viewer, None, observations, at)
        } else {
            0
        }
    }

    pub(crate) fn sharing(&self, viewer: &Viewer, fqdn: &Fqdn) -> Vec<Sharing> {
        let calls = |of: &Fqdn| -> Vec<String> {
            let index = self.index_of(of).unwrap();
            self.records[index].pattern.calls.clone()
        };
        if !self.sees(viewer, &Node::Code(fqdn.clone())) {
            return Vec::new();
        }
        let mine: BTreeSet<_> = calls(fqdn).into_iter().collect();
        let this = &self.records[self.index_of(fqdn).unwrap()].record;
        let age = |record: &Record| (record.created_at, record.fqdn.clone());
        let mut found: Vec<(f64, Sharing)> = Vec::new();
        for known in &self.records {
            let record = &known.record;
            let theirs: BTreeSet<_> = calls(&record.fqdn).into_iter().collect();
            let shared = mine.intersection(&theirs).count();
            let is_older = age(record) < age(this);
            let of_older = if is_older { theirs.len() } else { mine.len() };
            let is_compared = is_older || self.edges.related.contains(&record.fqdn);
            let is_enough = shared > 0 && shared * 2 >= of_older;
            if is_enough && is_compared && record.fqdn != *fqdn && viewer.sees(record) {
                let sharing = Sharing {
                    fqdn: record.fqdn.clone(),
                    created_at: record.created_at,
                    calls: known.pattern.calls.clone(),
                };
                found.push((shared as f64 / of_older as f64, sharing));
            }
        }
        found.sort_by(|(one, a), (other, b)| {
            let age = |it: &Sharing| (it.created_at, it.fqdn.clone());
            other.total_cmp(one).then(age(a).cmp(&age(b)))
        });
        found.into_iter().map(|(_, sharing)| sharing).collect()
    }

    fn add_observations(
        &mut self,
        viewer: &Viewer,
        trace: Option<&Trace>,
        observations: &[Observation],
        at: i64,
    ) -> u64 {
        let mut changed = BTreeSet::new();
        for observation in observations {
            let Observation {
                from,
                to,
                kind,
                times,
                evidence,
            } = observation;
            let is_one = from != to && *times > 0;
            if !is_one || !self.sees(viewer, from) || !self.sees(viewer, to) {
                continue;
            }
            let trace = trace.map(|it| it.id.clone());
            let new = Observed {
                kind: *kind,
                times: *times,
                evidence: evidence.clone(),
                trace: trace.clone(),
                at,
            };
            let known = self.edges.all.get(&ends(from, to));
            let before = known.and_then(|it| {
                let same = |it: &&Observed| it.kind == *kind && it.trace == trace;
                it.seen.iter().find(same)
            });
            if trace.is_none() && before.is_some() {
                continue;
            }
            self.edges.see((from, to), new);
            changed.insert(ends(from, to));
        }
        changed.len() as u64
    }

    fn check(&self, viewer: &Viewer, node: &Node) -> ModelResult<()> {
        if self.sees(viewer, node) {
            Ok(())
        } else {
            Err(ErrorKind::NotFound(node.to_string()))
        }
    }

    fn sees(&self, viewer: &Viewer, node: &Node) -> bool {
        match node {
            Node::Named(_) => true,
            Node::Code(fqdn) => match self.index_of(fqdn) {
                Ok(index) => viewer.sees(&self.records[index].record),
                Err(_) => false,
            },
        }
    }
}

impl Edges {
    pub(super) fn forget(&mut self, fqdn: &Fqdn) {
        let of = |node: &Node| node.code() == Some(fqdn);
        self.all
            .retain(|_, it| !of(&it.edge.from) && !of(&it.edge.to));
        self.related.remove(fqdn);
    }

    /// Records that more viewers see the code than before.
    pub(super) fn set_unrelated(&mut self, fqdn: &Fqdn) {
        self.related.remove(fqdn);
    }

    /// Removes what depends on a deleted trace.
    pub(super) fn forget_trace(&mut self, id: &str) {
        let is_it = |it: &Observed| it.trace.as_ref().is_some_and(|it| it.as_str() == id);
        for known in self.all.values_mut() {
            known.seen.retain(|it| !is_it(it));
        }
        self.learned.remove(id);
    }

    pub(super) fn move_all(&mut self, from: &Fqdn, into: &Fqdn) {
        let of = |node: &Node| node.code() == Some(from);
        let moved = |node: &Node| {
            if of(node) {
                Node::Code(into.clone())
            } else {
                node.clone()
            }
        };
        let keys: Vec<Ends> = self.all.keys().cloned().collect();
        for key in keys {
            let known = &self.all[&key];
            if !of(&known.edge.from) && !of(&known.edge.to) {
                continue;
            }
            let KnownEdge {
                edge,
                template,
                seen,
            } = self.all.remove(&key).unwrap();
            let edge = Edge {
                from: moved(&edge.from),
                to: moved(&edge.to),
                ..edge
            };
            if edge.from == edge.to {
                continue;
            }
            match self.all.get_mut(&ends(&edge.from, &edge.to)) {
                Some(known) => {
                    known.edge = joined(&known.edge, &edge);
                    let declared = known.template.into_iter().chain(template);
                    known.template = declared.reduce(strongest);
                    for it in seen {
                        count(&mut known.seen, it);
                    }
                }
                None => {
                    let known = KnownEdge {
                        edge: edge.clone(),
                        template,
                        seen,
                    };
                    self.all.insert(ends(&edge.from, &edge.to), known);
                }
            }
        }
    }

    fn see(&mut self, (from, to): (&Node, &Node), new: Observed) {
        let (kind, times, at) = (new.kind, new.times, new.at);
        match self.all.get_mut(&ends(from, to)) {
            Some(known) => {
                known.edge = seen(&known.edge, kind, times, at);
                count(&mut known.seen, new);
            }
            None => {
                let edge = Edge {
                    from: from.clone(),
                    to: to.clone(),
                    kind,
                    source: by_count(times),
                    observed: times,
                    created_at: at,
                    last_observed: at,
                };
                let known = KnownEdge {
                    edge,
                    template: None,
                    seen: vec![new],
                };
                self.all.insert(ends(from, to), known);
            }
        }
    }
}

fn ends(from: &Node, to: &Node) -> Ends {
    (from.to_string(), to.to_string())
}

/// Adds an observation; there is one for each trace and kind.
fn count(all: &mut Vec<Observed>, new: Observed) {
    let same = |it: &&mut Observed| it.kind == new.kind && it.trace == new.trace;
    match all.iter_mut().find(same) {
        Some(it) => it.times += new.times,
        None => all.push(new),
    }
}

fn said(known: Option<&Edge>, new: &NewEdge) -> Edge {
    use EdgeSource::{Manual, Observed, Template};
    let Some(known) = known else {
        return Edge {
            from: new.from.clone(),
            to: new.to.clone(),
            kind: new.kind,
            source: new.source,
            observed: 1,
            created_at: new.at,
            last_observed: new.at,
        };
    };
    if new.source == Template {
        let is_surer = new.kind.confidence(Template) > known.confidence();
        let (kind, source) = if is_surer {
            (new.kind, Template)
        } else {
            (known.kind, known.source)
        };
        return Edge {
            kind,
            source,
            ..known.clone()
        };
    }
    let observed = known.observed + 1;
    if (known.source, new.source) != (Template, Manual) && known.source == Template {
        return declared_and_seen(known, new.kind, new.source, (observed, new.at));
    }
    Edge {
        kind: match (known.source, new.source) {
            (_, Manual) => new.kind,
            (Manual, _) => known.kind,
            _ => strongest(known.kind, new.kind),
        },
        source: match (known.source, new.source) {
            (Manual, _) | (_, Manual) => Manual,
            (Observed, _) | (_, Observed) => Observed,
            _ => by_count(observed),
        },
        observed,
        created_at: known.created_at.min(new.at),
        last_observed: known.last_observed.max(new.at),
        ..known.clone()
    }
}

/// Observations win as soon as their confidence is at least that of the declaration.
fn declared_and_seen(
    known: &Edge,
    kind: EdgeKind,
    source: EdgeSource,
    (observed, at): (u64, i64),
) -> Edge {
    let source = match source {
        EdgeSource::Inferred => by_count(observed),
        source => source,
    };
    let is_as_sure = kind.confidence(source) >= known.confidence();
    let (kind, source) = if is_as_sure {
        (kind, source)
    } else {
        (known.kind, known.source)
    };
    Edge {
        kind,
        source,
        observed,
        created_at: known.created_at.min(at),
        last_observed: known.last_observed.max(at),
        ..known.clone()
    }
}

fn seen(known: &Edge, kind: EdgeKind, times: u64, at: i64) -> Edge {
    use EdgeSource::{Inferred, Manual, Observed, Template};
    let observed = known.observed + times;
    if known.source == Template {
        return declared_and_seen(known, kind, Inferred, (observed, at));
    }
    Edge {
        kind: match known.source {
            Manual => known.kind,
            _ => strongest(known.kind, kind),
        },
        source: match known.source {
            Manual => Manual,
            Observed => Observed,
            _ => by_count(observed),
        },
        observed,
        created_at: known.created_at.min(at),
        last_observed: known.last_observed.max(at),
        ..known.clone()
    }
}

fn joined(known: &Edge, other: &Edge) -> Edge {
    use EdgeSource::{Manual, Observed, Template};
    let observed = known.observed + other.observed;
    Edge {
        kind: match (known.source, other.source) {
            (Manual, _) => known.kind,
            (_, Manual) => other.kind,
            _ => strongest(known.kind, other.kind),
        },
        source: match (known.source, other.source) {
            (Manual, _) | (_, Manual) => Manual,
            (Observed, _) | (_, Observed) => Observed,
            (Template, Template) => Template,
            _ => by_count(observed),
        },
        observed,
        created_at: known.created_at.min(other.created_at),
        last_observed: known.last_observed.max(other.last_observed),
        ..known.clone()
    }
}

fn strongest(one: EdgeKind, other: EdgeKind) -> EdgeKind {
    let strength = |kind: EdgeKind| kind.confidence(EdgeSource::Manual);
    if strength(one) > strength(other) {
        one
    } else {
        other
    }
}

fn by_count(observed: u64) -> EdgeSource {
    if observed >= 3 {
        EdgeSource::Observed
    } else {
        EdgeSource::Inferred
    }
}
