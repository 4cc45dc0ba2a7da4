//! The environment of the process. No other module reads environment variables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use capstan_core::Secret;

/// The variables that may have a token. Which token belongs to which GitHub is decided in
/// `wiring::connection`, where the host is known.
pub(crate) const TOKEN_VARIABLES: [&str; 4] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
];

/// The values of the environment variables that Capstan reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// Every token, with the name of its variable.
    pub tokens: Vec<(&'static str, Secret)>,
    /// The token that callers of `capstan serve` must send.
    pub server_token: Option<Secret>,
    pub host: Option<String>,
    pub api_url: Option<String>,
    pub graphql_url: Option<String>,
    /// The program to use instead of the `gh` on the `PATH`.
    pub gh_program: Option<PathBuf>,
    pub path: OsString,
    pub home: Option<PathBuf>,
    pub config_dir: Option<PathBuf>,
    /// The folder in which programs keep their data, such as `~/.local/share`.
    pub data_dir: Option<PathBuf>,
    /// The folder for what can be made again, such as `~/.cache`.
    pub cache_dir: Option<PathBuf>,
    pub log: Option<String>,
    /// Whether an AI agent runs this process. An agent gets short text instead of tables or JSON.
    pub is_agent: bool,
}

/// Variables that agents set in their shells: Claude Code, Codex, Gemini CLI, Cursor, opencode, Copilot CLI, VS Code,
/// Amp, and a convention of several.
const AGENT_VARIABLES: [&str; 10] = [
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "CURSOR_AGENT",
    "OPENCODE",
    "COPILOT_CLI",
    "COPILOT_AGENT",
    "AI_AGENT",
    "AGENT",
];

impl Environment {
    pub(crate) fn read() -> Self {
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        Self {
            tokens: TOKEN_VARIABLES.into_iter().filter_map(token_in).collect(),
            server_token: text("CAPSTAN_TOKEN").map(Secret::new),
            host: text("GH_HOST"),
            api_url: text("GITHUB_API_URL"),
            graphql_url: text("GITHUB_GRAPHQL_URL"),
            gh_program: path("CAPSTAN_GH"),
            path: value("PATH").unwrap_or_default(),
            data_dir: data_dir(home.as_deref()),
            cache_dir: cache_dir(home.as_deref()),
            config_dir: path("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config"))),
            home,
            log: text("CAPSTAN_LOG"),
            is_agent: AGENT_VARIABLES.iter().any(|name| text(name).is_some()),
        }
    }

    /// Returns every variable, for the entries of servers that refer to variables. Those that are not Unicode are
    /// left out.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let texts = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(texts).collect()
    }

    /// Returns the value of a variable. `None` if it is empty or not Unicode.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        text(name)
    }

    /// Returns the first of these variables that has a token, with the token.
    pub(crate) fn first_token(&self, names: &[&str]) -> Option<&(&'static str, Secret)> {
        let held = |name: &&str| self.tokens.iter().find(|(known, _)| known == name);
        names.iter().find_map(held)
    }

    /// Returns every secret, so that the redactor can mask it.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let tokens = self.tokens.iter().map(|(_, secret)| secret);
        tokens.chain(&self.server_token).cloned().collect()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this module owns the environment"
)]
fn value(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the data folder of the platform. `XDG_DATA_HOME` overrides it on every platform.
fn data_dir(home: Option<&Path>) -> Option<PathBuf> {
    let platform_folder = || {
        let home = home?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => path("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData/Local")),
            _ => home.join(".local/share"),
        })
    };
    // The XDG specification says to ignore relative paths.
    let named = path("XDG_DATA_HOME").filter(|path| path.is_absolute());
    named.or_else(platform_folder)
}

/// Returns the cache folder of the platform. `XDG_CACHE_HOME` overrides it on every platform.
fn cache_dir(home: Option<&Path>) -> Option<PathBuf> {
    let platform_folder = || {
        let home = home?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Caches"),
            "windows" => path("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData/Local")),
            _ => home.join(".cache"),
        })
    };
    let named = path("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    named.or_else(platform_folder)
}

fn path(name: &str) -> Option<PathBuf> {
    value(name).map(PathBuf::from)
}

fn text(name: &str) -> Option<String> {
    value(name)?.into_string().ok()
}

fn token_in(name: &'static str) -> Option<(&'static str, Secret)> {
    Some((name, Secret::new(text(name)?)))
}
