//! All known skills, and what is known of other capabilities that they may compose.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use capstan_core::Diagnostic;
use serde_json::Value;

use crate::codes::DUPLICATE;
use crate::skill::Runs;
use crate::{Lock, OperationClass, Range, Skill, SkillId, Version};

/// Skills by id and version.
#[derive(Clone, Debug, Default)]
pub struct Library {
    skills: Vec<Arc<Skill>>,
    /// The indices in `skills` for each id, newest version first.
    by_id: BTreeMap<String, Vec<usize>>,
    lock: Arc<Lock>,
    /// Unusable skills by id. They are not in `skills`.
    unusable: Arc<BTreeMap<String, Vec<UnusableSkill>>>,
}

/// A skill that has an id but cannot be used: a document that could not be read as a skill, or a skill whose
/// id is already taken. A skill that composes this id may refer to it, so nothing else takes its place.
#[derive(Clone, Debug, PartialEq)]
pub struct UnusableSkill {
    pub id: SkillId,
    pub errors: Vec<Diagnostic>,
    /// Whether it comes from a folder that only `capstan.toml` in the current folder names. Only skills from
    /// such folders can refer to it.
    pub is_from_folder: bool,
}

/// The input, the output and the effects of a capability. An unknown schema is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    pub input: Option<Arc<Value>>,
    pub output: Option<Arc<Value>>,
    pub operation: OperationClass,
    pub effects: Vec<String>,
}

impl Contract {
    /// The contract of something that does not exist. It accepts everything, so that the mistake is reported
    /// only once and not by everything that depends on it.
    pub(crate) fn unknown() -> Self {
        Self {
            input: None,
            output: None,
            operation: OperationClass::Transform,
            effects: Vec::new(),
        }
    }
}

/// A capability that is not a skill but can be composed like one: a card, a tool or code.
#[derive(Clone, Debug, PartialEq)]
pub struct OutsideCapability {
    pub runs: Runs,
    pub contract: Contract,
}

/// Finds the capabilities that are not skills.
pub trait OutsideCapabilities: Sync {
    /// Returns the capability with this name.
    fn find(&self, name: &str) -> Option<OutsideCapability>;

    /// Returns all names, for suggestions when a name is mistyped.
    fn names(&self) -> Vec<String>;

    /// Whether a capability of this name exists but is hidden from the skills that are checked, because only
    /// the configuration of the current folder provides it.
    fn is_hidden(&self, _: &str) -> bool {
        false
    }
}

/// Explains a name for which [`OutsideCapabilities::is_hidden`] returns true.
pub(crate) fn hidden_help(name: &str) -> String {
    format!(
        "`{name}` comes only from `capstan.toml` in this folder, which your own skills do not use: \
         to use it, name its folder in your own configuration, or with `--skills` or `--cards`"
    )
}

/// No other capabilities: only skills can be composed.
impl OutsideCapabilities for () {
    fn find(&self, _: &str) -> Option<OutsideCapability> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl OutsideCapabilities for HashMap<String, OutsideCapability> {
    fn find(&self, name: &str) -> Option<OutsideCapability> {
        self.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

impl Library {
    /// Creates a library. If two skills have the same id and version, only the first is kept, it gets an
    /// error, and neither is run.
    pub fn new(skills: Vec<Skill>) -> (Self, Vec<Diagnostic>) {
        let mut library = Self::default();
        let mut diagnostics = Vec::new();
        for skill in skills {
            let known = library.by_id.entry(skill.id.to_string()).or_default();
            let same = known
                .iter()
                .find(|index| library.skills[**index].version == skill.version);
            if let Some(index) = same {
                let first = &library.skills[*index].origin;
                let place = first.source.position(first.id.start);
                let message = format!(
                    "`{}` already exists, in {}:{}",
                    skill.full_name(),
                    first.source.name,
                    place.line
                );
                let error = Diagnostic::error(DUPLICATE, &skill.origin.source, message);
                let error = error.at(Some(skill.origin.id));
                let error = error.with_help("give one of them another `version`");
                let first = Arc::make_mut(&mut library.skills[*index]);
                first.origin.errors.push(error.clone());
                diagnostics.push(error);
                continue;
            }
            known.push(library.skills.len());
            library.skills.push(Arc::new(skill));
        }
        library.sort_versions();
        (library, diagnostics)
    }

    fn sort_versions(&mut self) {
        let skills = &self.skills;
        for versions in self.by_id.values_mut() {
            versions.sort_by(|left, right| skills[*right].version.cmp(&skills[*left].version));
        }
    }

    /// Adds skills that exist but cannot be used.
    #[must_use]
    pub fn with_unusable(mut self, more: Vec<UnusableSkill>) -> Self {
        if !more.is_empty() {
            let all = Arc::make_mut(&mut self.unusable);
            for it in more {
                all.entry(it.id.to_string()).or_default().push(it);
            }
        }
        self
    }

    /// Removes the skills that may not have their id, and returns the diagnostics about them.
    #[must_use]
    pub fn without_refused(
        self,
        refusal: &dyn Fn(&Skill) -> Option<Diagnostic>,
    ) -> (Self, Vec<Diagnostic>) {
        let refused: Vec<_> = self.skills.iter().map(|skill| refusal(skill)).collect();
        if refused.iter().all(Option::is_none) {
            return (self, Vec::new());
        }
        let mut rest = Self {
            lock: self.lock,
            unusable: self.unusable,
            ..Self::default()
        };
        let mut unusable = Vec::new();
        for (skill, refused) in self.skills.into_iter().zip(refused) {
            let Some(error) = refused else {
                let versions = rest.by_id.entry(skill.id.to_string()).or_default();
                versions.push(rest.skills.len());
                rest.skills.push(skill);
                continue;
            };
            unusable.push(UnusableSkill {
                id: skill.id.clone(),
                errors: vec![error],
                is_from_folder: skill.origin.is_from_folder,
            });
        }
        rest.sort_versions();
        let told = unusable.iter().flat_map(|it| it.errors.clone()).collect();
        (rest.with_unusable(unusable), told)
    }

    /// Adds errors to skills, by their indices in [`Library::skills`]. These skills stay in the library but
    /// are not run.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<(usize, Diagnostic)>) -> Self {
        for (index, error) in errors {
            if let Some(skill) = self.skills.get_mut(index) {
                Arc::make_mut(skill).origin.errors.push(error);
            }
        }
        self
    }

    /// Sets the locked versions.
    #[must_use]
    pub fn with_lock(mut self, lock: Lock) -> Self {
        self.lock = Arc::new(lock);
        self
    }

    pub(crate) fn lock(&self) -> &Lock {
        &self.lock
    }

    pub fn skills(&self) -> &[Arc<Skill>] {
        &self.skills
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.by_id.keys().map(String::as_str)
    }

    pub fn contains(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// Returns the unusable skills with this id. While there are any, nothing with this id can be used.
    pub fn unusable(&self, id: &str) -> &[UnusableSkill] {
        self.unusable.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the default version: the newest release, or the newest prerelease if nothing has been released
    /// yet.
    pub fn newest(&self, id: &str) -> Option<&Arc<Skill>> {
        self.skills.get(self.default_version(id)?)
    }

    /// Finds a skill by id, or by id and version range: `user-lookup@1.2.0`. Of several matching versions,
    /// the newest is returned.
    pub fn find(&self, name: &str) -> Option<&Arc<Skill>> {
        let Some((id, range)) = name.split_once('@') else {
            return self.newest(name);
        };
        let range = Range::parse(range).ok()?;
        let mut versions = self.versions(id).iter();
        let index = versions.find(|index| range.allows(&self.skills[**index].version))?;
        self.skills.get(*index)
    }

    /// Returns only the skills that come from folders that the current folder's `capstan.toml` names
    /// (`is_from_folder`), or only the others. Neither group can compose the other.
    #[must_use]
    pub fn filter_by_origin(&self, is_from_folder: bool) -> Self {
        let mut side = Self {
            lock: Arc::clone(&self.lock),
            unusable: Arc::clone(&self.unusable),
            ..Self::default()
        };
        for skill in &self.skills {
            if skill.origin.is_from_folder == is_from_folder {
                let versions = side.by_id.entry(skill.id.to_string()).or_default();
                versions.push(side.skills.len());
                side.skills.push(Arc::clone(skill));
            }
        }
        side.sort_versions();
        side
    }

    /// Returns a skill with everything that it may compose, in all versions. Only skills of the same origin
    /// are included: skills from the current folder's `capstan.toml` and the user's own skills never compose
    /// each other.
    #[must_use]
    pub fn closure(&self, id: &str) -> Self {
        let mut part = Self {
            lock: Arc::clone(&self.lock),
            unusable: Arc::clone(&self.unusable),
            ..Self::default()
        };
        let is_from_folder = |index: &usize| self.skills[*index].origin.is_from_folder;
        let side = self.versions(id).first().is_some_and(is_from_folder);
        let mut next = vec![id];
        let mut seen = HashSet::from([id]);
        while let Some(id) = next.pop() {
            let versions = self.versions(id).iter();
            for index in versions.filter(|index| is_from_folder(index) == side) {
                let skill = &self.skills[*index];
                let place = part.skills.len();
                part.by_id.entry(id.to_owned()).or_default().push(place);
                part.skills.push(Arc::clone(skill));
                for compose in &skill.composes {
                    let name = compose.skill.value.as_str();
                    if seen.insert(name) {
                        next.push(name);
                    }
                }
            }
        }
        part
    }

    /// Returns the index of the skill that [`Library::newest`] returns.
    pub(crate) fn default_version(&self, id: &str) -> Option<usize> {
        let versions = self.versions(id);
        let mut releases = versions
            .iter()
            .filter(|index| !self.skills[**index].version.is_prerelease());
        releases.next().or(versions.first()).copied()
    }

    /// Returns the indices of all versions, newest first.
    pub(crate) fn versions(&self, id: &str) -> &[usize] {
        self.by_id.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn has_version(&self, id: &str, version: &Version) -> bool {
        let mut versions = self.versions(id).iter();
        versions.any(|index| self.skills[*index].version == *version)
    }

    pub(crate) fn skill(&self, index: usize) -> &Arc<Skill> {
        &self.skills[index]
    }

    pub(crate) fn index(&self, skill: &Skill) -> Option<usize> {
        let mut versions = self.versions(skill.id.as_str()).iter();
        versions
            .find(|index| self.skills[**index].version == skill.version)
            .copied()
    }
}
