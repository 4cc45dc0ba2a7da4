//! The configuration file: which cards to add, which routes to use, which GitHub to talk to.

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
    /// The file it was read from.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// It merely lay in the current folder, which anybody may have written.
    #[serde(skip)]
    pub found: bool,
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
                    if config.host.is_some() && !is_users {
                        bail!(
                            "`host` in `{}` is refused: a folder cannot choose where your token is sent; \
                             set GH_HOST, or put it into your own configuration, or name this file with --config",
                            file.display()
                        );
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

    fn parse(text: &str, file: &Path) -> anyhow::Result<Self> {
        let mut config: Config = toml::from_str(text)
            .with_context(|| format!("the configuration `{}` is malformed", file.display()))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        config.cards = config
            .cards
            .iter()
            .map(|cards| folder.join(cards))
            .collect();
        config.file = Some(file.to_owned());
        Ok(config)
    }
}
