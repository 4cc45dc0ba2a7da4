//! The configuration file: which cards to add, which routes to use, which GitHub to talk to, which
//! servers there are, whose names are meant, what is allowed.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use capstan_core::Route;
use serde::Deserialize;

use crate::environment::Environment;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Folders with cards, relative to the file.
    pub cards: Vec<PathBuf>,
    /// Routes that may be used; all by default.
    pub routes: Option<Vec<Route>>,
    /// Not in a file that was merely found in the current folder.
    pub host: Option<String>,
    /// Whose names are meant.
    pub scope: ScopeConfig,
    pub policy: PolicyConfig,
    pub sandbox: SandboxConfig,
    /// Downstream MCP servers. Not in a file that was merely found.
    pub servers: Option<toml::Table>,
    /// Files with `mcpServers`, relative to this one. Not in a file that was merely found.
    pub mcp_servers: Vec<PathBuf>,
    /// Where everything is remembered. Not in a file that was merely found.
    pub store: Option<PathBuf>,
    /// The file it was read from.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// It merely lay in the current folder, which anybody may have written.
    #[serde(skip)]
    pub found: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScopeConfig {
    pub org: Option<String>,
    pub project: Option<String>,
    /// Who owns what is private.
    pub user: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PolicyConfig {
    pub read_only: bool,
    pub allow: Vec<String>,
    pub deny: Vec<String>,
}

/// What code may use.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxConfig {
    pub memory_mb: Option<u64>,
    pub cpu_ms: Option<u64>,
    pub output_kb: Option<u64>,
    pub calls: Option<u32>,
    /// How many runs there may be at once.
    pub concurrency: Option<usize>,
    /// `process`, or `thread` where processes cannot be had.
    pub isolation: Option<IsolationConfig>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IsolationConfig {
    Process,
    Thread,
}

impl Config {
    /// The file that was named, else the one in this folder, else the user's. None is fine; a bad
    /// one is not.
    pub(crate) fn load(named: Option<&Path>, environment: &Environment) -> anyhow::Result<Self> {
        if let Some(file) = named {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read the configuration `{}`", file.display()))?;
            return Self::parse(&text, file);
        }
        let here = PathBuf::from("capstan.toml");
        let users = environment
            .config_dir
            .as_ref()
            .map(|dir| dir.join("capstan/config.toml"));
        for (file, is_users) in std::iter::once((here, false)).chain(users.map(|file| (file, true)))
        {
            match std::fs::read_to_string(&file) {
                Ok(text) => {
                    let mut config = Self::parse(&text, &file)?;
                    config.found = !is_users;
                    if !is_users {
                        config.refuse_what_needs_trust(&file)?;
                    }
                    return Ok(config);
                }
                Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {}
                Err(cause) => {
                    return Err(cause).with_context(|| {
                        format!("cannot read the configuration `{}`", file.display())
                    });
                }
            }
        }
        Ok(Self::default())
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
        let folder = file.parent().unwrap_or(Path::new(""));
        config.cards = config
            .cards
            .iter()
            .map(|cards| folder.join(cards))
            .collect();
        config.mcp_servers = config
            .mcp_servers
            .iter()
            .map(|servers| folder.join(servers))
            .collect();
        config.store = config.store.map(|store| folder.join(store));
        config.file = Some(file.to_owned());
        Ok(config)
    }
}
