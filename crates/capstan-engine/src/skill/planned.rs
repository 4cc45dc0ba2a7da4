//! From the name of a skill to the plan by which it is run.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use time::OffsetDateTime;

use capstan_core::code::{Capability, shown_name};
use capstan_core::port::Resolved;
use capstan_core::{Diagnostic, ErrorCode, ResultError};
use capstan_skill::{Contract, Library, Plan, Runs, Skill, check};

use super::Known;
use crate::Capstan;
use crate::capability::{Meaning, name_taken};

/// More mistakes than anybody reads in one answer.
const MOST_TOLD: usize = 5;

impl Capstan {
    /// The plan of a skill; nothing if there is no skill of this name.
    pub(crate) async fn plan(&self, name: &str) -> Option<Result<Arc<Plan>, ResultError>> {
        let library = self.library()?;
        let Some(skill) = library.named(name) else {
            let id = name.split('@').next().unwrap_or_default();
            let unusable = library.unusable(id).iter();
            let wrong: Vec<_> = unusable.flat_map(|it| it.errors.clone()).collect();
            return (!wrong.is_empty()).then(|| Err(unsound(name, &wrong)));
        };
        let full_name = skill.full_name();
        if let Some(wrong) = self.bad_lock() {
            return Some(Err(unsound(&full_name, std::slice::from_ref(wrong))));
        }
        {
            let plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(plan) = plans.get(&full_name) {
                return Some(Ok(Arc::clone(plan)));
            }
        }
        let plan = match self.plan_anew(library, skill).await {
            Ok(plan) => Arc::new(plan),
            Err(wrong) => return Some(Err(unsound(&full_name, &wrong))),
        };
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.insert(full_name, Arc::clone(&plan));
        Some(Ok(plan))
    }

    /// What is wrong with the lock of skills: then nobody knows which versions are meant.
    pub(crate) fn bad_lock(&self) -> Option<&Diagnostic> {
        self.parts.skills.as_deref()?.bad_lock()
    }

    /// The plan of a skill with the code that there is now.
    pub(crate) async fn plan_anew(
        &self,
        library: &Library,
        skill: &Skill,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let part = library.closure(skill.id.as_str());
        let (part, known, _) = self.settled_with_code(part).await;
        let (part, _) = self.with_readable_code(part).await;
        check(&part, &known, self.today()).plan(skill)
    }

    /// Whether a skill is made of something that is no skill, no card and no tool: it may be code.
    pub(crate) fn may_have_code(&self, library: &Library, skill: &Skill) -> bool {
        let part = library.closure(skill.id.as_str());
        !self.names_of_code(&part).is_empty()
    }

    /// The plan of a skill that there is.
    pub async fn skill(&self, name: &str) -> Result<Arc<Plan>, ResultError> {
        match self.plan(name).await {
            Some(plan) => plan,
            None => {
                let shown = shown_name(name);
                let message = format!(
                    "there is no skill `{shown}`: name its folder with `--skills`, or in the configuration"
                );
                Err(ResultError::new(ErrorCode::NotFound, message))
            }
        }
    }

    /// Everything that is wrong with some skills.
    pub async fn check_skills(&self, library: &Library) -> Vec<Diagnostic> {
        let (library, known, mut diagnostics) = self.settled_with_code(library.clone()).await;
        let (library, of_code) = self.with_readable_code(library).await;
        diagnostics.extend(of_code);
        diagnostics.extend(check(&library, &known, self.today()).diagnostics);
        diagnostics
    }

    /// What some skills take, give and do, in their order; nothing where that cannot be known.
    pub async fn skill_contracts(&self, library: &Library) -> Vec<Option<Contract>> {
        let (settled, known, _) = self.settled_with_code(library.clone()).await;
        let checked = check(&settled, &known, self.today());
        let skills = library.skills().iter();
        skills.map(|skill| checked.contract(skill)).collect()
    }

    /// Some skills without those that are called like something else, also like code if they come with a
    /// folder that nobody named; what they may be made of; and what is told of those that are left out.
    async fn settled_with_code(&self, library: Library) -> (Library, Known<'_>, Vec<Diagnostic>) {
        let mut code = HashMap::new();
        for name in self.names_of_code(&library) {
            if let Some(capability) = self.code_named(&name).await {
                code.insert(name, capability);
            }
        }
        let (library, diagnostics) = library.without(&|skill| {
            let id = skill.id.as_str();
            let is_code = skill.origin.is_found && code.contains_key(id);
            let of_code = || name_taken(skill, &format!("`{id}` is code of yours"));
            let refused = self.refused_name(skill);
            refused.or_else(|| is_code.then(of_code))
        });
        let known = Known {
            capstan: self,
            code,
        };
        (library, known, diagnostics)
    }

    /// What may be remembered code among the names that skills have and use.
    fn names_of_code(&self, library: &Library) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut own: HashSet<&str> = HashSet::new();
        for skill in library.skills() {
            match skill.origin.is_found {
                true => names.push(skill.id.to_string()),
                false => _ = own.insert(skill.id.as_str()),
            }
        }
        for skill in library.skills() {
            let composed = skill.composes.iter().map(|it| it.skill.value.as_str());
            let bound = skill.runs.iter().filter_map(|runs| match &runs.value {
                Runs::Capability(name) => Some(name.as_str()),
                _ => None,
            });
            let used = composed.chain(bound);
            names.extend(used.filter(|name| !own.contains(name)).map(str::to_owned));
        }
        names.retain(|name| matches!(self.meaning_beside_skills(name), Meaning::Code));
        names.sort();
        names.dedup();
        names
    }

    pub(super) async fn code_named(&self, name: &str) -> Option<Capability> {
        let store = self.store()?;
        match store.resolve(self.viewer(), name).await {
            Ok(Resolved::Found(capability, _)) => Some(*capability),
            _ => None,
        }
    }

    fn today(&self) -> time::Date {
        OffsetDateTime::from(self.clock.date()).date()
    }
}

fn unsound(name: &str, wrong: &[Diagnostic]) -> ResultError {
    let told: Vec<_> = wrong
        .iter()
        .take(MOST_TOLD)
        .map(ToString::to_string)
        .collect();
    let message = match wrong.len() {
        0 => format!("`{name}` cannot be run: a part of it could not be read"),
        1 => format!("`{name}` is not sound: {}", told.join("")),
        count => format!(
            "`{name}` is not sound: {count} mistakes, the first is {}",
            told[0]
        ),
    };
    ResultError::new(ErrorCode::Validation, message).with_detail("diagnostics", told)
}
