//! Which versions a skill is made of: for each name the newest one that satisfies everybody who is part
//! of it, or the one that the lock file states.

use std::collections::{BTreeMap, BTreeSet};

use crate::skill::{Compose, Skill};
use crate::{Library, Placed, Range, Version};

/// By name: the index of the skill in the library.
pub(crate) type Resolution = BTreeMap<String, usize>;

/// Somebody who asks for a version of something.
#[derive(Clone, Debug)]
pub(crate) struct Asks<'a> {
    pub(crate) who: usize,
    pub(crate) range: &'a Placed<Range>,
}

/// Nothing satisfies them all.
#[derive(Debug)]
pub(crate) struct Conflict<'a> {
    pub(crate) id: String,
    pub(crate) asks: Vec<Asks<'a>>,
    /// The version that the lock states, where that is what does not fit.
    pub(crate) locked: Option<Version>,
}

/// How often a choice may change what is asked for before a search begins. Compositions are three
/// levels deep, so nearly always two rounds are enough.
const ROUNDS: usize = 8;

/// How many requests a search looks at. What is harder than that is reported as a conflict.
const MOST_WORK: usize = 2_000_000;

/// Resolves everything that the skill is made of, however deep.
pub(crate) fn resolve(library: &Library, root: usize) -> (Resolution, Vec<Conflict<'_>>) {
    let (newest, conflicts, settled) = take_newest(library, root);
    if settled && conflicts.is_empty() {
        return (newest, conflicts);
    }
    let mut search = Search {
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
    // The conflicts among the newest versions are the ones to explain: older ones do not help either.
    if conflicts.is_empty() {
        (newest, search.first_conflict.into_iter().collect())
    } else {
        (newest, conflicts)
    }
}

/// The version that stands for a name: the resolved one, or the default where nothing was resolved.
pub(crate) fn chosen_version(
    library: &Library,
    resolution: &Resolution,
    id: &str,
) -> Option<usize> {
    let resolved = resolution.get(id).copied();
    resolved.or_else(|| library.default_version(id))
}

/// What a skill asks for of one of its parts.
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

/// Takes the newest version that fits what is asked, again and again until nothing changes. It never takes
/// an older version of one skill to satisfy another: that is what [`Search`] does.
fn take_newest(library: &Library, root: usize) -> (Resolution, Vec<Conflict<'_>>, bool) {
    let lock_name = library.skill(root).full_name();
    let mut chosen = Resolution::new();
    let mut conflicts = Vec::new();
    for _ in 0..ROUNDS {
        let with_default = |id: &str| chosen_version(library, &chosen, id);
        let requests = Requests::gather(library, root, with_default);
        let mut next = Resolution::new();
        conflicts = Vec::new();
        for (id, Request { asks, .. }) in requests.by_id {
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

/// Searches for versions that fit each other, newest first, and takes choices back that lead nowhere.
struct Search<'a> {
    library: &'a Library,
    root: usize,
    lock_name: String,
    chosen: Resolution,
    work: usize,
    /// Where something did not fit for the first time.
    first_conflict: Option<Conflict<'a>>,
}

/// The names whose choices together make a dead end: taking back any other choice is useless.
type Culprits = BTreeSet<String>;

/// A name for which a version is to be chosen next.
struct Choice {
    id: String,
    candidates: Vec<usize>,
    /// Whose choices exclude the versions that are not among the candidates.
    culprits: Culprits,
}

impl<'a> Search<'a> {
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

    /// Nothing where everything is chosen; an error where something that is chosen does not fit.
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
            let refusing = |ask: &&Asks<'_>| !ask.range.value.allows(version);
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

    fn note(&mut self, id: &str, asks: &[Asks<'a>]) {
        if self.first_conflict.is_none() {
            self.first_conflict = Some(conflict(self.library, &self.lock_name, id, asks.to_vec()));
        }
    }
}

/// Who asks for what, given some choices.
#[derive(Default)]
struct Requests<'a> {
    by_id: BTreeMap<String, Request<'a>>,
    /// The names in the order in which they are reached from the root.
    order: Vec<String>,
}

#[derive(Default)]
struct Request<'a> {
    asks: Vec<Asks<'a>>,
    /// The names that lead from the root to this one.
    path: Vec<String>,
}

impl<'a> Requests<'a> {
    /// Follows the parts of a skill as far as `version_of` knows their versions.
    fn gather(
        library: &'a Library,
        root: usize,
        version_of: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let mut requests = Self::default();
        let mut reached = vec![(root, Vec::new())];
        let mut known = BTreeSet::from([root]);
        let mut next = 0;
        while let Some((who, path)) = reached.get(next).cloned() {
            next += 1;
            let skill = library.skill(who);
            for compose in &skill.composes {
                let id = compose.skill.value.as_str();
                if !library.contains(id) {
                    continue;
                }
                if !requests.by_id.contains_key(id) {
                    requests.order.push(id.to_owned());
                }
                let request = requests
                    .by_id
                    .entry(id.to_owned())
                    .or_insert_with(|| Request {
                        asks: Vec::new(),
                        path: path.clone(),
                    });
                let asks = ranges(skill, compose).map(|range| Asks { who, range });
                request.asks.extend(asks);
                if let Some(part) = version_of(id).filter(|part| known.insert(*part)) {
                    let mut longer = path.clone();
                    longer.push(id.to_owned());
                    reached.push((part, longer));
                }
            }
        }
        requests.add_requirements(library, reached.iter().map(|(who, _)| *who));
        requests
    }

    /// What skills require without composing it themselves counts where another part composes it.
    fn add_requirements(&mut self, library: &'a Library, reached: impl Iterator<Item = usize>) {
        for who in reached {
            let skill = library.skill(who);
            for requirement in &skill.requires {
                let id = requirement.skill.value.as_str();
                let composes_it = skill.composes.iter().any(|it| it.skill.value == id);
                if !composes_it && let Some(request) = self.by_id.get_mut(id) {
                    let range = &requirement.version;
                    request.asks.push(Asks { who, range });
                }
            }
        }
    }

    /// Whose choices make these requests for a name, and make it necessary at all.
    fn culprits(&self, library: &Library, id: &str, asks: &[Asks<'_>]) -> Culprits {
        let mut culprits = Culprits::new();
        let mut blame = |name: &str| {
            if let Some(request) = self.by_id.get(name) {
                culprits.extend(request.path.iter().cloned());
            }
        };
        blame(id);
        for ask in asks {
            blame(library.skill(ask.who).id.as_str());
        }
        let askers = asks.iter().map(|ask| library.skill(ask.who).id.to_string());
        culprits.extend(askers);
        culprits
    }
}

/// The versions that everybody who asks would accept, best first. Where nobody asks for a version,
/// releases come before prereleases.
fn candidates<'a>(
    library: &'a Library,
    lock_name: &str,
    id: &str,
    asks: &'a [Asks<'_>],
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

fn conflict<'a>(library: &Library, lock_name: &str, id: &str, asks: Vec<Asks<'a>>) -> Conflict<'a> {
    Conflict {
        id: id.to_owned(),
        asks,
        locked: library.lock().version(lock_name, id).cloned(),
    }
}
