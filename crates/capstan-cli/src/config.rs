//! The configuration file: which cards to add, which routes to use, which GitHub to talk to, which
//! servers there are, whose names are meant, what is allowed.

mod sandbox;
mod search;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use capstan_core::Route;
use serde::Deserialize;

use crate::environment::Environment;

pub(crate) use sandbox::{IsolationConfig, SandboxConfig};
pub(crate) use search::SearchConfig;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Folders with cards, relative to the file.
    pub cards: Vec<PathBuf>,
    /// Files and folders with skills, relative to the file.
    pub skills: Vec<PathBuf>,
    /// Routes that may be used; all by default.
    pub routes: Option<Vec<Route>>,
    /// Not in a file that was merely found in the current folder.
    pub host: Option<String>,
    /// Whose names are meant.
    pub scope: ScopeConfig,
    pub policy: PolicyConfig,
    pub sandbox: SandboxConfig,
    /// Not in a file that was merely found.
    pub search: SearchConfig,
    /// Downstream MCP servers. Not in a file that was merely found.
    pub servers: Option<toml::Table>,
    /// Files with `mcpServers`, relative to this one. Not in a file that was merely found.
    pub mcp_servers: Vec<PathBuf>,
    /// Where everything is remembered. Not in a file that was merely found.
    pub store: Option<PathBuf>,
    /// The file it was read from.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// Folders that a file names which merely lay in the current folder: anybody may have written it.
    #[serde(skip)]
    pub found_cards: Vec<PathBuf>,
    /// Skills that such a file names.
    #[serde(skip)]
    pub found_skills: Vec<PathBuf>,
    /// The scope without what such a file says, where it says something.
    #[serde(skip)]
    pub own_scope: Option<ScopeConfig>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScopeConfig {
    pub org: Option<String>,
    pub project: Option<String>,
    /// Who owns what is private.
    pub user: Option<String>,
}

impl ScopeConfig {
    fn names_something(&self) -> bool {
        self.org.is_some() || self.project.is_some()
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PolicyConfig {
    pub read_only: bool,
    /// Each of them must allow what is run: the user's, and that of the folder.
    #[serde(deserialize_with = "one_list")]
    pub allow: Vec<Vec<String>>,
    pub deny: Vec<String>,
}

fn one_list<'de, D: serde::Deserializer<'de>>(list: D) -> Result<Vec<Vec<String>>, D::Error> {
    let list = Vec::<String>::deserialize(list)?;
    Ok(Some(list)
        .filter(|list| !list.is_empty())
        .into_iter()
        .collect())
}

impl Config {
    /// The file that was named; else the user's, and what the one in this folder adds to it. None is
    /// fine; a bad one is not.
    pub(crate) fn load(named: Option<&Path>, environment: &Environment) -> anyhow::Result<Self> {
        if let Some(file) = named {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read the configuration `{}`", file.display()))?;
            return Self::parse(&text, file);
        }
        let users = environment.config_dir.as_ref();
        let users = users.map(|dir| dir.join("capstan/config.toml"));
        let own = match users {
            Some(file) => Self::read(&file)?,
            None => None,
        };
        let own = own.unwrap_or_default();
        let here = Path::new("capstan.toml");
        match Self::read(here)? {
            Some(found) => {
                found.refuse_what_needs_trust(here)?;
                Ok(own.narrowed_by(found))
            }
            None => Ok(own),
        }
    }

    /// Every path with skills, whoever named it.
    pub(crate) fn all_skills(&self) -> impl Iterator<Item = &PathBuf> {
        self.skills.iter().chain(&self.found_skills)
    }

    /// A file that may not be there.
    fn read(file: &Path) -> anyhow::Result<Option<Self>> {
        match std::fs::read_to_string(file) {
            Ok(text) => Self::parse(&text, file).map(Some),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause)
                .with_context(|| format!("cannot read the configuration `{}`", file.display())),
        }
    }

    /// With what a file adds that merely lies in the current folder: it can choose among what is
    /// allowed, and allow less, never more.
    fn narrowed_by(self, found: Self) -> Self {
        Self {
            own_scope: found.scope.names_something().then(|| self.scope.clone()),
            found_cards: found.cards,
            // They do nothing that could not be asked for without them, and take nobody's name.
            found_skills: found.skills,
            routes: found.routes.or(self.routes),
            scope: ScopeConfig {
                org: found.scope.org.or(self.scope.org),
                project: found.scope.project.or(self.scope.project),
                user: self.scope.user,
            },
            policy: PolicyConfig {
                read_only: self.policy.read_only || found.policy.read_only,
                allow: self
                    .policy
                    .allow
                    .into_iter()
                    .chain(found.policy.allow)
                    .collect(),
                deny: self
                    .policy
                    .deny
                    .into_iter()
                    .chain(found.policy.deny)
                    .collect(),
            },
            sandbox: self.sandbox.narrowed_by(&found.sandbox),
            file: found.file,
            ..self
        }
    }

    /// What whoever wrote a file into a folder may not decide for whoever works in it.
    fn refuse_what_needs_trust(&self, file: &Path) -> anyhow::Result<()> {
        let file = file.display();
        if self.host.is_some() {
            bail!(
                "`host` in `{file}` is refused: a folder cannot choose where your token is sent; \
                 set GH_HOST, or put it into your own configuration, or name this file with --config"
            );
        }
        let asked = [
            ("servers", self.servers.is_some(), "start programs"),
            (
                "mcp_servers",
                !self.mcp_servers.is_empty(),
                "start programs",
            ),
            (
                "store",
                self.store.is_some(),
                "choose where your capabilities are kept",
            ),
            (
                "sandbox.isolation",
                self.sandbox.isolation.is_some(),
                "choose how code is kept apart",
            ),
            ("scope.user", self.scope.user.is_some(), "say who you are"),
            (
                "search",
                self.search != SearchConfig::default(),
                "choose who sees what you look for",
            ),
        ];
        if let Some((name, _, what)) = asked.into_iter().find(|(_, asked, _)| *asked) {
            bail!(
                "`{name}` in `{file}` is refused: a folder cannot {what}; \
                 put it into your own configuration, or name this file with --config"
            );
        }
        Ok(())
    }

    fn parse(text: &str, file: &Path) -> anyhow::Result<Self> {
        let mut config: Config = toml::from_str(text)
            .with_context(|| format!("the configuration `{}` is malformed", file.display()))?;
        config.sandbox.check(file)?;
        config.search.check(file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        config.cards = config
            .cards
            .iter()
            .map(|cards| folder.join(cards))
            .collect();
        config.skills = config
            .skills
            .iter()
            .map(|skills| folder.join(skills))
            .collect();
        config.mcp_servers = config
            .mcp_servers
            .iter()
            .map(|servers| folder.join(servers))
            .collect();
        config.store = config.store.map(|store| folder.join(store));
        let minilm = config.search.minilm;
        config.search.minilm = minilm.map(|minilm| folder.join(minilm));
        config.file = Some(file.to_owned());
        Ok(config)
    }
}
