//! Steps in other people's words: names of capabilities and of inputs that callers know from `gh` or from GitHub's MCP
//! server, and the default repository. From here on every step has the names of its card.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::{ErrorCode, Options, Sort, TaskRequest};
use capstan_exec::ChainSpec;
use capstan_lines::{Correction, Defaults, asked_fields, form, settle, sort_field, write};

use crate::capability::{Asker, Directory, Meaning};
use crate::shared::Shared;
use crate::step_result::StepResult;

/// A chain in the words of its cards.
pub(crate) struct Settled<'a> {
    pub(crate) spec: Cow<'a, ChainSpec>,
    /// Steps that could not be settled: they stay as they are, and fail where inputs are checked.
    corrections: Vec<(usize, Correction)>,
}

impl Settled<'_> {
    /// Says of steps that could not be settled how they are written.
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

/// Puts calls into the words of their cards.
pub(crate) struct Words {
    pub(super) shared: Arc<Shared>,
    directory: Arc<Directory>,
    /// Whose token is used, once GitHub said so.
    pub(super) known_login: OnceLock<String>,
}

impl Words {
    pub(crate) fn new(shared: Arc<Shared>, directory: Arc<Directory>) -> Self {
        Self {
            shared,
            directory,
            known_login: OnceLock::new(),
        }
    }

    /// Gives every step the name of its capability and of its inputs.
    pub(crate) async fn settled<'a>(&self, spec: &'a ChainSpec, asker: Asker) -> Settled<'a> {
        let mut settled = Settled {
            spec: Cow::Borrowed(spec),
            corrections: Vec::new(),
        };
        for (index, step) in spec.steps.iter().enumerate() {
            match self.settled_task(&step.request, asker).await {
                Some(Ok(task)) if task != step.request => {
                    settled.spec.to_mut().steps[index].request = task;
                }
                Some(Err(correction)) => settled.corrections.push((index, correction)),
                Some(Ok(_)) | None => {}
            }
        }
        settled
    }

    /// One task in the words of its card; nothing if it runs no card.
    async fn settled_task(
        &self,
        request: &TaskRequest,
        asker: Asker,
    ) -> Option<Result<TaskRequest, Correction>> {
        let name = request.capability.as_str();
        let mut input = request.input.clone();
        let card = match self.directory.meaning(name, asker) {
            Meaning::Card => self.shared.catalog.get(name).ok()?,
            Meaning::Code | Meaning::FoundSkill => {
                let (card, other) = self.shared.catalog.find_by_other_name(name, &input)?;
                // What somebody remembered under this name is meant.
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
        let settled = match settle(&card, input, &defaults) {
            Ok(input) => Ok(TaskRequest {
                capability: card.id.to_string(),
                input: self.with_own_login(input).await,
                options: settled_options(&card, &request.options),
                ..request.clone()
            }),
            Err(correction) => Err(correction),
        };
        Some(settled)
    }

    /// A task in the words of its card, as it is run; nothing if it runs no card, or cannot be understood.
    pub(crate) async fn understood(&self, request: &TaskRequest) -> Option<TaskRequest> {
        self.settled_task(request, Asker::default()).await?.ok()
    }

    /// What is meant where a call does not say it.
    pub(crate) fn defaults(&self) -> Defaults {
        Defaults {
            repository: self.shared.settings.repository.get(),
        }
    }

    /// A call of a card as a line.
    pub(crate) fn line(&self, id: &str, input: &Map<String, Value>) -> Option<String> {
        let card = self.shared.catalog.get(id).ok()?;
        Some(write(&card, input))
    }

    /// How a card is written as a line.
    pub(crate) fn form(&self, id: &str) -> Option<String> {
        let card = self.shared.catalog.get(id).ok()?;
        Some(form(&card))
    }
}

/// Options with the card's own names of fields. What the card does not have stays, and is refused where options are
/// checked.
pub fn settled_options(card: &Card, options: &Options) -> Options {
    let own = |name: &String| {
        let asked = asked_fields(card, [name.as_str()]);
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
