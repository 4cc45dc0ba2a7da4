//! All rules over all skills.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use capstan_core::date::Day;
use capstan_core::{Diagnostic, Severity};

use super::parts::{Target, composed, target};
use super::{cycles, deprecations, diamonds, effects, leaves, levels, versions};
use crate::bind::{Bound, Part, bind};
use crate::findings::Findings;
use crate::graph::Graph;
use crate::library::Contract;
use crate::resolve::{Resolution, chosen_version, resolve};
use crate::skill::Level;
use crate::{Library, Outside, Skill};

/// A library that was checked: what is wrong with it, and what is known of what is right.
pub struct Checked<'a> {
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) library: &'a Library,
    pub(crate) outside: &'a dyn Outside,
    pub(crate) resolutions: Vec<Resolution>,
    pub(crate) made: HashMap<MadeOf, Arc<Made>>,
}

/// A skill, and the versions of its parts.
pub(crate) type MadeOf = (usize, Vec<Option<usize>>);

/// A skill that is understood.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) contract: Contract,
    /// Nothing for L1.
    pub(crate) bound: Option<Bound>,
}

/// Finds everything that is wrong, in the order of files and places.
pub fn check<'a>(library: &'a Library, outside: &'a dyn Outside, today: Day) -> Checked<'a> {
    let skills = library.skills();
    let mut findings = Findings::default();
    let mut resolutions = Vec::with_capacity(skills.len());
    let outsiders = OnceCell::new();
    let names = || -> &[String] { outsiders.get_or_init(|| outside.names()) };
    for (index, skill) in skills.iter().enumerate() {
        levels::check(skill, &mut findings);
        let (resolution, conflicts) = resolve(library, index);
        versions::check(library, index, &conflicts, &mut findings);
        versions::check_required(library, skill, &resolution, &mut findings);
        for compose in &skill.composes {
            let target = target(library, outside, &resolution, compose);
            let name = compose.skill.value.as_str();
            let known: levels::Known<'_> = (library, &names, outside);
            levels::check_part(
                skill,
                name,
                compose.skill.span,
                &target,
                known,
                &mut findings,
            );
            if let Target::Skill(used) = target {
                deprecations::check(skill, compose, library.skill(used), today, &mut findings);
            }
        }
        resolutions.push(resolution);
    }
    let edges = skills.iter().enumerate().flat_map(|(index, skill)| {
        let parts = composed(library, &resolutions[index], skill);
        parts
            .map(move |(part, _)| (index, part))
            .collect::<Vec<_>>()
    });
    let graph = Graph::new(skills.len(), edges);
    let circular = cycles::check(library, &graph, &mut findings);

    let mut maker = Maker {
        library,
        outside,
        circular: &circular,
        made: HashMap::new(),
        findings: &mut findings,
    };
    for (index, resolution) in resolutions.iter().enumerate() {
        maker.make(index, resolution, 0);
    }
    let made = maker.made;
    let workflows: Vec<_> = skills
        .iter()
        .enumerate()
        .filter(|(_, skill)| skill.level == Level::L3)
        .map(|(index, _)| index)
        .collect();
    diamonds::check(library, &graph, &workflows, &mut findings);
    let mut diagnostics = findings.all;
    diagnostics.sort_by(|left, right| {
        let key = |it: &Diagnostic| (it.span.map(|span| span.start), it.code);
        let names = left.source.name.cmp(&right.source.name);
        names.then_with(|| key(left).cmp(&key(right)))
    });
    diagnostics.dedup();
    Checked {
        diagnostics,
        library,
        outside,
        resolutions,
        made,
    }
}

impl Checked<'_> {
    /// What a skill takes, gives and does: as it says, else as its parts are. Nothing where it has mistakes; a
    /// schema that depends on parts of which too little is known is absent.
    pub fn contract(&self, skill: &Skill) -> Option<Contract> {
        if !self.is_sound(skill) {
            return None;
        }
        let index = self.library.index(skill)?;
        self.contract_of(index, &self.resolutions[index], 0)
    }

    fn contract_of(&self, index: usize, resolution: &Resolution, depth: usize) -> Option<Contract> {
        let skill = self.library.skill(index);
        let key = made_of(self.library, resolution, index);
        let mut contract = self.made.get(&key)?.contract.clone();
        if skill.input_schema.is_some() || depth > DEEPEST {
            return Some(contract);
        }
        // It takes what its parts need, so all of them must be known.
        let is_known = |compose| match target(self.library, self.outside, resolution, compose) {
            Target::Skill(part) => {
                let part = self.contract_of(part, resolution, depth + 1);
                part.is_some_and(|it| it.input.is_some())
            }
            Target::Outside(outsider) => outsider.contract.input.is_some(),
            Target::Nothing => false,
        };
        if !skill.composes.iter().all(is_known) {
            contract.input = None;
        }
        Some(contract)
    }

    /// Whether nothing is wrong with a skill or with what it is made of.
    pub fn is_sound(&self, skill: &Skill) -> bool {
        self.errors_of(skill).is_empty()
    }

    /// What is wrong with a skill and with what it is made of: in its files, and where they come together.
    /// This is the only place that decides whether a skill may be run.
    pub fn errors_of(&self, skill: &Skill) -> Vec<&Diagnostic> {
        let mut errors: Vec<&Diagnostic> = Vec::new();
        let Some(root) = self.library.index(skill) else {
            errors.extend(self.unusable(skill.id.as_str(), skill.origin.is_found));
            return errors;
        };
        // As the plan is made: the whole of it with the versions that fit the whole of it.
        let resolution = &self.resolutions[root];
        let mut parts = BTreeSet::new();
        let mut next = vec![root];
        while let Some(index) = next.pop() {
            if parts.insert(index) {
                let part = self.library.skill(index);
                next.extend(composed(self.library, resolution, part).map(|(part, _)| part));
            }
        }
        for part in parts.into_iter().map(|index| self.library.skill(index)) {
            let origin = &part.origin;
            errors.extend(&origin.errors);
            let composed = part.composes.iter().map(|it| it.skill.value.as_str());
            for name in composed.chain([part.id.as_str()]) {
                errors.extend(self.unusable(name, origin.is_found));
            }
            let is_its_own = |it: &&Diagnostic| it.severity == Severity::Error && origin.covers(it);
            errors.extend(self.diagnostics.iter().filter(is_its_own));
        }
        let mut seen: Vec<&Diagnostic> = Vec::new();
        errors.retain(|error| {
            let is_new = !seen.contains(error);
            if is_new {
                seen.push(error);
            }
            is_new
        });
        errors
    }

    /// Why a name that a skill uses may mean something that cannot be used.
    fn unusable(&self, name: &str, for_found: bool) -> impl Iterator<Item = &Diagnostic> {
        let all = self.library.unusable(name).iter();
        let can_be_meant = all.filter(move |it| !it.is_found || for_found);
        can_be_meant.flat_map(|it| &it.errors)
    }
}

impl std::fmt::Debug for Checked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checked")
            .field("diagnostics", &self.diagnostics)
            .finish_non_exhaustive()
    }
}

/// Compositions that are deeper are circles, or are told as wrong levels.
const DEEPEST: usize = 4;

struct Maker<'a, 'f> {
    library: &'a Library,
    outside: &'a dyn Outside,
    circular: &'a BTreeSet<usize>,
    made: HashMap<MadeOf, Arc<Made>>,
    findings: &'f mut Findings,
}

impl<'a> Maker<'a, '_> {
    /// What a skill is with these versions of its parts.
    fn make(&mut self, index: usize, resolution: &Resolution, depth: usize) -> Option<Arc<Made>> {
        if self.circular.contains(&index) || depth > DEEPEST {
            return None;
        }
        let skill: &'a Skill = self.library.skill(index);
        let key = made_of(self.library, resolution, index);
        if let Some(made) = self.made.get(&key) {
            return Some(Arc::clone(made));
        }
        let made = if skill.composes.is_empty() {
            Made {
                contract: leaves::contract(skill, self.outside, self.findings),
                bound: None,
            }
        } else {
            let parts: Vec<Part<'a>> = skill
                .composes
                .iter()
                .map(|compose| {
                    let target = target(self.library, self.outside, resolution, compose);
                    let states_its_input = match target {
                        Target::Skill(part) => self.library.skill(part).input_schema.is_some(),
                        Target::Outside(_) | Target::Nothing => false,
                    };
                    let contract = match target {
                        Target::Skill(part) => self
                            .make(part, resolution, depth + 1)
                            .map(|made| made.contract.clone()),
                        Target::Outside(outsider) => Some(outsider.contract),
                        Target::Nothing => None,
                    };
                    Part {
                        compose,
                        contract: contract.unwrap_or_else(Contract::unknown),
                        states_its_input,
                    }
                })
                .collect();
            let bound = bind(skill, &parts, self.findings);
            let contracts = parts
                .iter()
                .map(|part| (part.compose.step_name(), &part.contract));
            effects::check(skill, contracts, self.findings);
            Made {
                contract: bound.contract.clone(),
                bound: Some(bound),
            }
        };
        let made = Arc::new(made);
        self.made.insert(key, Arc::clone(&made));
        Some(made)
    }
}

/// By what one making of a skill differs from another.
pub(crate) fn made_of(library: &Library, resolution: &Resolution, index: usize) -> MadeOf {
    let skill = library.skill(index);
    let parts = skill.composes.iter().map(|compose| {
        let id = compose.skill.value.as_str();
        chosen_version(library, resolution, id)
    });
    (index, parts.collect())
}
