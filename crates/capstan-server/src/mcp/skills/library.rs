//! The skills that the server offers. Skill files are not read before the first request for skills.

use std::sync::{Arc, OnceLock};

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::Value;

use capstan_core::code::shown_name;
use capstan_engine::Capstan;

use super::folder::{MAIN_FILE, SkillFolder};
use super::main_skill;
use super::names::{NamedSkill, SkillNames};
use super::uri::{SkillUri, folder_uri};

pub(in crate::mcp) struct SkillLibrary {
    capstan: Arc<Capstan>,
    names: OnceLock<SkillNames>,
}

/// A page of skills, and the cursor of the next page if there is one.
pub(super) struct SkillPage {
    pub(super) folders: Vec<SkillFolder>,
    pub(super) next_cursor: Option<String>,
}

/// How many skills a page has at most.
const PAGE_SIZE: usize = 100;

impl SkillLibrary {
    pub(in crate::mcp) fn new(capstan: Arc<Capstan>) -> Self {
        Self {
            capstan,
            names: OnceLock::new(),
        }
    }

    /// Returns a page of the newest version of each skill, or of the skills that have a given version.
    /// Skills with errors cannot be run, so they are left out. The cursor is the name of the last skill of
    /// the page before.
    pub(super) async fn page(
        &self,
        version: Option<&str>,
        cursor: Option<&str>,
    ) -> Result<SkillPage, ErrorData> {
        let names = self.names();
        if cursor.is_some_and(|cursor| names.get(cursor).is_none()) {
            let message = "unknown cursor: leave it out to start at the beginning of the list";
            return Err(ErrorData::invalid_params(message, None));
        }
        let mut folders: Vec<SkillFolder> = Vec::new();
        let mut last = None;
        for (name, skill) in names.iter_after(cursor) {
            if folders.len() == PAGE_SIZE {
                let next_cursor = last.map(str::to_owned);
                return Ok(SkillPage {
                    folders,
                    next_cursor,
                });
            }
            last = Some(name);
            if let Ok(folder) = self.build_folder(name, skill, version).await {
                folders.push(folder);
            }
        }
        Ok(SkillPage {
            folders,
            next_cursor: None,
        })
    }

    /// Returns the folder of a skill: its newest version, or the given one.
    pub(super) async fn folder(
        &self,
        version: Option<&str>,
        name: &str,
    ) -> Result<SkillFolder, ErrorData> {
        match self.names().get(name) {
            Some(skill) => self.build_folder(name, skill, version).await,
            None => Err(self.not_found(&folder_uri(version, name))),
        }
    }

    async fn build_folder(
        &self,
        name: &str,
        named: &NamedSkill,
        version: Option<&str>,
    ) -> Result<SkillFolder, ErrorData> {
        let not_found = || self.not_found(&folder_uri(version, name));
        let skill = match (named, version) {
            (NamedSkill::Main, None) => return Ok(main_skill::folder()),
            (NamedSkill::Main, Some(_)) => return Err(not_found()),
            (NamedSkill::Engine(skill), _) => skill,
        };
        let chosen = match version {
            Some(version) => skill.versions.iter().find(|known| *known == version),
            None => skill.versions.first(),
        };
        let Some(chosen) = chosen else {
            return Err(not_found());
        };
        let discovery = self.capstan.discovery();
        let found = discovery.skill_sheet(&skill.id, chosen).await;
        let sheet = found.map_err(|error| {
            let mut details = error.details.get("diagnostics").cloned();
            details
                .iter_mut()
                .for_each(|it| self.capstan.redactor().value(it));
            self.invalid_params(&error.message, details)
        })?;
        let older_versions = match version {
            Some(_) => &[],
            None => skill.versions.get(1..).unwrap_or_default(),
        };
        let redactor = self.capstan.redactor();
        Ok(SkillFolder::from_sheet(
            name,
            version,
            &sheet,
            older_versions,
            redactor,
        ))
    }

    /// Returns the error for a URI that names no skill and no file. It suggests a similar name.
    pub(super) fn not_found(&self, uri: &str) -> ErrorData {
        let name = match SkillUri::parse(uri) {
            Some(SkillUri::File { name, .. } | SkillUri::Folder { name, .. }) => name,
            _ => "",
        };
        let help = match self.names().closest(name) {
            Some(similar) => format!("did you mean `{}/{MAIN_FILE}`?", folder_uri(None, similar)),
            None => "`skills/list` lists the skills".to_owned(),
        };
        self.invalid_params(
            &format!("no skill or file at `{}`: {help}", shown_name(uri)),
            None,
        )
    }

    /// Returns an `invalid params` error with secrets masked in its message.
    pub(super) fn invalid_params(&self, message: &str, data: Option<Value>) -> ErrorData {
        let message = self.capstan.redactor().text(message).into_owned();
        ErrorData::new(ErrorCode::INVALID_PARAMS, message, data)
    }

    fn names(&self) -> &SkillNames {
        self.names
            .get_or_init(|| SkillNames::assign(self.capstan.discovery().skills()))
    }
}
