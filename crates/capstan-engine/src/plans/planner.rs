//! Makes the plan of a skill from its name.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::Value;

use capstan_core::code::{Capability, shown_name};
use capstan_core::date::{Day, day_of};
use capstan_core::port::Resolved;
use capstan_core::{Diagnostic, ErrorCode, ResultError};
use capstan_skill::{Contract, Library, Plan, Runs, Skill, check};

use super::known::KnownCapabilities;
use crate::capability::{Asker, Directory, Meaning, name_taken};
use crate::shared::Shared;

/// How many mistakes an error lists.
const MOST_LISTED: usize = 5;

/// Plans and checks skills, and caches their plans.
pub struct SkillPlans {
    pub(super) shared: Arc<Shared>,
    pub(super) directory: Arc<Directory>,
    /// The plans by name and version.
    made: Mutex<HashMap<String, Arc<Plan>>>,
}

impl fmt::Debug for SkillPlans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkillPlans").finish_non_exhaustive()
    }
}

impl SkillPlans {
    pub(crate) fn new(shared: Arc<Shared>, directory: Arc<Directory>) -> Self {
        Self {
            shared,
            directory,
            made: Mutex::default(),
        }
    }

    /// Returns the plan of a skill; `None` if there is no skill with this name.
    pub(crate) async fn plan(&self, name: &str) -> Option<Result<Arc<Plan>, ResultError>> {
        let library = self.directory.library()?;
        let Some(skill) = library.find(name) else {
            let id = name.split('@').next().unwrap_or_default();
            let unusable = library.unusable(id).iter();
            let wrong: Vec<_> = unusable.flat_map(|it| it.errors.clone()).collect();
            return (!wrong.is_empty()).then(|| Err(unsound_error(name, &wrong)));
        };
        let full_name = skill.full_name();
        if let Some(wrong) = self.bad_lock() {
            return Some(Err(unsound_error(&full_name, std::slice::from_ref(wrong))));
        }
        // For a skill of the folder: code may have been given the same name since the plan was made.
        let is_cacheable =
            !skill.origin.is_from_folder || !self.directory.may_be_code(skill.id.as_str()).await;
        if is_cacheable {
            let plans = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(plan) = plans.get(&full_name) {
                return Some(Ok(Arc::clone(plan)));
            }
        }
        if skill.origin.is_from_folder
            && let Some(wrong) = self.directory.unreadable_own_file()
        {
            return Some(Err(maybe_taken_error(&full_name, wrong)));
        }
        let planned = self.plan_anew(library, skill).await;
        Some(self.cache_plan(full_name, planned))
    }

    /// Returns the plan of a skill that is about to be run. A step that runs a tool and states no inputs gets them by
    /// name. Only the server knows these names, so it is asked, and started if necessary.
    pub(crate) async fn skill_to_run(
        &self,
        name: &str,
        deadline: Instant,
    ) -> Result<Arc<Plan>, ResultError> {
        let plan = self.skill(name).await?;
        let tools = tools_of_unknown_input(&plan);
        let (Some(library), false) = (self.directory.library(), tools.is_empty()) else {
            return Ok(plan);
        };
        let Some(skill) = library.find(name) else {
            return Ok(plan);
        };
        let asker = Asker::for_skill(plan.is_from_folder);
        let mut inputs = HashMap::new();
        for tool in tools {
            let found = self.directory.find_tool_named(tool, asker, deadline);
            let found = found.await?;
            inputs.insert(tool.to_owned(), Arc::new(found.card.input_schema.clone()));
        }
        let planned = self.plan_with_tools(library, skill, inputs).await;
        self.cache_plan(skill.full_name(), planned)
    }

    /// Caches a plan, or returns the error for a skill that is not sound.
    fn cache_plan(
        &self,
        full_name: String,
        planned: Result<Plan, Vec<Diagnostic>>,
    ) -> Result<Arc<Plan>, ResultError> {
        let plan = planned.map_err(|wrong| {
            let mut error = unsound_error(&full_name, &wrong);
            if let Some(wrong) = self.directory.unreadable_own_file() {
                let more = format!("; not all of your own files could be read: {wrong}");
                error.message.push_str(&more);
            }
            error
        })?;
        let plan = Arc::new(plan);
        let mut plans = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        plans.insert(full_name, Arc::clone(&plan));
        Ok(plan)
    }

    /// Returns the error in the lock file of skills. With it, the versions to use are unknown.
    pub(crate) fn bad_lock(&self) -> Option<&Diagnostic> {
        self.shared.services.skills.as_deref()?.bad_lock()
    }

    /// Plans a skill with the code that exists now, without the cache.
    pub(crate) async fn plan_anew(
        &self,
        library: &Library,
        skill: &Skill,
    ) -> Result<Plan, Vec<Diagnostic>> {
        self.plan_with_tools(library, skill, HashMap::new()).await
    }

    async fn plan_with_tools(
        &self,
        library: &Library,
        skill: &Skill,
        tool_inputs: HashMap<String, Arc<Value>>,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let part = library.closure(skill.id.as_str());
        let asker = Asker::for_skill(skill.origin.is_from_folder);
        let (part, mut known, _) = self.with_code(part, asker).await;
        known.tool_inputs = tool_inputs;
        let (part, _) = self.with_readable_code(part).await;
        check(&part, &known, self.today()).plan(skill)
    }

    /// Returns whether a skill uses a name that is no skill, card or tool, and so may be code.
    pub(crate) fn may_have_code(&self, library: &Library, skill: &Skill) -> bool {
        let part = library.closure(skill.id.as_str());
        !self.names_of_code(&part).is_empty()
    }

    /// Returns the plan of a skill. The error says that there is none, or what is wrong with it.
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

    /// Returns all problems of the skills in a library.
    pub async fn check_skills(&self, library: &Library) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for is_from_folder in [false, true] {
            let side = library.filter_by_origin(is_from_folder);
            let asker = Asker::for_skill(is_from_folder);
            let (side, known, of_names) = self.with_code(side, asker).await;
            let (side, of_code) = self.with_readable_code(side).await;
            diagnostics.extend(of_names);
            diagnostics.extend(of_code);
            diagnostics.extend(check(&side, &known, self.today()).diagnostics);
        }
        diagnostics
    }

    /// Returns the contracts of the skills in a library, in their order; `None` for a skill whose contract is
    /// unknown.
    pub async fn skill_contracts(&self, library: &Library) -> Vec<Option<Contract>> {
        let mut contracts = vec![None; library.skills().len()];
        for is_from_folder in [false, true] {
            let side = library.filter_by_origin(is_from_folder);
            let asker = Asker::for_skill(is_from_folder);
            let (side, known, _) = self.with_code(side, asker).await;
            let checked = check(&side, &known, self.today());
            for (contract, skill) in contracts.iter_mut().zip(library.skills()) {
                if skill.origin.is_from_folder == is_from_folder {
                    *contract = checked.contract(skill);
                }
            }
        }
        contracts
    }

    /// Returns a library without the skills whose names mean something else, the capabilities that the remaining
    /// skills may use, and the problems of the skills that were left out.
    async fn with_code(
        &self,
        library: Library,
        asker: Asker,
    ) -> (Library, KnownCapabilities<'_>, Vec<Diagnostic>) {
        let mut code = HashMap::new();
        for name in self.names_of_code(&library) {
            if let Some(capability) = self.code_named(&name, asker).await {
                code.insert(name, capability);
            }
        }
        let mut called_like_code = HashSet::new();
        for id in library.ids() {
            let is_code = match asker {
                Asker::Caller => self.directory.may_be_code(id).await,
                Asker::OwnCode | Asker::OwnSkill => self.code_named(id, asker).await.is_some(),
            };
            if is_code {
                called_like_code.insert(id.to_owned());
            }
        }
        let (library, diagnostics) = library.without_refused(&|skill| {
            let id = skill.id.as_str();
            let of_code = || name_taken(skill, &format!("`{id}` is code of yours"));
            let refused = self.directory.name_conflict(skill);
            refused.or_else(|| called_like_code.contains(id).then(of_code))
        });
        let known = KnownCapabilities {
            shared: &self.shared,
            directory: &self.directory,
            code,
            tool_inputs: HashMap::new(),
            asker,
        };
        (library, known, diagnostics)
    }

    /// Returns the names used by skills that may be remembered code, sorted.
    fn names_of_code(&self, library: &Library) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for skill in library.skills() {
            let composed = skill.composes.iter().map(|it| it.skill.value.as_str());
            let bound = skill.runs.iter().filter_map(|runs| match &runs.value {
                Runs::Capability(name) => Some(name.as_str()),
                _ => None,
            });
            let composed = composed.filter(|name| !library.contains(name));
            let asker = Asker::for_skill(skill.origin.is_from_folder);
            let is_code = |name: &&str| {
                matches!(
                    self.directory.meaning_ignoring_skills(name, asker),
                    Meaning::Code
                )
            };
            let used = composed.chain(bound).filter(is_code);
            names.extend(used.map(str::to_owned));
        }
        names.sort();
        names.dedup();
        names
    }

    pub(super) async fn code_named(&self, name: &str, asker: Asker) -> Option<Capability> {
        let store = self.shared.store()?;
        match store.resolve(self.directory.viewer_for(asker), name).await {
            Ok(Resolved::Found(capability, _)) => Some(*capability),
            _ => None,
        }
    }

    fn today(&self) -> Day {
        day_of(self.shared.clock.date())
    }
}

/// Returns the tools that run without stated inputs and whose input schemas are unknown.
fn tools_of_unknown_input(plan: &Plan) -> Vec<&str> {
    let mut tools: Vec<_> = plan
        .leaves()
        .filter(|(_, node, leaf)| leaf.input.is_none() && node.inputs.is_empty())
        .filter_map(|(_, _, leaf)| match &leaf.runs {
            Runs::Tool(name) => Some(name.as_str()),
            Runs::Card(_) | Runs::Capability(_) | Runs::Code(_) => None,
        })
        .collect();
    if plan.is_atomic() {
        tools.clear();
    }
    tools.sort_unstable();
    tools.dedup();
    tools
}

/// Returns the error for a skill of the folder, if an unreadable file of the user may contain the same name.
fn maybe_taken_error(name: &str, wrong: &Diagnostic) -> ResultError {
    let message = format!(
        "`{name}` cannot be run: it comes only from `capstan.toml` in this folder, and an \
         unreadable file of your own may define the same name: {wrong}"
    );
    let diagnostics = vec![wrong.to_string()];
    ResultError::new(ErrorCode::Validation, message).with_detail("diagnostics", diagnostics)
}

/// Returns the error for a skill with mistakes.
fn unsound_error(name: &str, wrong: &[Diagnostic]) -> ResultError {
    let listed: Vec<_> = wrong
        .iter()
        .take(MOST_LISTED)
        .map(ToString::to_string)
        .collect();
    let message = match wrong.len() {
        0 => format!("`{name}` cannot be run: a part of it could not be read"),
        1 => format!("`{name}` has a mistake: {}", listed.join("")),
        count => format!("`{name}` has {count} mistakes; the first is {}", listed[0]),
    };
    ResultError::new(ErrorCode::Validation, message).with_detail("diagnostics", listed)
}
