//! Builds the catalogue: the built-in cards, the user's folders with cards, and the folders of the user's services.

use std::collections::BTreeSet;
use std::path::Path;

use capstan_catalog::{CardFolder, Catalog, FolderOwner, Pack, TAKEN};
use capstan_core::code::is_full_name;
use capstan_core::{Diagnostic, Severity, Source};
use capstan_skill::SkillFolders;

use super::card_cache::CardCache;
use super::code;
use crate::args::GlobalArgs;
use crate::config::Config;
use crate::environment::Environment;

/// Builds the catalogue from the built-in cards and the folders with cards. Returns it with everything that is wrong
/// with the folders.
pub(crate) fn catalog(
    global: &GlobalArgs,
    config: &Config,
    environment: &Environment,
) -> (Catalog, Vec<Diagnostic>) {
    let mut catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    let mut diagnostics = Vec::new();
    let cache = CardCache::new(environment);
    let own = config.cards.iter().chain(&global.cards);
    let own = own.map(|folder| (folder.clone(), FolderOwner::User));
    let of_services = config.services.card_folders();
    let of_services = of_services.map(|(name, folder)| (folder, FolderOwner::Service(name)));
    for (folder, owner) in own.chain(of_services) {
        let opened = cache.open(&folder, &owner);
        diagnostics.extend(opened.diagnostics);
        let find = |pack: &Pack| refused_in(pack, &owner);
        let cards = refused_ids(&opened.cards, &folder, &mut diagnostics, find);
        let outlines = refused_ids(&opened.outlines, &folder, &mut diagnostics, find);
        catalog.add_folder(opened.cards, cards);
        catalog.add_imported(opened.outlines, outlines);
    }
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let has_found = !config.found_cards.is_empty() || !config.found_skills.is_empty();
    if let Some(error) = diagnostics.iter().find(is_error)
        && has_found
    {
        catalog.set_unreadable(error.clone());
    }
    if config.found_cards.is_empty() {
        return (catalog, diagnostics);
    }
    let reserved = ReservedNames::new(global, config, environment);
    let mut accepted = Vec::new();
    for folder in &config.found_cards {
        let CardFolder {
            cards,
            outlines,
            diagnostics: problems,
        } = cache.open(folder, &FolderOwner::CurrentFolder);
        diagnostics.extend(problems);
        for pack in [outlines, cards] {
            let refused = refused_ids(&pack, folder, &mut diagnostics, |pack| {
                let ids = pack.iter().map(|card| card.id.to_owned());
                let refused = ids.filter_map(|id| {
                    let why = reserved.refusal(&catalog, &id)?;
                    Some((id, why))
                });
                refused.collect()
            });
            accepted.push((pack, refused));
        }
    }
    for (pack, refused) in accepted {
        catalog.add_found_folder(pack, refused);
    }
    (catalog, diagnostics)
}

/// Returns the ids of a folder that `find` refuses, and reports each.
fn refused_ids(
    pack: &Pack,
    folder: &Path,
    diagnostics: &mut Vec<Diagnostic>,
    find: impl Fn(&Pack) -> Vec<(String, &'static str)>,
) -> BTreeSet<String> {
    let refused = find(pack);
    let reports = refused.iter();
    diagnostics.extend(reports.map(|(id, why)| refused_card(id, folder, why)));
    refused.into_iter().map(|(id, _)| id).collect()
}

/// Returns the cards that have the id of an action of Capstan itself. The cards of a service cannot have the ids of
/// built-in cards either; the user's other cards may replace these.
fn refused_in(pack: &Pack, owner: &FolderOwner) -> Vec<(String, &'static str)> {
    let actions = capstan_engine::own_actions().filter(|id| pack.contains(id));
    let mut refused: Vec<_> = actions.map(|id| (id.to_owned(), OWN_ACTION)).collect();
    if let FolderOwner::Service(name) = owner {
        let prefix = format!("{name}.");
        let built_in = [&capstan_cards::CARDS, &capstan_cards::GENERATED];
        let built_in = built_in
            .into_iter()
            .filter(|cards| cards.has_prefix(&prefix));
        let ids = built_in.flat_map(|cards| pack.iter().filter(|card| cards.contains(card.id)));
        refused.extend(ids.map(|card| (card.id.to_owned(), BUILT_IN)));
    }
    refused
}

/// Why a card is refused while a file of the user cannot be read: the file may define the same name.
const HIDDEN_NAMES: &str = "may be defined in one of your files that cannot be read";

/// Why a card with the name of a built-in card is refused.
const BUILT_IN: &str = "is a built-in card";

/// Why a card with the name of a system capability is refused.
const OWN_ACTION: &str = "is a built-in action of Capstan";

/// The names that cards of a found configuration cannot have. In a repository from someone else, `issue.view` must not
/// become a write, and the name of the user's own skill or tool must keep its meaning.
struct ReservedNames {
    skills: SkillFolders,
    servers: Vec<String>,
}

impl ReservedNames {
    fn new(global: &GlobalArgs, config: &Config, environment: &Environment) -> Self {
        let own = config.skills.iter().chain(&global.skills).cloned();
        Self {
            skills: SkillFolders::new(own.collect()),
            servers: code::server_names(global, config, environment),
        }
    }

    /// Returns why a card cannot have this id, or `None` if it can.
    fn refusal(&self, trusted: &Catalog, id: &str) -> Option<&'static str> {
        let server = id.split('.').next().unwrap_or_default();
        let library = self.skills.library();
        if !self.skills.unreadable().is_empty() || trusted.unreadable().is_some() {
            Some(HIDDEN_NAMES)
        } else if capstan_cards::CARDS.contains(id) || capstan_cards::GENERATED.contains(id) {
            Some(BUILT_IN)
        } else if trusted.contains(id) {
            Some("is one of your cards")
        } else if capstan_engine::is_own_action(id) {
            Some(OWN_ACTION)
        } else if library.contains(id) || !library.unusable(id).is_empty() {
            Some("is one of your skills")
        } else if self.servers.iter().any(|known| known == server) {
            Some("is a tool of one of your servers")
        } else if is_full_name(id) {
            Some("has the form of a full name of code")
        } else {
            None
        }
    }
}

fn refused_card(id: &str, folder: &Path, why: &str) -> Diagnostic {
    let source = Source::new(folder.display().to_string(), "");
    let message = format!("`{id}` {why}, so this card cannot have that id");
    let error = Diagnostic::error(TAKEN, &source, message);
    if why == HIDDEN_NAMES {
        return error.with_help(
            "fix the files of your own skills and cards: `capstan check` shows what is wrong",
        );
    }
    let is_override = why.contains(" card");
    if is_override {
        let folder = folder.display();
        error.with_help(format!(
            "only the `capstan.toml` of this folder names this card; to use it anyway, pass `--cards {folder}`"
        ))
    } else {
        error.with_help("give the card another `capability_id`")
    }
}
