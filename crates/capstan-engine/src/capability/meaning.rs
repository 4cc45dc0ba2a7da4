//! What a name means: the one order in which everything that has a name is looked at.
//!
//! A card, else something that Capstan does itself, else a skill of the user's, else a tool of a configured
//! server, else remembered code, else a skill of a folder that nobody named. So what a folder brings along
//! never takes the place of something that is there without it. And it is not there at all for skills and
//! code of the user's: who asks is a part of every question.

use std::sync::Arc;

use capstan_catalog::TAKEN;
use capstan_core::Diagnostic;
use capstan_core::card::Card;
use capstan_core::code::{is_full_name, is_id};
use capstan_core::port::{Resolved, Viewer};
use capstan_skill::{Library, Skill};

use super::{Directory, server_of};

/// On whose behalf a name is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asker {
    /// Whoever works in the current folder, or a skill that the folder's configuration brings.
    #[default]
    Caller,
    /// Remembered code. What only the folder's configuration brings is hidden from it.
    OwnCode,
    /// A skill that the user named. The scope that the folder's configuration chooses does not count either.
    OwnSkill,
}

impl Asker {
    pub(crate) fn of_skill(is_found: bool) -> Self {
        if is_found {
            Asker::Caller
        } else {
            Asker::OwnSkill
        }
    }

    /// Whether what only the folder's configuration brings is hidden.
    fn hides_found(self) -> bool {
        self != Asker::Caller
    }
}

/// What a name means, as far as that can be told without asking the store.
#[derive(Clone, Debug)]
pub(crate) enum Meaning<'a> {
    Card,
    /// Something that Capstan does itself.
    Action(Arc<Card>),
    /// A skill that somebody named, or that cannot be used and whose name nothing else may have.
    Skill,
    Tool {
        server: &'a str,
        tool: &'a str,
    },
    /// A skill of a folder that nobody named. Code of this name goes before it.
    FoundSkill,
    /// Remembered code, or nothing.
    Code,
}

/// The skills that there are, without those that are called like something else.
#[derive(Debug)]
pub(crate) struct SettledSkills {
    library: Library,
    diagnostics: Vec<Diagnostic>,
}

impl Directory {
    pub(crate) fn meaning<'a>(&self, name: &'a str, asker: Asker) -> Meaning<'a> {
        if let Some(fixed) = self.fixed_meaning(name, asker) {
            return fixed;
        }
        let claim = self.library().and_then(|library| claim(library, name));
        let claim = claim.filter(|claim| *claim == Claim::Own || !asker.hides_found());
        match (claim, self.tool_meaning(name, asker)) {
            (Some(Claim::Own), _) => Meaning::Skill,
            (_, Some(tool)) => tool,
            (Some(Claim::FoundCapability), None) => Meaning::FoundSkill,
            (None, None) => Meaning::Code,
        }
    }

    /// What a name means that is no skill's, for skills that compose it.
    pub(crate) fn meaning_beside_skills<'a>(&self, name: &'a str, asker: Asker) -> Meaning<'a> {
        let fixed = self.fixed_meaning(name, asker);
        fixed
            .or_else(|| self.tool_meaning(name, asker))
            .unwrap_or(Meaning::Code)
    }

    fn fixed_meaning(&self, name: &str, asker: Asker) -> Option<Meaning<'static>> {
        let is_hidden = asker.hides_found() && self.shared.catalog.is_found(name);
        if self.shared.catalog.contains(name) && !is_hidden {
            return Some(Meaning::Card);
        }
        (self.shared.own_cards.get)(name).map(Meaning::Action)
    }

    fn tool_meaning<'a>(&self, name: &'a str, asker: Asker) -> Option<Meaning<'a>> {
        let (server, tool) = server_of(name)?;
        // A full name is a full name, whatever servers are called.
        let is_full = name.starts_with(&format!("{}.", self.viewer_for(asker).scope));
        (!is_full && self.shared.has_server(server)).then_some(Meaning::Tool { server, tool })
    }

    /// In whose scope names of code are meant.
    pub(crate) fn viewer_for(&self, asker: Asker) -> &Viewer {
        match (asker, &self.shared.settings.own_viewer) {
            (Asker::OwnSkill, Some(own)) => own,
            _ => self.shared.viewer(),
        }
    }

    /// Whether only the configuration of the current folder brings something of this name.
    pub(crate) fn is_brought_by_folder(&self, name: &str) -> bool {
        let claim = self.library().and_then(|library| claim(library, name));
        self.shared.catalog.is_found(name) || claim == Some(Claim::FoundCapability)
    }

    /// Whether code of the user's may have a name: in the scope of the current folder, or in the scope that
    /// holds without the folder's configuration.
    pub(crate) async fn may_be_code(&self, name: &str) -> bool {
        let Some(store) = self.shared.store() else {
            return false;
        };
        let viewers = [
            Some(self.shared.viewer()),
            self.shared.settings.own_viewer.as_ref(),
        ];
        for viewer in viewers.into_iter().flatten() {
            // A store that does not answer may have it.
            if !matches!(store.resolve(viewer, name).await, Ok(Resolved::Nothing)) {
                return true;
            }
        }
        false
    }

    /// The error of the user's own files that hides which names they take.
    pub(crate) fn unreadable_own_file(&self) -> Option<&Diagnostic> {
        let folders = self.shared.services.skills.as_deref();
        let of_skills = folders.and_then(|folders| folders.unreadable().first());
        of_skills.or(self.shared.catalog.unreadable())
    }

    /// The skills that can be meant by their names.
    pub(crate) fn library(&self) -> Option<&Library> {
        self.settled_skills().map(|settled| &settled.library)
    }

    /// What is wrong with the files of skills, and with what skills are called.
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
            let (library, diagnostics) = all.without_refused(&|skill| self.refused_name(skill));
            SettledSkills {
                library,
                diagnostics,
            }
        });
        Some(settled)
    }

    /// Why a skill cannot be called what it is called: by this name something else is found before it.
    pub(crate) fn refused_name(&self, skill: &Skill) -> Option<Diagnostic> {
        let id = skill.id.as_str();
        let asker = Asker::of_skill(skill.origin.is_found);
        let what = match self.meaning_beside_skills(id, asker) {
            Meaning::Card => format!("`{id}` is a card"),
            Meaning::Action(_) => format!("`{id}` is something that Capstan does itself"),
            Meaning::Tool { server, .. } => format!("`{id}` is a tool of the server `{server}`"),
            _ if is_full_name(id) || is_id(id) => format!("`{id}` has the form of an id of code"),
            _ if is_reserved(id) => format!("`{id}` is how code or a policy says something else"),
            _ => return None,
        };
        Some(name_taken(skill, &what))
    }
}

/// The words by which code reaches everything else, and by which policies name code.
const RESERVED: [&str; 4] = ["capstan", "caps", "mcp", "code"];

/// Whether a name reads as something else in code or in a policy: `capstan.issue.view`, `code.exec`; or could
/// not be called from code: `caps.then` would make a promise out of `caps`.
fn is_reserved(name: &str) -> bool {
    let word = name.split_once('.').map(|(word, _)| word);
    word.is_some_and(|word| RESERVED.contains(&word)) || matches!(name, "then" | "toJSON")
}

/// A skill that is called like something else.
pub(crate) fn name_taken(skill: &Skill, what: &str) -> Diagnostic {
    let message = format!("{what}, so no skill can be called so");
    let error = Diagnostic::error(TAKEN, &skill.origin.source, message);
    let error = error.at(Some(skill.origin.id));
    error.with_help("give the skill another `id`")
}

/// Whose skill a name would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Own,
    FoundCapability,
}

fn claim(library: &Library, name: &str) -> Option<Claim> {
    let id = name.split('@').next().unwrap_or_default();
    let unusable = library.unusable(id);
    let is_found = match library.find(name) {
        Some(skill) => skill.origin.is_found,
        None if unusable.is_empty() => return None,
        None => unusable.iter().all(|it| it.is_found),
    };
    Some(match is_found {
        true => Claim::FoundCapability,
        false => Claim::Own,
    })
}
