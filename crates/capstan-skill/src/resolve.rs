//! Resolves the versions of composed skills: for each id the newest version that satisfies all requests, or
//! the one in the lock file.

use std::collections::{BTreeMap, BTreeSet};

use crate::skill::{Compose, Skill};
use crate::{Library, Placed, Range, Version};

/// The index of the chosen skill in the library, by id.
pub(crate) type Resolution = BTreeMap<String, usize>;

/// A request for a version of a skill.
#[derive(Clone, Debug)]
pub(crate) struct VersionRequest<'a> {
    pub(crate) requester: usize,
    pub(crate) range: &'a Placed<Range>,
}

/// Requests that no version satisfies.
#[derive(Debug)]
pub(crate) struct Conflict<'a> {
    pub(crate) id: String,
    pub(crate) asks: Vec<VersionRequest<'a>>,
    /// The locked version, if it is the one that does not satisfy the requests.
    pub(crate) locked: Option<Version>,
}

/// The number of rounds in which choices may change the requests before a search begins. Compositions are
/// three levels deep, so two rounds are nearly always enough.
const ROUNDS: usize = 8;

/// The largest number of requests that a search examines. Harder cases are reported as conflicts.
const MOST_WORK: usize = 2_000_000;

/// Resolves everything that a skill composes, at any depth.
pub(crate) fn resolve(library: &Library, root: usize) -> (Resolution, Vec<Conflict<'_>>) {
    let (newest, conflicts, settled) = take_newest(library, root);
    if settled && conflicts.is_empty() {
        return (newest, conflicts);
    }
    let mut search = VersionSearch {
        library,
        root,
        lock_name: library.skill(root).full_name(),
        chosen: Resolution::new(),
        work: 0,
        first_conflict: None,
    };
    if search.solve().is_ok() {
        return (search.chosen, Vec::new());
    }
    // Report the conflicts among the newest versions, because older versions do not help either.
    if conflicts.is_empty() {
        (newest, search.first_conflict.into_iter().collect())
    } else {
        (newest, conflicts)
    }
}

/// Returns the resolved version of an id, or the default version if nothing was resolved.
pub(crate) fn chosen_version(
    library: &Library,
    resolution: &Resolution,
    id: &str,
) -> Option<usize> {
    let resolved = resolution.get(id).copied();
    resolved.or_else(|| library.default_version(id))
}

/// Returns the version ranges that a skill requests for one of its parts.
pub(crate) fn ranges<'a>(
    skill: &'a Skill,
    compose: &'a Compose,
) -> impl Iterator<Item = &'a Placed<Range>> {
    let required = skill
        .requires
        .iter()
        .filter(|it| it.skill.value == compose.skill.value)
        .map(|it| &it.version);
    compose.version.iter().chain(required)
}

/// Chooses the newest version that satisfies the requests, repeatedly until nothing changes. It never chooses
/// an older version of one skill to satisfy another; [`VersionSearch`] does that. The flag in the result says
/// whether the choices became stable.
fn take_newest(library: &Library, root: usize) -> (Resolution, Vec<Conflict<'_>>, bool) {
    let lock_name = library.skill(root).full_name();
    let mut chosen = Resolution::new();
    let mut conflicts = Vec::new();
    for _ in 0..ROUNDS {
        let with_default = |id: &str| chosen_version(library, &chosen, id);
        let requests = Requests::gather(library, root, with_default);
        let mut next = Resolution::new();
        conflicts = Vec::new();
        for (id, SkillRequests { asks, .. }) in requests.by_id {
            let found = candidates(library, &lock_name, &id, &asks).next();
            if found.is_none() && library.contains(&id) {
                conflicts.push(conflict(library, &lock_name, &id, asks));
            }
            if let Some(index) = found.or_else(|| library.default_version(&id)) {
                next.insert(id, index);
            }
        }
        if next == chosen {
            return (chosen, conflicts, true);
        }
        chosen = next;
    }
    (chosen, conflicts, false)
}

/// Searches for compatible versions, newest first, and revokes choices that lead to a dead end.
struct VersionSearch<'a> {
    library: &'a Library,
    root: usize,
    lock_name: String,
    chosen: Resolution,
    work: usize,
    /// The first conflict that was found.
    first_conflict: Option<Conflict<'a>>,
}

/// The ids whose choices together cause a dead end. Revoking any other choice is useless.
type Culprits = BTreeSet<String>;

/// An id whose version is chosen next.
struct Choice {
    id: String,
    candidates: Vec<usize>,
    /// The ids whose choices exclude the other versions.
    culprits: Culprits,
}

impl<'a> VersionSearch<'a> {
    fn solve(&mut self) -> Result<(), Culprits> {
        let Some(choice) = self.next_choice()? else {
            return Ok(());
        };
        let Choice {
            id,
            candidates,
            mut culprits,
        } = choice;
        for index in candidates {
            self.chosen.insert(id.clone(), index);
            match self.solve() {
                Ok(()) => return Ok(()),
                Err(others) if others.contains(&id) => culprits.extend(others),
                Err(others) => {
                    self.chosen.remove(&id);
                    return Err(others);
                }
            }
        }
        self.chosen.remove(&id);
        culprits.remove(&id);
        Err(culprits)
    }

    /// Returns the next choice; `None` if everything is chosen. Fails if a chosen version does not satisfy a
    /// request.
    fn next_choice(&mut self) -> Result<Option<Choice>, Culprits> {
        let chosen = |id: &str| self.chosen.get(id).copied();
        let requests = Requests::gather(self.library, self.root, chosen);
        self.work += requests.by_id.len() + 1;
        if self.work > MOST_WORK {
            return Err(Culprits::new());
        }
        for (id, request) in &requests.by_id {
            let Some(index) = self.chosen.get(id) else {
                continue;
            };
            let version = &self.library.skill(*index).version;
            let refusing = |ask: &&VersionRequest<'_>| !ask.range.value.allows(version);
            if let Some(ask) = request.asks.iter().find(refusing) {
                let mut culprits = requests.culprits(self.library, id, std::slice::from_ref(ask));
                culprits.insert(id.clone());
                self.note(id, &request.asks);
                return Err(culprits);
            }
        }
        let is_open = |id: &&String| !self.chosen.contains_key(*id);
        let Some(id) = requests.order.iter().find(is_open).cloned() else {
            return Ok(None);
        };
        let asks = &requests.by_id[&id].asks;
        let candidates: Vec<_> = candidates(self.library, &self.lock_name, &id, asks).collect();
        let culprits = requests.culprits(self.library, &id, asks);
        if candidates.is_empty() {
            self.note(&id, asks);
        }
        Ok(Some(Choice {
            id,
            candidates,
            culprits,
        }))
    }

    fn note(&mut self, id: &str, asks: &[VersionRequest<'a>]) {
        if self.first_conflict.is_none() {
            self.first_conflict = Some(conflict(self.library, &self.lock_name, id, asks.to_vec()));
        }
    }
}

/// All requests that follow from some choices.
#[derive(Default)]
struct Requests<'a> {
    by_id: BTreeMap<String, SkillRequests<'a>>,
    /// The ids in the order in which they are reached from the root.
    order: Vec<String>,
}

#[derive(Default)]
struct SkillRequests<'a> {
    asks: Vec<VersionRequest<'a>>,
    /// The ids on the path from the root to this one.
    path: Vec<String>,
}

impl<'a> Requests<'a> {
    /// Collects the requests, following the parts of a skill as far as `version_of` knows their versions.
    fn gather(
        library: &'a Library,
        root: usize,
        version_of: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let mut requests = Self::default();
        let mut reached = vec![(root, Vec::new())];
        let mut known = BTreeSet::from([root]);
        let mut next = 0;
        while let Some((requester, path)) = reached.get(next).cloned() {
            next += 1;
            let skill = library.skill(requester);
            for compose in &skill.composes {
                let id = compose.skill.value.as_str();
                if !library.contains(id) {
                    continue;
                }
                if !requests.by_id.contains_key(id) {
                    requests.order.push(id.to_owned());
                }
                let request =
                    requests
                        .by_id
                        .entry(id.to_owned())
                        .or_insert_with(|| SkillRequests {
                            asks: Vec::new(),
                            path: path.clone(),
                        });
                let asks = ranges(skill, compose).map(|range| VersionRequest { requester, range });
                request.asks.extend(asks);
                if let Some(part) = version_of(id).filter(|part| known.insert(*part)) {
                    let mut longer = path.clone();
                    longer.push(id.to_owned());
                    reached.push((part, longer));
                }
            }
        }
        requests.add_requirements(library, reached.iter().map(|(requester, _)| *requester));
        requests
    }

    /// Adds requirements of skills on ids that they do not compose themselves but another part does.
    fn add_requirements(&mut self, library: &'a Library, reached: impl Iterator<Item = usize>) {
        for requester in reached {
            let skill = library.skill(requester);
            for requirement in &skill.requires {
                let id = requirement.skill.value.as_str();
                let composes_it = skill.composes.iter().any(|it| it.skill.value == id);
                if !composes_it && let Some(request) = self.by_id.get_mut(id) {
                    let range = &requirement.version;
                    request.asks.push(VersionRequest { requester, range });
                }
            }
        }
    }

    /// Returns the ids whose choices cause these requests, and cause this id to be needed at all.
    fn culprits(&self, library: &Library, id: &str, asks: &[VersionRequest<'_>]) -> Culprits {
        let mut culprits = Culprits::new();
        let mut blame = |name: &str| {
            if let Some(request) = self.by_id.get(name) {
                culprits.extend(request.path.iter().cloned());
            }
        };
        blame(id);
        for ask in asks {
            blame(library.skill(ask.requester).id.as_str());
        }
        let askers = asks
            .iter()
            .map(|ask| library.skill(ask.requester).id.to_string());
        culprits.extend(askers);
        culprits
    }
}

/// Returns the versions that satisfy all requests, best first. Without requests, releases come before
/// prereleases.
fn candidates<'a>(
    library: &'a Library,
    lock_name: &str,
    id: &str,
    asks: &'a [VersionRequest<'_>],
) -> impl Iterator<Item = usize> + 'a {
    let locked = library.lock().version(lock_name, id);
    let versions = library.versions(id).iter().copied();
    let (releases, prereleases): (Vec<usize>, Vec<usize>) = versions
        .partition(|index| !asks.is_empty() || !library.skill(*index).version.is_prerelease());
    releases
        .into_iter()
        .chain(prereleases)
        .filter(move |index| {
            let version = &library.skill(*index).version;
            locked.is_none_or(|locked| version == locked)
                && asks.iter().all(|ask| ask.range.value.allows(version))
        })
}

fn conflict<'a>(
    library: &Library,
    lock_name: &str,
    id: &str,
    asks: Vec<VersionRequest<'a>>,
) -> Conflict<'a> {
    Conflict {
        id: id.to_owned(),
        asks,
        locked: library.lock().version(lock_name, id).cloned(),
    }
}
