//! A store as simple as possible, in lists: the real stores are compared with it.

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
    records: Vec<KnownRecord>,
    edges: Edges,
    pub(crate) traces: Traces,
    names_given: u64,
}

/// A record with its own pattern.
struct KnownRecord {
    record: Record,
    pattern: Pattern,
    /// In the order in which they were added; the display name is one of them.
    names: Vec<(u64, DisplayName)>,
    events: Vec<Event>,
}

/// The kind of an error; messages are not compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ErrorKind {
    NotFound(String),
    NameTaken(String),
    Refused,
}

impl From<StoreError> for ErrorKind {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound(what) => ErrorKind::NotFound(what),
            StoreError::NameTaken { name, .. } => ErrorKind::NameTaken(name),
            StoreError::Refused(_) => ErrorKind::Refused,
            StoreError::Broken(why) => panic!("{why}"),
        }
    }
}

type ModelResult<T> = Result<T, ErrorKind>;

impl Model {
    pub(crate) fn fqdns(&self) -> Vec<Fqdn> {
        self.records
            .iter()
            .map(|it| it.record.fqdn.clone())
            .collect()
    }

    /// Returns the owner of a record.
    pub(crate) fn owner(&self, fqdn: &Fqdn) -> Option<Viewer> {
        let known = &self.records[self.index_of(fqdn).ok()?];
        Some(Viewer {
            scope: known.record.scope.clone(),
            user: known.record.owner.clone(),
        })
    }

    /// Returns every name that can be resolved.
    pub(crate) fn names(&self) -> Vec<String> {
        let of = |it: &KnownRecord| {
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
        let index = self.index_of(fqdn).unwrap();
        self.records[index].events.clone()
    }

    pub(crate) fn resolve(&self, viewer: &Viewer, name: &str) -> Resolved {
        let distance = |scope: &Scope| match () {
            () if *scope == viewer.scope => 0,
            () if scope.org == viewer.scope.org => 1,
            () => 2,
        };
        let via = |it: &KnownRecord| {
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
        let index = known.unwrap_or_else(|| {
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
        self.count(index, &new.used);
        let made = self.capability(&self.records[index]);
        if let Some(trace) = &new.trace {
            let of = Trace {
                capability: Some(made.record.fqdn.to_string()),
                ..trace.clone()
            };
            self.traces.add(&new.by, of);
        }
        made
    }

    pub(crate) fn record_use(&mut self, fqdn: &Fqdn, used: &Use) -> ModelResult<()> {
        let index = self.index_of(fqdn)?;
        self.count(index, used);
        Ok(())
    }

    pub(crate) fn record_use_of_code(
        &mut self,
        viewer: &Viewer,
        hash: &CodeHash,
        used: &Use,
    ) -> Option<Capability> {
        let index = self.known(viewer, hash)?;
        self.count(index, used);
        Some(self.capability(&self.records[index]))
    }

    pub(crate) fn rename(
        &mut self,
        fqdn: &Fqdn,
        name: &DisplayName,
        at: i64,
    ) -> ModelResult<Record> {
        let index = self.index_of(fqdn)?;
        let old = self.records[index].record.name.clone();
        if old != *name {
            self.assign(index, name)?;
            self.records[index].record.name = name.clone();
            self.record_event(index, at, EventKind::Renamed, format!("{old} → {name}"));
        }
        Ok(self.record(&self.records[index]))
    }

    pub(crate) fn add_alias(
        &mut self,
        fqdn: &Fqdn,
        name: &DisplayName,
        at: i64,
    ) -> ModelResult<Record> {
        let index = self.index_of(fqdn)?;
        if self.assign(index, name)? {
            self.record_event(index, at, EventKind::Aliased, name.to_string());
        }
        Ok(self.record(&self.records[index]))
    }

    pub(crate) fn share(
        &mut self,
        fqdn: &Fqdn,
        visibility: Visibility,
        at: i64,
    ) -> ModelResult<Record> {
        let index = self.index_of(fqdn)?;
        let old = self.records[index].record.visibility;
        if old != visibility {
            self.records[index].record.visibility = visibility;
            if visibility > old {
                self.edges.set_unrelated(&self.records[index].record.fqdn);
            }
            self.record_event(
                index,
                at,
                EventKind::Shared,
                format!("{old} → {visibility}"),
            );
        }
        Ok(self.record(&self.records[index]))
    }

    pub(crate) fn merge(&mut self, from: &Fqdn, into: &Fqdn, at: i64) -> ModelResult<Capability> {
        let (first, second) = (self.index_of(from)?, self.index_of(into)?);
        let [one, two] = [first, second].map(|index| self.capability(&self.records[index]));
        let sorted = |it: &Capability| {
            let mut calls = it.pattern.calls.clone();
            calls.sort();
            calls.dedup();
            calls
        };
        if first == second || one.record.scope != two.record.scope || sorted(&one) != sorted(&two) {
            return Err(ErrorKind::Refused);
        }
        let names = std::mem::take(&mut self.records[first].names);
        let known = &mut self.records[second];
        known.names.extend(names);
        known.names.sort();
        known.record.statistics = two.record.statistics.merged(one.record.statistics);
        let what = format!("{} → {}", one.record.name, two.record.name);
        self.record_event(second, at, EventKind::Merged, what);
        self.edges.move_all(from, into);
        self.delete(from)?;
        let second = self.index_of(into)?;
        Ok(self.capability(&self.records[second]))
    }

    pub(crate) fn delete(&mut self, fqdn: &Fqdn) -> ModelResult<()> {
        let index = self.index_of(fqdn)?;
        self.records.remove(index);
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
    ) -> ModelResult<Imported> {
        let known = self.known(viewer, &item.hash);
        let index = match known {
            Some(index) => index,
            None => {
                for name in item.aliases.iter().chain([&item.name]) {
                    if self.holder(&viewer.scope, name.as_str()).is_some() {
                        return Err(ErrorKind::NameTaken(name.to_string()));
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
                let index = self.add(viewer, pattern, record, EventKind::Imported);
                for alias in &item.aliases {
                    self.assign(index, alias)?;
                }
                index
            }
        };
        let record = &self.records[index].record;
        Ok(Imported {
            fqdn: record.fqdn.clone(),
            name: record.name.clone(),
            known: known.is_some(),
        })
    }

    fn count(&mut self, index: usize, used: &Use) {
        let record = &mut self.records[index].record;
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
        self.records.push(KnownRecord {
            record,
            pattern,
            names: Vec::new(),
            events: Vec::new(),
        });
        let index = self.records.len() - 1;
        self.assign(index, &name).unwrap();
        self.record_event(index, at, origin, name.to_string());
        index
    }

    fn assign(&mut self, index: usize, name: &DisplayName) -> ModelResult<bool> {
        let scope = self.records[index].record.scope.clone();
        match self.holder(&scope, name.as_str()) {
            Some(holder) if holder == index => Ok(false),
            Some(_) => Err(ErrorKind::NameTaken(name.to_string())),
            None => {
                self.names_given += 1;
                self.records[index]
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

    /// Returns the viewer's own record of this code, or else a visible one in their scope.
    fn known(&self, viewer: &Viewer, hash: &CodeHash) -> Option<usize> {
        let mut all: Vec<_> = self.records.iter().enumerate().collect();
        all.retain(|(_, it)| {
            it.pattern.hash == *hash && it.record.scope == viewer.scope && viewer.sees(&it.record)
        });
        let own = all.iter().find(|(_, it)| it.record.owner == viewer.user);
        let oldest = all
            .iter()
            .min_by_key(|(_, it)| (it.record.created_at, &it.record.fqdn));
        own.or(oldest).map(|(index, _)| *index)
    }

    fn index_of(&self, fqdn: &Fqdn) -> ModelResult<usize> {
        let index = self.records.iter().position(|it| it.record.fqdn == *fqdn);
        index.ok_or_else(|| ErrorKind::NotFound(fqdn.to_string()))
    }

    fn record_event(&mut self, index: usize, at: i64, kind: EventKind, what: String) {
        let known = &mut self.records[index];
        known.events.push(Event { at, kind, what });
        known.record.updated_at = known.record.updated_at.max(at);
    }

    fn record(&self, known: &KnownRecord) -> Record {
        let names = known.names.iter().map(|(_, name)| name.clone());
        Record {
            aliases: names.filter(|name| *name != known.record.name).collect(),
            ..known.record.clone()
        }
    }

    fn capability(&self, known: &KnownRecord) -> Capability {
        Capability {
            record: self.record(known),
            pattern: known.pattern.clone(),
        }
    }
}

/// Returns the shortest free prefix of the hash; when all are taken, of the hash of the hash, and
/// so on.
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
