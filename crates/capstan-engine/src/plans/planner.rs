//! From the name of a skill to the plan by which it is run.

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

use super::known::Known;
use crate::capability::{Asker, Directory, Meaning, name_taken};
use crate::shared::Shared;

/// More mistakes than anybody reads in one answer.
const MOST_TOLD: usize = 5;

/// SkillPlans skills, and keeps the plans of those that were run.
pub struct SkillPlans {
    pub(super) shared: Arc<Shared>,
    pub(super) directory: Arc<Directory>,
    /// By name and version.
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

    /// The plan of a skill; nothing if there is no skill of this name.
    pub(crate) async fn plan(&self, name: &str) -> Option<Result<Arc<Plan>, ResultError>> {
        let library = self.directory.library()?;
        let Some(skill) = library.find(name) else {
            let id = name.split('@').next().unwrap_or_default();
            let unusable = library.unusable(id).iter();
            let wrong: Vec<_> = unusable.flat_map(|it| it.errors.clone()).collect();
            return (!wrong.is_empty()).then(|| Err(unsound(name, &wrong)));
        };
        let full_name = skill.full_name();
        if let Some(wrong) = self.bad_lock() {
            return Some(Err(unsound(&full_name, std::slice::from_ref(wrong))));
        }
        // Code may have got its name since.
        let is_cacheable =
            !skill.origin.is_found || !self.directory.may_be_code(skill.id.as_str()).await;
        if is_cacheable {
            let plans = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(plan) = plans.get(&full_name) {
                return Some(Ok(Arc::clone(plan)));
            }
        }
        let unreadable = self.directory.unreadable_own_file();
        if let Some(wrong) = unreadable.filter(|_| skill.origin.is_found) {
            return Some(Err(hidden_names(&full_name, wrong)));
        }
        let planned = self.plan_anew(library, skill).await;
        Some(self.kept_plan(full_name, planned))
    }

    /// The plan of a skill that is about to be run. A step that runs a tool and states no inputs takes them by
    /// their names. OnlyKind the server knows these, so it is asked, and started if need be.
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
        let asker = Asker::of_skill(plan.is_found);
        let mut inputs = HashMap::new();
        for tool in tools {
            let found = self.directory.find_tool_named(tool, asker, deadline);
            let found = found.await?;
            inputs.insert(tool.to_owned(), Arc::new(found.card.input_schema.clone()));
        }
        let planned = self.plan_with_tools(library, skill, inputs).await;
        self.kept_plan(skill.full_name(), planned)
    }

    /// Keeps a plan for the next time, or says what is wrong with the skill.
    fn kept_plan(
        &self,
        full_name: String,
        planned: Result<Plan, Vec<Diagnostic>>,
    ) -> Result<Arc<Plan>, ResultError> {
        let plan = planned.map_err(|wrong| {
            let mut error = unsound(&full_name, &wrong);
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

    /// What is wrong with the lock of skills: then nobody knows which versions are meant.
    pub(crate) fn bad_lock(&self) -> Option<&Diagnostic> {
        self.shared.services.skills.as_deref()?.bad_lock()
    }

    /// The plan of a skill with the code that there is now.
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
        let asker = Asker::of_skill(skill.origin.is_found);
        let (part, mut known, _) = self.settled_with_code(part, asker).await;
        known.tool_inputs = tool_inputs;
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
        let mut diagnostics = Vec::new();
        for is_found in [false, true] {
            let side = library.filter_by_origin(is_found);
            let asker = Asker::of_skill(is_found);
            let (side, known, of_names) = self.settled_with_code(side, asker).await;
            let (side, of_code) = self.with_readable_code(side).await;
            diagnostics.extend(of_names);
            diagnostics.extend(of_code);
            diagnostics.extend(check(&side, &known, self.today()).diagnostics);
        }
        diagnostics
    }

    /// What some skills take, give and do, in their order; nothing where that cannot be known.
    pub async fn skill_contracts(&self, library: &Library) -> Vec<Option<Contract>> {
        let mut contracts = vec![None; library.skills().len()];
        for is_found in [false, true] {
            let side = library.filter_by_origin(is_found);
            let asker = Asker::of_skill(is_found);
            let (side, known, _) = self.settled_with_code(side, asker).await;
            let checked = check(&side, &known, self.today());
            for (contract, skill) in contracts.iter_mut().zip(library.skills()) {
                if skill.origin.is_found == is_found {
                    *contract = checked.contract(skill);
                }
            }
        }
        contracts
    }

    /// Some skills without those that are called like something else; what they may be made of; and what is
    /// told of those that are left out.
    async fn settled_with_code(
        &self,
        library: Library,
        asker: Asker,
    ) -> (Library, Known<'_>, Vec<Diagnostic>) {
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
            let refused = self.directory.refused_name(skill);
            refused.or_else(|| called_like_code.contains(id).then(of_code))
        });
        let known = Known {
            shared: &self.shared,
            directory: &self.directory,
            code,
            tool_inputs: HashMap::new(),
            asker,
        };
        (library, known, diagnostics)
    }

    /// What may be remembered code among the names that skills use.
    fn names_of_code(&self, library: &Library) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for skill in library.skills() {
            let composed = skill.composes.iter().map(|it| it.skill.value.as_str());
            let bound = skill.runs.iter().filter_map(|runs| match &runs.value {
                Runs::Capability(name) => Some(name.as_str()),
                _ => None,
            });
            let composed = composed.filter(|name| !library.contains(name));
            let asker = Asker::of_skill(skill.origin.is_found);
            let is_code = |name: &&str| {
                matches!(
                    self.directory.meaning_beside_skills(name, asker),
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

/// The tools that steps run to which nothing is given, and of which nobody has said what they take.
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

/// A skill that comes with a folder may have the name of one that the user has and nobody can read.
fn hidden_names(name: &str, wrong: &Diagnostic) -> ResultError {
    let message = format!(
        "`{name}` cannot be run: only `capstan.toml` in this folder asks for it, and a file of your own that \
         cannot be read may have something of this name: {wrong}"
    );
    let told = vec![wrong.to_string()];
    ResultError::new(ErrorCode::Validation, message).with_detail("diagnostics", told)
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
