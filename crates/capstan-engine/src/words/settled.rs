//! Settles the steps of a chain: translates names of capabilities and inputs that callers know from `gh` or from
//! GitHub's MCP server, and adds the default repository. After that, each step uses the names of its card.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::{ErrorCode, Options, Sort, TaskRequest};
use capstan_exec::{ChainSpec, path_placeholders};
use capstan_lines::{
    Correction, Defaults, form, form_with, normalize_input, requested_fields, sort_field, write,
};

use super::LoginSource;
use crate::capability::{Asker, Directory, Meaning};
use crate::default_repository::DefaultRepository;
use crate::shared::Shared;
use crate::step_result::StepResult;

/// A settled chain: its steps use the names of their cards.
pub(crate) struct SettledChain<'a> {
    pub(crate) spec: Cow<'a, ChainSpec>,
    /// The steps that could not be settled. They stay as they are and fail when inputs are checked.
    corrections: Vec<(usize, Correction)>,
}

impl SettledChain<'_> {
    /// Replaces the errors of steps that could not be settled by a message that shows the right form.
    pub(crate) fn correct(&self, results: &mut [StepResult]) {
        for (index, correction) in &self.corrections {
            let Some(Err(failure)) = results.get_mut(*index).map(|it| &mut it.result) else {
                continue;
            };
            if failure.error.code == ErrorCode::Validation {
                failure.error.message.clone_from(&correction.problem);
                let form = correction.form.as_str();
                failure.error.set_detail("correction", form);
            }
        }
    }
}

/// Knows how calls are written: translates them to the names of their cards, and writes them as lines.
pub struct Words {
    pub(super) shared: Arc<Shared>,
    directory: Arc<Directory>,
    /// The login of the token's user, once GitHub was asked for it.
    pub(super) known_login: OnceLock<String>,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Words").finish_non_exhaustive()
    }
}

impl Words {
    pub(crate) fn new(shared: Arc<Shared>, directory: Arc<Directory>) -> Self {
        Self {
            shared,
            directory,
            known_login: OnceLock::new(),
        }
    }

    /// Translates all steps of a chain to the names of their cards.
    pub(crate) async fn settle<'a>(
        &self,
        spec: &'a ChainSpec,
        asker: Asker,
        login: LoginSource,
    ) -> SettledChain<'a> {
        let mut settled = SettledChain {
            spec: Cow::Borrowed(spec),
            corrections: Vec::new(),
        };
        for (index, step) in spec.steps.iter().enumerate() {
            match self.settle_task(&step.request, asker, login).await {
                Some(Ok(task)) if task != step.request => {
                    settled.spec.to_mut().steps[index].request = task;
                }
                Some(Err(correction)) => settled.corrections.push((index, correction)),
                Some(Ok(_)) | None => {}
            }
        }
        settled
    }

    /// Translates one task to the names of its card. Returns `None` if it runs no card, and a correction if its input
    /// cannot be read.
    async fn settle_task(
        &self,
        request: &TaskRequest,
        asker: Asker,
        login: LoginSource,
    ) -> Option<Result<TaskRequest, Correction>> {
        let name = request.capability.as_str();
        let mut input = request.input.clone();
        let card = match self.directory.meaning(name, asker) {
            Meaning::Card => self.shared.catalog.get(name).ok()?,
            Meaning::Code | Meaning::FolderSkill => {
                let (card, other) = self.shared.catalog.find_by_other_name(name, &input)?;
                // Remembered code with this name takes precedence.
                if self.directory.may_be_code(name).await {
                    return None;
                }
                input = other.applied(input);
                card
            }
            Meaning::Action(_) | Meaning::Skill | Meaning::Tool { .. } => return None,
        };
        let names_one = input.contains_key("owner") && input.contains_key("repo");
        let defaults = if names_one {
            Defaults::default()
        } else {
            self.defaults()
        };
        let settled = match normalize_input(&card, input, &defaults) {
            Ok(input) => Ok(TaskRequest {
                capability: card.id.to_string(),
                input: match &card.service {
                    // A service has other users than GitHub.
                    Some(_) => input,
                    None => {
                        let input = self.with_path_repository(&card, input);
                        self.with_own_login(input, login).await
                    }
                },
                options: settled_options(&card, &request.options),
                ..request.clone()
            }),
            Err(correction) => Err(correction),
        };
        Some(settled)
    }

    /// Adds the default repository to a raw call whose path has `{owner}` and `{repo}`.
    pub(crate) fn with_path_repository(
        &self,
        card: &Card,
        mut input: Map<String, Value>,
    ) -> Map<String, Value> {
        const BOTH: [&str; 2] = ["owner", "repo"];
        let blanks = path_placeholders(card, &input);
        let params = input.get("params").and_then(Value::as_object);
        let is_given = |name: &&str| {
            input.contains_key(*name) || params.is_some_and(|params| params.contains_key(*name))
        };
        let needs = |name: &&str| blanks.iter().any(|blank| blank == name);
        if BOTH.iter().any(is_given) || !BOTH.iter().any(needs) {
            return input;
        }
        if let Some((owner, repo)) = self.defaults().repository {
            for (name, value) in BOTH.into_iter().zip([owner, repo]) {
                if needs(&name) {
                    input.insert(name.to_owned(), value.into());
                }
            }
        }
        input
    }

    /// Returns a task with the names of its card, as it is run. Returns `None` if it runs no card or its input cannot
    /// be read.
    pub async fn settled_task(&self, request: &TaskRequest) -> Option<TaskRequest> {
        let login = LoginSource::GitHub;
        self.settle_task(request, Asker::default(), login)
            .await?
            .ok()
    }

    /// Returns the default values for calls that leave something out, such as the repository.
    pub fn defaults(&self) -> Defaults {
        Defaults {
            repository: self.shared.settings.repository.get(),
        }
    }

    /// Returns the source of the repository for calls that name none.
    pub fn default_repository(&self) -> &DefaultRepository {
        &self.shared.settings.repository
    }

    /// Returns a call of a card as a line; `None` if there is no such card.
    pub fn line(&self, id: &str, input: &Map<String, Value>) -> Option<String> {
        let card = self.shared.catalog.get(id).ok()?;
        Some(write(&card, input))
    }

    /// Returns the form of a card's line, such as `issue.view NUMBER`; `None` if there is no such card.
    pub fn form(&self, id: &str) -> Option<String> {
        let card = self.shared.catalog.get(id).ok()?;
        Some(form(&card))
    }

    /// Returns the form of a card's line without the optional inputs that are not to be shown.
    pub fn form_with(&self, id: &str, is_shown: impl Fn(&str) -> bool) -> Option<String> {
        let card = self.shared.catalog.get(id).ok()?;
        Some(form_with(&card, is_shown))
    }
}

/// Returns options with the card's own names of fields. Unknown fields stay as they are and are refused when options
/// are checked.
pub fn settled_options(card: &Card, options: &Options) -> Options {
    let own = |name: &String| {
        let asked = requested_fields(card, [name.as_str()]);
        asked
            .known
            .into_iter()
            .next()
            .unwrap_or_else(|| name.clone())
    };
    let sort = options.sort.clone().map(|sort| {
        let field = sort_field(card, &sort.field).unwrap_or(sort.field);
        Sort { field, ..sort }.settled(card)
    });
    Options {
        fields: options
            .fields
            .as_ref()
            .map(|fields| fields.iter().map(own).collect()),
        sort,
        ..options.clone()
    }
}
