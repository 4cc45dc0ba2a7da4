//! What a name means: the one order in which everything that has a name is looked at.
//!
//! A card, else something that Capstan does itself, else a skill of the user's, else a tool of a configured
//! server, else remembered code, else a skill of a folder that nobody named. So what a folder brings along
//! never takes the place of something that is there without it.

use std::sync::Arc;

use capstan_catalog::TAKEN;
use capstan_core::Diagnostic;
use capstan_core::card::Card;
use capstan_core::code::{is_full_name, is_id};
use capstan_skill::{Library, Skill};

use super::server_of;
use crate::{Capstan, local};

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

impl Capstan {
    pub(crate) fn meaning<'a>(&self, name: &'a str) -> Meaning<'a> {
        if let Some(fixed) = self.fixed_meaning(name) {
            return fixed;
        }
        let claim = self.library().and_then(|library| claim(library, name));
        match (claim, self.tool_meaning(name)) {
            (Some(Claim::Own), _) => Meaning::Skill,
            (_, Some(tool)) => tool,
            (Some(Claim::Found), None) => Meaning::FoundSkill,
            (None, None) => Meaning::Code,
        }
    }

    /// What a name means that is no skill's, for skills that compose it.
    pub(crate) fn meaning_beside_skills<'a>(&self, name: &'a str) -> Meaning<'a> {
        let fixed = self.fixed_meaning(name);
        fixed
            .or_else(|| self.tool_meaning(name))
            .unwrap_or(Meaning::Code)
    }

    fn fixed_meaning(&self, name: &str) -> Option<Meaning<'static>> {
        if self.catalog().contains(name) {
            return Some(Meaning::Card);
        }
        local::card(name).map(Meaning::Action)
    }

    fn tool_meaning<'a>(&self, name: &'a str) -> Option<Meaning<'a>> {
        let (server, tool) = server_of(name)?;
        // A full name is a full name, whatever servers are called.
        let is_full = name.starts_with(&format!("{}.", self.viewer().scope));
        (!is_full && self.has_server(server)).then_some(Meaning::Tool { server, tool })
    }

    /// The skills that can be meant by their names.
    pub(crate) fn library(&self) -> Option<&Library> {
        self.settled_skills().map(|settled| &settled.library)
    }

    /// What is wrong with the files of skills, and with what skills are called.
    pub(crate) fn skill_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let of_files = self.parts.skills.iter();
        let of_files = of_files.flat_map(|shelf| shelf.diagnostics());
        let of_names = self.settled_skills().into_iter();
        of_files.chain(of_names.flat_map(|settled| &settled.diagnostics))
    }

    fn settled_skills(&self) -> Option<&SettledSkills> {
        let shelf = self.parts.skills.as_deref()?;
        let settled = self.settled.get_or_init(|| {
            let all = shelf.library().clone();
            let (library, diagnostics) = all.without(&|skill| self.refused_name(skill));
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
        let what = match self.meaning_beside_skills(id) {
            Meaning::Card => format!("`{id}` is a card"),
            Meaning::Action(_) => format!("`{id}` is something that Capstan does itself"),
            Meaning::Tool { server, .. } => format!("`{id}` is a tool of the server `{server}`"),
            _ if is_full_name(id) || is_id(id) => format!("`{id}` has the form of an id of code"),
            _ => return None,
        };
        Some(name_taken(skill, &what))
    }
}

/// A skill that is called like something else.
pub(crate) fn name_taken(skill: &Skill, what: &str) -> Diagnostic {
    let message = format!("{what}, so no skill can be called so");
    let error = Diagnostic::error(TAKEN, &skill.origin.source, message);
    let error = error.at(Some(skill.origin.id));
    error.with_help("give the skill another `id`")
}

/// Whose skill a name would be.
enum Claim {
    Own,
    Found,
}

fn claim(library: &Library, name: &str) -> Option<Claim> {
    let id = name.split('@').next().unwrap_or_default();
    let unusable = library.unusable(id);
    let is_found = match library.named(name) {
        Some(skill) => skill.origin.is_found,
        None if unusable.is_empty() => return None,
        None => unusable.iter().all(|it| it.is_found),
    };
    Some(match is_found {
        true => Claim::Found,
        false => Claim::Own,
    })
}
