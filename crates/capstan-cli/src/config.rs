//! The configuration file: cards, skills, routes, the GitHub host, services, servers, the scope, and the policy.
//!
//! A `capstan.toml` in the current folder may come from anyone, so it is not trusted: it can restrict what the user's
//! own configuration allows, but never extend it. Values of such a file are called *found*.

mod sandbox;
mod search;
mod service_settings;
mod services;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use capstan_core::Route;
use serde::Deserialize;

use crate::environment::Environment;

pub(crate) use sandbox::{IsolationConfig, SandboxConfig};
pub(crate) use search::SearchConfig;
use services::ServicesConfig;
pub(crate) use services::default_folder;

/// The settings of the configuration files.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Folders with cards, relative to the file.
    pub cards: Vec<PathBuf>,
    /// Files and folders with skills, relative to the file.
    pub skills: Vec<PathBuf>,
    /// Routes that may be used. `None` allows all.
    pub routes: Option<Vec<Route>>,
    /// The host of GitHub. Refused in a found file.
    pub host: Option<String>,
    /// The scope in which names of code are resolved.
    pub scope: ScopeConfig,
    pub policy: PolicyConfig,
    pub sandbox: SandboxConfig,
    /// The embedding model of the search. Refused in a found file.
    pub search: SearchConfig,
    /// Downstream MCP servers. Refused in a found file.
    pub servers: Option<toml::Table>,
    /// Files with `mcpServers`, relative to this file. Refused in a found file.
    pub mcp_servers: Vec<PathBuf>,
    /// Services beside GitHub. Refused in a found file.
    pub services: ServicesConfig,
    /// The file of the store. Refused in a found file.
    pub store: Option<PathBuf>,
    /// The file that was read last.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// Folders with cards that a found file names.
    #[serde(skip)]
    pub found_cards: Vec<PathBuf>,
    /// Files and folders with skills that a found file names.
    #[serde(skip)]
    pub found_skills: Vec<PathBuf>,
    /// The user's own scope, if a found file changes it.
    #[serde(skip)]
    pub own_scope: Option<ScopeConfig>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScopeConfig {
    pub org: Option<String>,
    pub project: Option<String>,
    /// The owner of private code.
    pub user: Option<String>,
}

impl ScopeConfig {
    fn sets_org_or_project(&self) -> bool {
        self.org.is_some() || self.project.is_some()
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PolicyConfig {
    pub read_only: bool,
    /// Lists of patterns, one of the user and one of a found file. A capability must match a pattern of each list.
    #[serde(deserialize_with = "deserialize_allow")]
    pub allow: Vec<Vec<String>>,
    pub deny: Vec<String>,
}

/// Returns the routes that both the user and a found file allow. `None` allows all.
fn restricted_routes(
    own: Option<Vec<Route>>,
    found: Option<Vec<Route>>,
) -> anyhow::Result<Option<Vec<Route>>> {
    let (Some(own), Some(found)) = (&own, &found) else {
        return Ok(own.or(found));
    };
    let both: Vec<Route> = found
        .iter()
        .copied()
        .filter(|it| own.contains(it))
        .collect();
    if both.is_empty() {
        bail!(
            "`routes` in `capstan.toml` allows none of the routes that your own configuration allows: \
             change one of them, or name a file with --config"
        );
    }
    Ok(Some(both))
}

/// Reads a list of patterns as the only list of `allow`. An empty list allows everything.
fn deserialize_allow<'de, D: serde::Deserializer<'de>>(
    list: D,
) -> Result<Vec<Vec<String>>, D::Error> {
    let patterns = Vec::<String>::deserialize(list)?;
    Ok(if patterns.is_empty() {
        Vec::new()
    } else {
        vec![patterns]
    })
}

impl Config {
    /// Reads the file that `--config` names. Without it, reads the user's file and restricts it by the
    /// `capstan.toml` of the current folder; either may be missing.
    pub(crate) fn load(named: Option<&Path>, environment: &Environment) -> anyhow::Result<Self> {
        if let Some(file) = named {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read the configuration `{}`", file.display()))?;
            return Self::parse(&text, file);
        }
        let own = match &environment.config_dir {
            Some(dir) => Self::read(&dir.join("capstan/config.toml"))?.unwrap_or_default(),
            None => Self::default(),
        };
        let here = Path::new("capstan.toml");
        match Self::read(here)? {
            Some(found) => {
                found.refuse_untrusted_settings(here)?;
                own.restricted_by(found)
            }
            None => Ok(own),
        }
    }

    /// Returns the paths with skills of the user and of a found file.
    pub(crate) fn all_skills(&self) -> impl Iterator<Item = &PathBuf> {
        self.skills.iter().chain(&self.found_skills)
    }

    /// Reads a file. Returns `None` if it does not exist.
    fn read(file: &Path) -> anyhow::Result<Option<Self>> {
        match std::fs::read_to_string(file) {
            Ok(text) => Self::parse(&text, file).map(Some),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause)
                .with_context(|| format!("cannot read the configuration `{}`", file.display())),
        }
    }

    /// Returns this configuration restricted by a found file, which can never allow more.
    fn restricted_by(self, found: Self) -> anyhow::Result<Self> {
        Ok(Self {
            own_scope: found
                .scope
                .sets_org_or_project()
                .then(|| self.scope.clone()),
            found_cards: found.cards,
            // Found skills can do only what the user may do, and cannot replace other names.
            found_skills: found.skills,
            routes: restricted_routes(self.routes, found.routes)?,
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
            sandbox: self.sandbox.restricted_by(&found.sandbox),
            file: found.file,
            ..self
        })
    }

    /// Fails if a found file has settings that only the user may decide on.
    fn refuse_untrusted_settings(&self, file: &Path) -> anyhow::Result<()> {
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
                "services",
                !self.services.is_empty(),
                "choose where your secrets are sent",
            ),
            (
                "store",
                self.store.is_some(),
                "choose where your capabilities are stored",
            ),
            (
                "sandbox.isolation",
                self.sandbox.isolation.is_some(),
                "choose how code is isolated",
            ),
            ("scope.user", self.scope.user.is_some(), "say who you are"),
            (
                "search",
                self.search != SearchConfig::default(),
                "choose who sees your searches",
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
            .with_context(|| format!("the configuration `{}` is invalid", file.display()))?;
        config.sandbox.check(file)?;
        config.search.check(file)?;
        config.services.check(file)?;
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
        config.services.resolve_folders(folder);
        config.store = config.store.map(|store| folder.join(store));
        let minilm = config.search.minilm;
        config.search.minilm = minilm.map(|minilm| folder.join(minilm));
        config.file = Some(file.to_owned());
        Ok(config)
    }
}
