//! A store as simple as can be, in lists: what the real ones are compared with.

use std::collections::BTreeMap;

use capstan_core::code::{
    Capability, DisplayName, EdgeKind, EdgeSource, Event, EventKind, Fqdn, Pattern, Record, Scope,
    Statistics, Visibility,
};
use capstan_core::port::{
    Edge, Exported, Imported, NewCapability, NewEdge, Resolved, StoreError, Via, Viewer,
};

#[derive(Default)]
pub(crate) struct Model {
    records: Vec<Known>,
    patterns: Vec<Pattern>,
    edges: BTreeMap<(String, String), (EdgeKind, EdgeSource, u64)>,
    names_given: u64,
}

struct Known {
    record: Record,
    /// With the order in which they were given; the display name is one of them.
    names: Vec<(u64, DisplayName)>,
    events: Vec<Event>,
}

/// Which error it is; the words are not compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    NotFound(String),
    NameTaken(String),
    Refused,
}

impl From<StoreError> for Wrong {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound(what) => Wrong::NotFound(what),
            StoreError::NameTaken { name, .. } => Wrong::NameTaken(name),
            StoreError::Refused(_) => Wrong::Refused,
            StoreError::Broken(why) => panic!("{why}"),
        }
    }
}

type Outcome<T> = Result<T, Wrong>;

impl Model {
    pub(crate) fn fqdns(&self) -> Vec<Fqdn> {
        self.records
            .iter()
            .map(|it| it.record.fqdn.clone())
            .collect()
    }

    pub(crate) fn patterns(&self) -> Vec<String> {
        self.patterns.iter().map(|it| it.id.clone()).collect()
    }

    /// Everything that can be asked for.
    pub(crate) fn names(&self) -> Vec<String> {
        let of = |it: &Known| {
            let fqdn = it.record.fqdn.to_string();
            let without_hash = fqdn.rsplit_once('.').unwrap().0.to_owned();
            let names = it.names.iter().map(|(_, name)| name.to_string());
            names
                .chain([fqdn, without_hash, it.record.pattern.clone()])
                .collect::<Vec<_>>()
        };
        let mut names: Vec<_> = self.records.iter().flat_map(of).collect();
        names.sort();
        names.dedup();
        names
    }

    pub(crate) fn list(&self, viewer: &Viewer) -> Vec<Capability> {
        let mut seen: Vec<_> = self
            .records
            .iter()
            .filter(|it| viewer.sees(&it.record))
            .collect();
        seen.sort_by_key(|it| (it.record.name.clone(), it.record.scope.clone()));
        seen.into_iter().map(|it| self.capability(it)).collect()
    }

    pub(crate) fn history(&self, fqdn: &Fqdn) -> Vec<Event> {
        let place = self.place(fqdn).unwrap();
        self.records[place].events.clone()
    }

    pub(crate) fn edges(&self, pattern: &str) -> Vec<Edge> {
        let all = || self.edges.iter();
        let from = all().filter(|((from, _), _)| from == pattern);
        let to = all().filter(|((_, to), _)| to == pattern);
        from.chain(to)
            .map(|(ends, said)| shown(ends, *said))
            .collect()
    }

    pub(crate) fn resolve(&self, viewer: &Viewer, name: &str) -> Resolved {
        let distance = |scope: &Scope| match () {
            () if *scope == viewer.scope => 0,
            () if scope.org == viewer.scope.org => 1,
            () => 2,
        };
        let via = |it: &Known| {
            let record = &it.record;
            let parts = [
                &record.scope.org,
                &record.scope.project,
                &record.namespace,
                &record.action,
            ];
            if record.pattern == name {
                Some((0, Via::Id))
            } else if record.fqdn.as_str() == name || parts.map(String::as_str).join(".") == name {
                Some((0, Via::Fqdn))
            } else if record.name.as_str() == name {
                Some((1, Via::Name))
            } else if it.names.iter().any(|(_, other)| other.as_str() == name) {
                Some((2, Via::Alias(name.to_owned())))
            } else {
                None
            }
        };
        let seen = self.records.iter().filter(|it| viewer.sees(&it.record));
        let ranked = seen.filter_map(|it| {
            let (way, via) = via(it)?;
            Some(((distance(&it.record.scope), way), via, it))
        });
        let ranked: Vec<_> = ranked.collect();
        let best = ranked.iter().map(|(rank, ..)| *rank).min();
        let mut best: Vec<_> = ranked
            .into_iter()
            .filter(|(rank, ..)| Some(*rank) == best)
            .collect();
        match best.len() {
            0 => Resolved::Nothing,
            1 => {
                let (_, via, it) = best.remove(0);
                Resolved::Found(Box::new(self.capability(it)), via)
            }
            _ => {
                let mut all: Vec<_> = best
                    .iter()
                    .map(|(_, _, it)| it.record.fqdn.clone())
                    .collect();
                all.sort();
                Resolved::Several(all)
            }
        }
    }

    pub(crate) fn register(&mut self, new: &NewCapability) -> Capability {
        let known = self.by_hash(&new.scope, new.hash.as_str());
        let place = known.unwrap_or_else(|| {
            let digits = self.free(8, new.hash.as_str(), |model, digits| {
                model
                    .holder(&new.scope, &format!("unnamed_{digits}"))
                    .is_none()
            });
            let name = DisplayName::parse(&format!("unnamed_{digits}")).unwrap();
            let pattern = Pattern {
                id: String::new(),
                hash: new.hash.clone(),
                code: new.code.clone(),
                intent: new.intent.clone(),
                parameters: new.parameters.clone(),
                calls: new.calls.clone(),
                created_at: new.used.at,
            };
            let record = (&new.namespace, name, Visibility::Private, &new.owner);
            self.add(&new.scope, pattern, record, EventKind::Created)
        });
        let record = &mut self.records[place].record;
        record.statistics = record.statistics.with(&new.used);
        if record.visibility == Visibility::Private && record.owner != new.owner {
            record.visibility = Visibility::Project;
            let what = "private → project".to_owned();
            self.happened(place, new.used.at, EventKind::Shared, what);
        }
        self.capability(&self.records[place])
    }

    pub(crate) fn rename(&mut self, fqdn: &Fqdn, name: &DisplayName, at: i64) -> Outcome<Record> {
        let place = self.place(fqdn)?;
        let old = self.records[place].record.name.clone();
        if old != *name {
            self.take(place, name)?;
            self.records[place].record.name = name.clone();
            self.happened(place, at, EventKind::Renamed, format!("{old} → {name}"));
        }
        Ok(self.record(&self.records[place]))
    }

    pub(crate) fn add_alias(
        &mut self,
        fqdn: &Fqdn,
        name: &DisplayName,
        at: i64,
    ) -> Outcome<Record> {
        let place = self.place(fqdn)?;
        if self.take(place, name)? {
            self.happened(place, at, EventKind::Aliased, name.to_string());
        }
        Ok(self.record(&self.records[place]))
    }

    pub(crate) fn share(
        &mut self,
        fqdn: &Fqdn,
        visibility: Visibility,
        at: i64,
    ) -> Outcome<Record> {
        let place = self.place(fqdn)?;
        let old = self.records[place].record.visibility;
        if old != visibility {
            self.records[place].record.visibility = visibility;
            self.happened(
                place,
                at,
                EventKind::Shared,
                format!("{old} → {visibility}"),
            );
        }
        Ok(self.record(&self.records[place]))
    }

    pub(crate) fn merge(&mut self, from: &Fqdn, into: &Fqdn, at: i64) -> Outcome<Capability> {
        let (first, second) = (self.place(from)?, self.place(into)?);
        let [one, two] = [first, second].map(|place| self.capability(&self.records[place]));
        let sorted = |it: &Capability| {
            let mut calls = it.pattern.calls.clone();
            calls.sort();
            calls.dedup();
            calls
        };
        if first == second || one.record.scope != two.record.scope || sorted(&one) != sorted(&two) {
            return Err(Wrong::Refused);
        }
        let names = std::mem::take(&mut self.records[first].names);
        let known = &mut self.records[second];
        known.names.extend(names);
        known.names.sort();
        known.record.statistics = two.record.statistics.merged(one.record.statistics);
        let what = format!("{} → {}", one.record.name, two.record.name);
        self.happened(second, at, EventKind::Merged, what);
        let shared = self
            .records
            .iter()
            .filter(|it| it.record.pattern == one.pattern.id)
            .count()
            > 1;
        if !shared {
            let moving = |(ends, _): &(&(String, String), _)| {
                ends.0 == one.pattern.id || ends.1 == one.pattern.id
            };
            let moved: Vec<_> = self
                .edges
                .iter()
                .filter(moving)
                .map(|(ends, said)| (ends.clone(), *said))
                .collect();
            for ((from, to), said) in moved {
                self.edges.remove(&(from.clone(), to.clone()));
                let other = |end: String| {
                    if end == one.pattern.id {
                        two.pattern.id.clone()
                    } else {
                        end
                    }
                };
                let (from, to) = (other(from), other(to));
                if from != to {
                    self.say((from, to), said);
                }
            }
        }
        self.delete(from)?;
        let second = self.place(into)?;
        Ok(self.capability(&self.records[second]))
    }

    pub(crate) fn delete(&mut self, fqdn: &Fqdn) -> Outcome<()> {
        let place = self.place(fqdn)?;
        let pattern = self.records.remove(place).record.pattern;
        if self.records.iter().all(|it| it.record.pattern != pattern) {
            self.patterns.retain(|it| it.id != pattern);
            self.edges
                .retain(|(from, to), _| *from != pattern && *to != pattern);
        }
        Ok(())
    }

    pub(crate) fn import(
        &mut self,
        scope: &Scope,
        owner: &str,
        item: &Exported,
        at: i64,
    ) -> Outcome<Imported> {
        let known = self.by_hash(scope, item.hash.as_str());
        let place = match known {
            Some(place) => place,
            None => {
                for name in item.aliases.iter().chain([&item.name]) {
                    if self.holder(scope, name.as_str()).is_some() {
                        return Err(Wrong::NameTaken(name.to_string()));
                    }
                }
                let pattern = Pattern {
                    id: String::new(),
                    hash: item.hash.clone(),
                    code: item.code.clone(),
                    intent: item.intent.clone(),
                    parameters: item.parameters.clone(),
                    calls: item.calls.clone(),
                    created_at: at,
                };
                let owner = owner.to_owned();
                let record = (&item.namespace, item.name.clone(), item.visibility, &owner);
                let place = self.add(scope, pattern, record, EventKind::Imported);
                for alias in &item.aliases {
                    self.take(place, alias)?;
                }
                place
            }
        };
        let record = &self.records[place].record;
        Ok(Imported {
            fqdn: record.fqdn.clone(),
            name: record.name.clone(),
            known: known.is_some(),
        })
    }

    pub(crate) fn add_edge(&mut self, new: &NewEdge) -> Outcome<Edge> {
        if new.from == new.to {
            return Err(Wrong::Refused);
        }
        for end in [&new.from, &new.to] {
            if self.patterns.iter().all(|it| it.id != *end) {
                return Err(Wrong::NotFound(end.clone()));
            }
        }
        let ends = (new.from.clone(), new.to.clone());
        self.say(ends.clone(), (new.kind, new.source, 1));
        Ok(shown(&ends, self.edges[&ends]))
    }

    fn say(&mut self, ends: (String, String), new: (EdgeKind, EdgeSource, u64)) {
        let (mut kind, mut source, mut count) = new;
        if let Some((old_kind, old_source, old_count)) = self.edges.get(&ends) {
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
        self.edges.insert(ends, (kind, source, count));
    }

    fn add(
        &mut self,
        scope: &Scope,
        pattern: Pattern,
        (namespace, name, visibility, owner): (&String, DisplayName, Visibility, &String),
        origin: EventKind,
    ) -> usize {
        let at = pattern.created_at;
        let hash = pattern.hash.clone();
        let known = self
            .patterns
            .iter()
            .find(|it| it.hash == hash)
            .map(|it| it.id.clone());
        let id = known.unwrap_or_else(|| {
            let digits = self.free(8, hash.as_str(), |model, digits| {
                model
                    .patterns
                    .iter()
                    .all(|it| it.id != format!("exec_{digits}"))
            });
            let id = format!("exec_{digits}");
            self.patterns.push(Pattern {
                id: id.clone(),
                ..pattern
            });
            id
        });
        let digits = self.free(4, hash.as_str(), |model, digits| {
            let mut own = model.records.iter().filter(|it| it.record.scope == *scope);
            own.all(|it| it.record.fqdn.as_str().rsplit('.').next() != Some(digits))
        });
        let record = Record {
            fqdn: Fqdn::parse(&format!("{scope}.{namespace}.{id}.{digits}")).unwrap(),
            pattern: id.clone(),
            scope: scope.clone(),
            namespace: namespace.clone(),
            action: id,
            name: name.clone(),
            aliases: Vec::new(),
            visibility,
            owner: owner.clone(),
            statistics: Statistics::default(),
            created_at: at,
            updated_at: at,
        };
        self.records.push(Known {
            record,
            names: Vec::new(),
            events: Vec::new(),
        });
        let place = self.records.len() - 1;
        self.take(place, &name).unwrap();
        self.happened(place, at, origin, name.to_string());
        place
    }

    /// As few digits as nobody else has.
    fn free(&self, least: usize, hash: &str, is_free: impl Fn(&Self, &str) -> bool) -> String {
        let mut lengths = (least..=64).step_by(4);
        let length = lengths
            .find(|length| is_free(self, &hash[..*length]))
            .unwrap();
        hash[..length].to_owned()
    }

    fn take(&mut self, place: usize, name: &DisplayName) -> Outcome<bool> {
        let scope = self.records[place].record.scope.clone();
        match self.holder(&scope, name.as_str()) {
            Some(holder) if holder == place => Ok(false),
            Some(_) => Err(Wrong::NameTaken(name.to_string())),
            None => {
                self.names_given += 1;
                self.records[place]
                    .names
                    .push((self.names_given, name.clone()));
                Ok(true)
            }
        }
    }

    fn holder(&self, scope: &Scope, name: &str) -> Option<usize> {
        self.records.iter().position(|it| {
            it.record.scope == *scope && it.names.iter().any(|(_, other)| other.as_str() == name)
        })
    }

    fn by_hash(&self, scope: &Scope, hash: &str) -> Option<usize> {
        let pattern = self.patterns.iter().find(|it| it.hash.as_str() == hash)?;
        self.records
            .iter()
            .position(|it| it.record.scope == *scope && it.record.pattern == pattern.id)
    }

    fn place(&self, fqdn: &Fqdn) -> Outcome<usize> {
        let place = self.records.iter().position(|it| it.record.fqdn == *fqdn);
        place.ok_or_else(|| Wrong::NotFound(fqdn.to_string()))
    }

    fn happened(&mut self, place: usize, at: i64, kind: EventKind, what: String) {
        let known = &mut self.records[place];
        known.events.push(Event { at, kind, what });
        known.record.updated_at = known.record.updated_at.max(at);
    }

    fn record(&self, known: &Known) -> Record {
        let names = known.names.iter().map(|(_, name)| name.clone());
        Record {
            aliases: names.filter(|name| *name != known.record.name).collect(),
            ..known.record.clone()
        }
    }

    fn capability(&self, known: &Known) -> Capability {
        let pattern = self
            .patterns
            .iter()
            .find(|it| it.id == known.record.pattern);
        Capability {
            record: self.record(known),
            pattern: pattern.unwrap().clone(),
        }
    }
}

fn shown(
    (from, to): &(String, String),
    (kind, source, observed): (EdgeKind, EdgeSource, u64),
) -> Edge {
    Edge {
        from: from.clone(),
        to: to.clone(),
        kind,
        source,
        observed,
        confidence: kind.confidence(source),
    }
}
