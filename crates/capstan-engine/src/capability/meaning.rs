//! Decides what a name means. This is the only place that knows the order of precedence: a card, then one of Capstan's
//! own actions, a skill that the user configured, a tool of a configured server, a generated card, remembered code, and
//! last a skill that only the configuration of the current folder brings.
//!
//! So a folder never replaces anything that exists without it. The user's own skills and code do not see at all what
//! the folder brings; therefore every lookup says who asks ([`Asker`]).

use std::sync::Arc;

use capstan_catalog::TAKEN;
use capstan_core::Diagnostic;
use capstan_core::card::Card;
use capstan_core::code::{is_full_name, is_id};
use capstan_core::port::{Resolved, Viewer};
use capstan_skill::{Library, Skill};

use super::{Directory, split_tool_name};

/// On whose behalf a name is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asker {
    /// The caller, who works in the current folder, or a skill that the folder's configuration brings.
    #[default]
    Caller,
    /// Remembered code. It does not see what only the folder's configuration brings.
    OwnCode,
    /// A skill that the user configured. It also ignores the scope that the folder's configuration sets.
    OwnSkill,
}

impl Asker {
    /// Returns the asker for a skill. `is_from_folder`: only the folder's configuration brings it.
    pub(crate) fn for_skill(is_from_folder: bool) -> Self {
        if is_from_folder {
            Asker::Caller
        } else {
            Asker::OwnSkill
        }
    }

    /// Returns whether the asker does not see what only the folder's configuration brings.
    fn hides_folder_items(self) -> bool {
        self != Asker::Caller
    }
}

/// What a name means, as far as it can be decided without the store.
#[derive(Clone, Debug)]
pub(crate) enum Meaning<'a> {
    Card,
    /// One of Capstan's own actions.
    Action(Arc<Card>),
    /// A skill that the user configured. It may be unusable; its name is taken nevertheless.
    Skill,
    Tool {
        server: &'a str,
        tool: &'a str,
    },
    /// A skill that only the folder's configuration brings. Code with the same name takes precedence.
    FolderSkill,
    /// Remembered code, if the store has it under this name, else nothing.
    Code,
}

/// All skills except those whose names mean something else.
#[derive(Debug)]
pub(crate) struct SettledSkills {
    library: Library,
    diagnostics: Vec<Diagnostic>,
}

impl Directory {
    /// Returns what a name means to an asker.
    pub(crate) fn meaning<'a>(&self, name: &'a str, asker: Asker) -> Meaning<'a> {
        if let Some(fixed) = self.fixed_meaning(name, asker) {
            return fixed;
        }
        let claim = self.library().and_then(|library| claim(library, name));
        let claim = claim.filter(|claim| *claim == SkillClaim::Own || !asker.hides_folder_items());
        match (claim, self.tool_meaning(name, asker)) {
            (Some(SkillClaim::Own), _) => Meaning::Skill,
            (_, Some(tool)) => tool,
            (_, None) if self.shared.catalog.is_generated(name) => Meaning::Card,
            (Some(SkillClaim::Folder), None) => Meaning::FolderSkill,
            (None, None) => Meaning::Code,
        }
    }

    /// Returns what a name means if skills are left out of account.
    pub(crate) fn meaning_ignoring_skills<'a>(&self, name: &'a str, asker: Asker) -> Meaning<'a> {
        let fixed = self.fixed_meaning(name, asker);
        fixed.or_else(|| self.tool_meaning(name, asker)).unwrap_or(
            if self.shared.catalog.is_generated(name) {
                Meaning::Card
            } else {
                Meaning::Code
            },
        )
    }

    fn fixed_meaning(&self, name: &str, asker: Asker) -> Option<Meaning<'static>> {
        let is_hidden = asker.hides_folder_items() && self.shared.catalog.is_from_folder(name);
        let is_generated = self.shared.catalog.is_generated(name);
        if self.shared.catalog.contains(name) && !is_hidden && !is_generated {
            return Some(Meaning::Card);
        }
        (self.shared.own_cards.get)(name).map(Meaning::Action)
    }

    fn tool_meaning<'a>(&self, name: &'a str, asker: Asker) -> Option<Meaning<'a>> {
        let (server, tool) = split_tool_name(name)?;
        // A full name of code takes precedence over a server with the name of the scope.
        let is_full = name.starts_with(&format!("{}.", self.viewer_for(asker).scope));
        (!is_full && self.shared.has_server(server)).then_some(Meaning::Tool { server, tool })
    }

    /// Returns the viewer in whose scope names of code are looked up.
    pub(crate) fn viewer_for(&self, asker: Asker) -> &Viewer {
        match (asker, &self.shared.settings.own_viewer) {
            (Asker::OwnSkill, Some(own)) => own,
            _ => self.shared.viewer(),
        }
    }

    /// Returns whether only the configuration of the current folder brings a card or skill with this name.
    pub(crate) fn is_only_from_folder(&self, name: &str) -> bool {
        let claim = self.library().and_then(|library| claim(library, name));
        self.shared.catalog.is_from_folder(name) || claim == Some(SkillClaim::Folder)
    }

    /// Returns whether the user may have code with this name: in the scope of the current folder, or in the scope
    /// that applies without the folder's configuration.
    pub(crate) async fn may_be_code(&self, name: &str) -> bool {
        let Some(store) = self.shared.store() else {
            return false;
        };
        let viewers = [
            Some(self.shared.viewer()),
            self.shared.settings.own_viewer.as_ref(),
        ];
        for viewer in viewers.into_iter().flatten() {
            // If the store fails, it may have the name.
            if !matches!(store.resolve(viewer, name).await, Ok(Resolved::Nothing)) {
                return true;
            }
        }
        false
    }

    /// Returns an error in the user's own files, if it hides which names they take.
    pub(crate) fn unreadable_own_file(&self) -> Option<&Diagnostic> {
        let folders = self.shared.services.skills.as_deref();
        let of_skills = folders.and_then(|folders| folders.unreadable().first());
        of_skills.or(self.shared.catalog.unreadable())
    }

    /// Returns the skills that can be reached by their names.
    pub(crate) fn library(&self) -> Option<&Library> {
        self.settled_skills().map(|settled| &settled.library)
    }

    /// Returns the problems with files of skills and with names of skills.
    pub(crate) fn skill_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let of_files = self.shared.services.skills.iter();
        let of_files = of_files.flat_map(|folders| folders.diagnostics());
        let of_names = self.settled_skills().into_iter();
        of_files.chain(of_names.flat_map(|settled| &settled.diagnostics))
    }

    fn settled_skills(&self) -> Option<&SettledSkills> {
        let folders = self.shared.services.skills.as_deref()?;
        let settled = self.settled.get_or_init(|| {
            let all = folders.library().clone();
            let (library, diagnostics) = all.without_refused(&|skill| self.name_conflict(skill));
            SettledSkills {
                library,
                diagnostics,
            }
        });
        Some(settled)
    }

    /// Returns the error for a skill whose name means something else, which takes precedence.
    pub(crate) fn name_conflict(&self, skill: &Skill) -> Option<Diagnostic> {
        let id = skill.id.as_str();
        let asker = Asker::for_skill(skill.origin.is_from_folder);
        let what = match self.meaning_ignoring_skills(id, asker) {
            // A generated card gives way to what the user wrote.
            Meaning::Card
                if self.shared.catalog.is_generated(id) && !skill.origin.is_from_folder =>
            {
                return None;
            }
            Meaning::Card => format!("`{id}` is a card"),
            Meaning::Action(_) => format!("`{id}` is an action of Capstan itself"),
            Meaning::Tool { server, .. } => format!("`{id}` is a tool of the server `{server}`"),
            _ if is_full_name(id) || is_id(id) => format!("`{id}` has the form of a code id"),
            _ if is_reserved(id) => format!("`{id}` is reserved for code and policies"),
            _ => return None,
        };
        Some(name_taken(skill, &what))
    }
}

/// Prefixes that code uses for its calls and that policies use for code.
const RESERVED: [&str; 4] = ["capstan", "caps", "mcp", "code"];

/// Returns whether a name has another meaning in code or in a policy (`capstan.issue.view`, `code.exec`), or cannot
/// be called from code (with `caps.then`, JavaScript would treat `caps` as a promise).
fn is_reserved(name: &str) -> bool {
    let word = name.split_once('.').map(|(word, _)| word);
    word.is_some_and(|word| RESERVED.contains(&word)) || matches!(name, "then" | "toJSON")
}

/// Returns the error for a skill whose name is taken. `what` says by what.
pub(crate) fn name_taken(skill: &Skill, what: &str) -> Diagnostic {
    let message = format!("{what}, so no skill can have this name");
    let error = Diagnostic::error(TAKEN, &skill.origin.source, message);
    let error = error.at(Some(skill.origin.id));
    error.with_help("give the skill another `id`")
}

/// Who brings the skill with a given name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SkillClaim {
    /// The user's own configuration.
    Own,
    /// Only the configuration of the current folder.
    Folder,
}

/// Returns who brings the skill with this name, usable or not; `None` if there is none.
fn claim(library: &Library, name: &str) -> Option<SkillClaim> {
    let id = name.split('@').next().unwrap_or_default();
    let unusable = library.unusable(id);
    let is_from_folder = match library.find(name) {
        Some(skill) => skill.origin.is_from_folder,
        None if unusable.is_empty() => return None,
        None => unusable.iter().all(|it| it.is_from_folder),
    };
    Some(if is_from_folder {
        SkillClaim::Folder
    } else {
        SkillClaim::Own
    })
}
