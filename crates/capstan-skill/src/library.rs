//! All skills that there are, and what is known of everything else that they may be made of.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use capstan_core::Diagnostic;
use serde_json::Value;

use crate::codes::DUPLICATE;
use crate::skill::Runs;
use crate::{Lock, OperationClass, Range, Skill, SkillId, Version};

/// Skills by their names and versions.
#[derive(Clone, Debug, Default)]
pub struct Library {
    skills: Vec<Arc<Skill>>,
    /// Newest first.
    by_id: BTreeMap<String, Vec<usize>>,
    lock: Arc<Lock>,
    /// By id: what is called so and is not among the skills.
    unusable: Arc<BTreeMap<String, Vec<UnusableSkill>>>,
}

/// Something that has an id and cannot be used: a document of which no skill could be made, or a skill
/// whose id means something else. Whoever composes the id might mean it, so nothing else takes its place.
#[derive(Clone, Debug, PartialEq)]
pub struct UnusableSkill {
    pub id: SkillId,
    pub errors: Vec<Diagnostic>,
    /// It comes with a folder that nobody named. Only skills of such folders can mean it.
    pub is_found: bool,
}

/// What goes in, what comes out, and what happens. A schema that is not known is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    pub input: Option<Arc<Value>>,
    pub output: Option<Arc<Value>>,
    pub operation: OperationClass,
    pub effects: Vec<String>,
}

impl Contract {
    /// Of what is not there: told once, and not again by everything that hangs on it.
    pub(crate) fn unknown() -> Self {
        Self {
            input: None,
            output: None,
            operation: OperationClass::Transform,
            effects: Vec::new(),
        }
    }
}

/// Something that is no skill and can be composed like one: a card, a tool, code.
#[derive(Clone, Debug, PartialEq)]
pub struct Outsider {
    pub runs: Runs,
    pub contract: Contract,
}

/// Tells of everything that is no skill.
pub trait Outside: Sync {
    fn find(&self, name: &str) -> Option<Outsider>;

    /// For those who mistyped.
    fn names(&self) -> Vec<String>;

    /// Whether something has this name that only the configuration of the current folder brings, and that
    /// is hidden from the skills that ask.
    fn is_hidden(&self, _: &str) -> bool {
        false
    }
}

/// What is said of a name that [`Outside::is_hidden`].
pub(crate) fn hidden(name: &str) -> String {
    format!(
        "only `capstan.toml` in this folder brings a `{name}`, and your own skills do not use it: if you \
         mean it, name its folder in your own configuration, or with `--skills` or `--cards`"
    )
}

/// Where there are only skills.
impl Outside for () {
    fn find(&self, _: &str) -> Option<Outsider> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Outside for HashMap<String, Outsider> {
    fn find(&self, name: &str) -> Option<Outsider> {
        self.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

impl Library {
    /// Two of one name and version cannot both be meant: the first stays to be looked at, and neither is
    /// run.
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
                    "`{}` is there already, in {}:{}",
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

    /// The same, with what is there and cannot be used.
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

    /// The same without the skills that cannot be called what they are called, and what is told about
    /// each of them.
    #[must_use]
    pub fn without(
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
                is_found: skill.origin.is_found,
            });
        }
        rest.sort_versions();
        let told = unusable.iter().flat_map(|it| it.errors.clone()).collect();
        (rest.with_unusable(unusable), told)
    }

    /// The same with errors of skills, by their indices in [`Library::skills`]: these stay, and are not run.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<(usize, Diagnostic)>) -> Self {
        for (index, error) in errors {
            if let Some(skill) = self.skills.get_mut(index) {
                Arc::make_mut(skill).origin.errors.push(error);
            }
        }
        self
    }

    /// The same, with versions that somebody wrote down.
    #[must_use]
    pub fn locked(mut self, lock: Lock) -> Self {
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

    /// What keeps everything of this id from being used.
    pub fn unusable(&self, id: &str) -> &[UnusableSkill] {
        self.unusable.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// The version that is meant where none is stated: the newest release, or the newest prerelease if
    /// nothing was released yet.
    pub fn newest(&self, id: &str) -> Option<&Arc<Skill>> {
        self.skills.get(self.default_version(id)?)
    }

    /// By name, or by name and version: `user-lookup@1.2.0`.
    pub fn named(&self, name: &str) -> Option<&Arc<Skill>> {
        let Some((id, range)) = name.split_once('@') else {
            return self.newest(name);
        };
        let range = Range::parse(range).ok()?;
        let mut versions = self.versions(id).iter();
        let index = versions.find(|index| range.allows(&self.skills[**index].version))?;
        self.skills.get(*index)
    }

    /// The skills that somebody named, or those that come with a folder that nobody named. Neither are made
    /// of the others.
    #[must_use]
    pub fn side(&self, is_found: bool) -> Self {
        let mut side = Self {
            lock: Arc::clone(&self.lock),
            unusable: Arc::clone(&self.unusable),
            ..Self::default()
        };
        for skill in &self.skills {
            if skill.origin.is_found == is_found {
                let versions = side.by_id.entry(skill.id.to_string()).or_default();
                versions.push(side.skills.len());
                side.skills.push(Arc::clone(skill));
            }
        }
        side.sort_versions();
        side
    }

    /// A skill with everything that it can be made of, in all versions. What somebody named is never made of
    /// what comes with a folder that nobody named, nor the other way around.
    #[must_use]
    pub fn closure(&self, id: &str) -> Self {
        let mut part = Self {
            lock: Arc::clone(&self.lock),
            unusable: Arc::clone(&self.unusable),
            ..Self::default()
        };
        let is_found = |index: &usize| self.skills[*index].origin.is_found;
        let side = self.versions(id).first().is_some_and(is_found);
        let mut next = vec![id];
        let mut seen = HashSet::from([id]);
        while let Some(id) = next.pop() {
            let versions = self.versions(id).iter();
            for index in versions.filter(|index| is_found(index) == side) {
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

    /// The index of the skill that [`Library::newest`] returns.
    pub(crate) fn default_version(&self, id: &str) -> Option<usize> {
        let versions = self.versions(id);
        let mut releases = versions
            .iter()
            .filter(|index| !self.skills[**index].version.is_prerelease());
        releases.next().or(versions.first()).copied()
    }

    /// The indices of all versions, newest first.
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
