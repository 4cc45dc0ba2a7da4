//! A store as simple as can be, in lists: what the real ones are compared with.

mod edges;
mod traces;

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Event, EventKind, Fqdn, Pattern, Record, Scope, Statistics,
    Trace, Use, Visibility,
};
use capstan_core::port::{Exported, Imported, NewCapability, Resolved, StoreError, Via, Viewer};
use sha2::{Digest as _, Sha256};

use edges::Edges;
use traces::Traces;

#[derive(Default)]
pub(crate) struct Model {
    records: Vec<Known>,
    edges: Edges,
    pub(crate) traces: Traces,
    names_given: u64,
}

/// Each has a pattern of its own.
struct Known {
    record: Record,
    pattern: Pattern,
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

    /// Who has a record.
    pub(crate) fn owner(&self, fqdn: &Fqdn) -> Option<Viewer> {
        let known = &self.records[self.place(fqdn).ok()?];
        Some(Viewer {
            scope: known.record.scope.clone(),
            user: known.record.owner.clone(),
        })
    }

    /// Everything that can be asked for.
    pub(crate) fn names(&self) -> Vec<String> {
        let of = |it: &Known| {
            let fqdn = it.record.fqdn.to_string();
            let without_hash = fqdn.rsplit_once('.').unwrap().0.to_owned();
            let names = it.names.iter().map(|(_, name)| name.to_string());
            names
                .chain([fqdn, without_hash, it.record.action.clone()])
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
            if record.action == name {
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
        let known = self.known(&new.by, &new.hash);
        let place = known.unwrap_or_else(|| {
            let digits = free(8, &new.hash, |digits| {
                let name = format!("unnamed_{digits}");
                self.holder(&new.by.scope, &name).is_none()
            });
            let name = DisplayName::parse(&format!("unnamed_{digits}")).unwrap();
            let pattern = Pattern {
                hash: new.hash.clone(),
                code: new.code.clone(),
                intent: new.intent.clone(),
                parameters: new.parameters.clone(),
                calls: new.calls.clone(),
                failed_calls: Vec::new(),
                created_at: new.used.at,
            };
            let record = (&new.namespace, name, Visibility::Private);
            self.add(&new.by, pattern, record, EventKind::Created)
        });
        self.count(place, &new.used);
        let made = self.capability(&self.records[place]);
        if let Some(trace) = &new.trace {
            let of = Trace {
                capability: Some(made.record.fqdn.to_string()),
                ..trace.clone()
            };
            self.traces.add(&new.by, of);
        }
        made
    }

    pub(crate) fn record_use(&mut self, fqdn: &Fqdn, used: &Use) -> Outcome<()> {
        let place = self.place(fqdn)?;
        self.count(place, used);
        Ok(())
    }

    pub(crate) fn record_use_of_code(
        &mut self,
        viewer: &Viewer,
        hash: &CodeHash,
        used: &Use,
    ) -> Option<Capability> {
        let place = self.known(viewer, hash)?;
        self.count(place, used);
        Some(self.capability(&self.records[place]))
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
            if visibility > old {
                self.edges
                    .is_new_to_others(&self.records[place].record.fqdn);
            }
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
        self.edges.move_all(from, into);
        self.delete(from)?;
        let second = self.place(into)?;
        Ok(self.capability(&self.records[second]))
    }

    pub(crate) fn delete(&mut self, fqdn: &Fqdn) -> Outcome<()> {
        let place = self.place(fqdn)?;
        self.records.remove(place);
        self.edges.forget(fqdn);
        Ok(())
    }

    pub(crate) fn prune(&mut self, viewer: &Viewer, keep: usize) -> u64 {
        let gone = self.traces.prune(viewer, keep);
        for trace in &gone {
            self.edges.forget_trace(trace.as_str());
        }
        gone.len() as u64
    }

    pub(crate) fn import(
        &mut self,
        viewer: &Viewer,
        item: &Exported,
        at: i64,
    ) -> Outcome<Imported> {
        let known = self.known(viewer, &item.hash);
        let place = match known {
            Some(place) => place,
            None => {
                for name in item.aliases.iter().chain([&item.name]) {
                    if self.holder(&viewer.scope, name.as_str()).is_some() {
                        return Err(Wrong::NameTaken(name.to_string()));
                    }
                }
                let pattern = Pattern {
                    hash: item.hash.clone(),
                    code: item.code.clone(),
                    intent: item.intent.clone(),
                    parameters: item.parameters.clone(),
                    calls: item.calls.clone(),
                    failed_calls: Vec::new(),
                    created_at: at,
                };
                let record = (&item.namespace, item.name.clone(), item.visibility);
                let place = self.add(viewer, pattern, record, EventKind::Imported);
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

    fn count(&mut self, place: usize, used: &Use) {
        let record = &mut self.records[place].record;
        record.statistics = record.statistics.with(used);
    }

    fn add(
        &mut self,
        by: &Viewer,
        pattern: Pattern,
        (namespace, name, visibility): (&String, DisplayName, Visibility),
        origin: EventKind,
    ) -> usize {
        let Viewer { scope, user } = by;
        let at = pattern.created_at;
        let of_scope = || self.records.iter().filter(|it| it.record.scope == *scope);
        let digits = free(8, &pattern.hash, |digits| {
            of_scope().all(|it| it.record.action != format!("exec_{digits}"))
        });
        let action = format!("exec_{digits}");
        let digits = free(4, &pattern.hash, |digits| {
            of_scope().all(|it| it.record.fqdn.as_str().rsplit('.').next() != Some(digits))
        });
        let record = Record {
            fqdn: Fqdn::parse(&format!("{scope}.{namespace}.{action}.{digits}")).unwrap(),
            scope: scope.clone(),
            namespace: namespace.clone(),
            action,
            name: name.clone(),
            aliases: Vec::new(),
            visibility,
            owner: user.clone(),
            statistics: Statistics::default(),
            created_at: at,
            updated_at: at,
        };
        self.records.push(Known {
            record,
            pattern,
            names: Vec::new(),
            events: Vec::new(),
        });
        let place = self.records.len() - 1;
        self.take(place, &name).unwrap();
        self.happened(place, at, origin, name.to_string());
        place
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

    /// What somebody has already, or sees in the own scope.
    fn known(&self, viewer: &Viewer, hash: &CodeHash) -> Option<usize> {
        let mut all: Vec<_> = self.records.iter().enumerate().collect();
        all.retain(|(_, it)| {
            it.pattern.hash == *hash && it.record.scope == viewer.scope && viewer.sees(&it.record)
        });
        let own = all.iter().find(|(_, it)| it.record.owner == viewer.user);
        let oldest = all
            .iter()
            .min_by_key(|(_, it)| (it.record.created_at, &it.record.fqdn));
        own.or(oldest).map(|(place, _)| *place)
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
        Capability {
            record: self.record(known),
            pattern: known.pattern.clone(),
        }
    }
}

/// As few digits as nobody else has; when all are taken, those of the hash of the hash, and so on.
fn free(least: usize, hash: &CodeHash, is_free: impl Fn(&str) -> bool) -> String {
    let mut digits = hash.to_string();
    loop {
        for length in (least..=64).step_by(4) {
            if is_free(&digits[..length]) {
                digits.truncate(length);
                return digits;
            }
        }
        digits = CodeHash::from_bytes(Sha256::digest(digits.as_bytes()).into()).to_string();
    }
}
