//! The skills that there are to serve. Nothing is read before somebody asks for one.

use std::sync::{Arc, OnceLock};

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::Value;

use capstan_core::code::shown_name;
use capstan_engine::Capstan;

use super::address::{self, Address};
use super::folder::{Folder, MAIN_FILE};
use super::names::{Named, Names};
use super::own;

pub(in crate::mcp) struct Skills {
    capstan: Arc<Capstan>,
    names: OnceLock<Names>,
}

/// Some of them, and from where the next ones are asked for.
pub(super) struct Page {
    pub(super) folders: Vec<Folder>,
    pub(super) next: Option<String>,
}

/// How many skills one answer tells of.
const MOST: usize = 100;

impl Skills {
    pub(in crate::mcp) fn new(capstan: Arc<Capstan>) -> Self {
        Self {
            capstan,
            names: OnceLock::new(),
        }
    }

    /// The newest of each name, or those of one version. One that is not sound cannot be run, so it is
    /// not offered.
    pub(super) async fn page(
        &self,
        version: Option<&str>,
        cursor: Option<&str>,
    ) -> Result<Page, ErrorData> {
        let names = self.names();
        if cursor.is_some_and(|cursor| names.get(cursor).is_none()) {
            let message =
                "this cursor is none of this list: ask without a cursor for its beginning";
            return Err(ErrorData::invalid_params(message, None));
        }
        let mut folders: Vec<Folder> = Vec::new();
        let mut last = None;
        for (name, named) in names.after(cursor) {
            if folders.len() == MOST {
                let next = last.map(str::to_owned);
                return Ok(Page { folders, next });
            }
            last = Some(name);
            if let Ok(folder) = self.folder_of(name, named, version).await {
                folders.push(folder);
            }
        }
        Ok(Page {
            folders,
            next: None,
        })
    }

    pub(super) async fn folder(
        &self,
        version: Option<&str>,
        name: &str,
    ) -> Result<Folder, ErrorData> {
        match self.names().get(name) {
            Some(named) => self.folder_of(name, named, version).await,
            None => Err(self.nothing_at(&address::folder(version, name))),
        }
    }

    async fn folder_of(
        &self,
        name: &str,
        named: &Named,
        version: Option<&str>,
    ) -> Result<Folder, ErrorData> {
        let uri = || address::folder(version, name);
        let skill = match (named, version) {
            (Named::Main, None) => return Ok(own::folder()),
            (Named::Main, Some(_)) => return Err(self.nothing_at(&uri())),
            (Named::Skill(skill), _) => skill,
        };
        let known = match version {
            Some(version) => skill.versions.iter().find(|known| *known == version),
            None => skill.versions.first(),
        };
        let Some(chosen) = known else {
            return Err(self.nothing_at(&uri()));
        };
        let sheet = self
            .capstan
            .discovery()
            .skill_sheet(&skill.id, chosen)
            .await;
        let sheet = sheet.map_err(|error| {
            let mut details = error.details.get("diagnostics").cloned();
            details
                .iter_mut()
                .for_each(|it| self.capstan.redactor().value(it));
            self.refused(&error.message, details)
        })?;
        let older = match version {
            Some(_) => &[],
            None => skill.versions.get(1..).unwrap_or_default(),
        };
        let redactor = self.capstan.redactor();
        Ok(Folder::of_sheet(name, version, &sheet, older, redactor))
    }

    /// What is said of an address that leads nowhere.
    pub(super) fn nothing_at(&self, uri: &str) -> ErrorData {
        let name = match Address::read(uri) {
            Some(Address::File { name, .. } | Address::Folder { name, .. }) => name,
            _ => "",
        };
        let help = match self.names().near(name) {
            Some(near) => format!(
                "did you mean `{}/{MAIN_FILE}`?",
                address::folder(None, near)
            ),
            None => "`skills/list` names what there is".to_owned(),
        };
        self.refused(
            &format!("nothing is served at `{}`: {help}", shown_name(uri)),
            None,
        )
    }

    pub(super) fn refused(&self, message: &str, data: Option<Value>) -> ErrorData {
        let message = self.capstan.redactor().text(message).into_owned();
        ErrorData::new(ErrorCode::INVALID_PARAMS, message, data)
    }

    fn names(&self) -> &Names {
        self.names
            .get_or_init(|| Names::of(self.capstan.discovery().skills()))
    }
}
