//! From the name of a skill to the plan by which it is run.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use time::OffsetDateTime;

use capstan_core::code::{Capability, shown_name};
use capstan_core::port::Resolved;
use capstan_core::{Diagnostic, ErrorCode, ResultError};
use capstan_skill::{Contract, Library, Plan, Skill, check};

use super::Known;
use crate::Capstan;

/// More mistakes than anybody reads in one answer.
const MOST_TOLD: usize = 5;

impl Capstan {
    /// The plan of a skill; nothing if there is no skill of this name.
    pub(crate) async fn plan(&self, name: &str) -> Option<Result<Arc<Plan>, ResultError>> {
        let shelf = self.parts.skills.as_deref()?;
        let library = shelf.library();
        let skill = library.named(name)?;
        let full_name = skill.full_name();
        if let Some(wrong) = shelf.bad_lock() {
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

    /// The plan of a skill with the code that there is now.
    pub(crate) async fn plan_anew(
        &self,
        library: &Library,
        skill: &Skill,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let part = library.closure(skill.id.as_str());
        let known = self.known_to(&part).await;
        check(&part, &known, self.today()).plan(skill)
    }

    /// Whether a skill is made of something that is no skill, no card and no tool: it may be code.
    pub(crate) fn may_have_code(&self, library: &Library, skill: &Skill) -> bool {
        let part = library.closure(skill.id.as_str());
        let known = Known {
            catalog: self.catalog(),
            servers: self.servers(),
            code: HashMap::new(),
        };
        !self.names_of_code(&part, &known).is_empty()
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
        let known = self.known_to(library).await;
        check(library, &known, self.today()).diagnostics
    }

    /// What some skills take, give and do, in their order; nothing where that cannot be known.
    pub async fn skill_contracts(&self, library: &Library) -> Vec<Option<Contract>> {
        let known = self.known_to(library).await;
        let checked = check(library, &known, self.today());
        let skills = library.skills().iter();
        skills.map(|skill| checked.contract(skill)).collect()
    }

    async fn known_to<'a>(&'a self, library: &Library) -> Known<'a> {
        let mut known = Known {
            catalog: self.catalog(),
            servers: self.servers(),
            code: HashMap::new(),
        };
        for name in self.names_of_code(library, &known) {
            if let Some(capability) = self.code_named(&name).await {
                known.code.insert(name, capability);
            }
        }
        known
    }

    /// What may be remembered code among the names that skills use.
    fn names_of_code(&self, library: &Library, known: &Known<'_>) -> Vec<String> {
        use capstan_skill::{Outside as _, Runs};
        let mut names: Vec<String> = Vec::new();
        for skill in library.skills() {
            let composed = skill.composes.iter().map(|it| it.skill.value.as_str());
            let bound = skill.runs.iter().filter_map(|runs| match &runs.value {
                Runs::Capability(name) => Some(name.as_str()),
                _ => None,
            });
            for name in composed.chain(bound) {
                if !library.contains(name) && known.find(name).is_none() {
                    names.push(name.to_owned());
                }
            }
        }
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
