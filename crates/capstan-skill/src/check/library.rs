//! Runs all rules over all skills.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use capstan_core::date::Day;
use capstan_core::{Diagnostic, Severity};

use super::parts::{Target, composed, target};
use super::{cycles, deprecations, diamonds, effects, leaves, levels, versions};
use crate::bind::{Bound, ComposedStep, bind};
use crate::findings::Findings;
use crate::graph::Graph;
use crate::library::Contract;
use crate::resolve::{Resolution, chosen_version, resolve};
use crate::skill::Level;
use crate::{Library, OutsideCapabilities, Skill};

/// The result of checking a library: the mistakes, and everything that is known of its skills.
pub struct Checked<'a> {
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) library: &'a Library,
    pub(crate) outside: &'a dyn OutsideCapabilities,
    pub(crate) resolutions: Vec<Resolution>,
    pub(crate) assembled: HashMap<AssemblyKey, Arc<Assembled>>,
}

/// Identifies an assembly: a skill, and the versions of its parts.
pub(crate) type AssemblyKey = (usize, Vec<Option<usize>>);

/// A skill assembled from particular versions of its parts.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) contract: Contract,
    /// `None` for L1 skills.
    pub(crate) bound: Option<Bound>,
}

/// Finds all mistakes. Diagnostics are sorted by file, then by place.
pub fn check<'a>(
    library: &'a Library,
    outside: &'a dyn OutsideCapabilities,
    today: Day,
) -> Checked<'a> {
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

    let mut assembler = Assembler {
        library,
        outside,
        circular: &circular,
        assembled: HashMap::new(),
        findings: &mut findings,
    };
    for (index, resolution) in resolutions.iter().enumerate() {
        assembler.assemble(index, resolution, 0);
    }
    let assembled = assembler.assembled;
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
        assembled,
    }
}

impl Checked<'_> {
    /// Returns the contract of a skill: as declared, or else as inferred from its parts. Returns `None` if
    /// the skill has mistakes. A schema is `None` if too little is known of the parts that it depends on.
    pub fn contract(&self, skill: &Skill) -> Option<Contract> {
        if !self.is_sound(skill) {
            return None;
        }
        let index = self.library.index(skill)?;
        self.contract_of(index, &self.resolutions[index], 0)
    }

    fn contract_of(&self, index: usize, resolution: &Resolution, depth: usize) -> Option<Contract> {
        let skill = self.library.skill(index);
        let key = assembly_key(self.library, resolution, index);
        let mut contract = self.assembled.get(&key)?.contract.clone();
        if skill.input_schema.is_some() || depth > DEEPEST {
            return Some(contract);
        }
        // The skill takes what its parts need, so the inputs of all parts must be known.
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

    /// Whether neither the skill nor any of its parts has mistakes.
    pub fn is_sound(&self, skill: &Skill) -> bool {
        self.errors_of(skill).is_empty()
    }

    /// Returns the mistakes in a skill and in its parts, both in the files and in the combination. Only this
    /// function decides whether a skill may be run.
    pub fn errors_of(&self, skill: &Skill) -> Vec<&Diagnostic> {
        let mut errors: Vec<&Diagnostic> = Vec::new();
        let Some(root) = self.library.index(skill) else {
            errors.extend(self.unusable(skill.id.as_str(), skill.origin.is_from_folder));
            return errors;
        };
        // Like the plan, this uses the versions that were resolved for the whole skill.
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
                errors.extend(self.unusable(name, origin.is_from_folder));
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

    /// Returns the reasons why a name that a skill uses may refer to something unusable.
    fn unusable(&self, name: &str, for_found: bool) -> impl Iterator<Item = &Diagnostic> {
        let all = self.library.unusable(name).iter();
        let can_be_meant = all.filter(move |it| !it.is_from_folder || for_found);
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

/// Deeper compositions are cycles, or are reported as wrong levels.
const DEEPEST: usize = 4;

struct Assembler<'a, 'f> {
    library: &'a Library,
    outside: &'a dyn OutsideCapabilities,
    circular: &'a BTreeSet<usize>,
    assembled: HashMap<AssemblyKey, Arc<Assembled>>,
    findings: &'f mut Findings,
}

impl<'a> Assembler<'a, '_> {
    /// Assembles a skill from these versions of its parts.
    fn assemble(
        &mut self,
        index: usize,
        resolution: &Resolution,
        depth: usize,
    ) -> Option<Arc<Assembled>> {
        if self.circular.contains(&index) || depth > DEEPEST {
            return None;
        }
        let skill: &'a Skill = self.library.skill(index);
        let key = assembly_key(self.library, resolution, index);
        if let Some(assembled) = self.assembled.get(&key) {
            return Some(Arc::clone(assembled));
        }
        let assembled = if skill.composes.is_empty() {
            Assembled {
                contract: leaves::contract(skill, self.outside, self.findings),
                bound: None,
            }
        } else {
            let parts: Vec<ComposedStep<'a>> = skill
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
                            .assemble(part, resolution, depth + 1)
                            .map(|assembled| assembled.contract.clone()),
                        Target::Outside(outsider) => Some(outsider.contract),
                        Target::Nothing => None,
                    };
                    ComposedStep {
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
            Assembled {
                contract: bound.contract.clone(),
                bound: Some(bound),
            }
        };
        let assembled = Arc::new(assembled);
        self.assembled.insert(key, Arc::clone(&assembled));
        Some(assembled)
    }
}

/// Returns what distinguishes one assembly of a skill from another.
pub(crate) fn assembly_key(
    library: &Library,
    resolution: &Resolution,
    index: usize,
) -> AssemblyKey {
    let skill = library.skill(index);
    let parts = skill.composes.iter().map(|compose| {
        let id = compose.skill.value.as_str();
        chosen_version(library, resolution, id)
    });
    (index, parts.collect())
}
