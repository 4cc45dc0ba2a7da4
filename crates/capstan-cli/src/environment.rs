//! The process's environment, read once. Nothing else reads variables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use capstan_core::Secret;

/// The variables that hold tokens of a GitHub. Which GitHub they belong to is decided where the
/// host is known.
const TOKENS: [&str; 4] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
];

/// What the variables say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// Every token of a GitHub, with the variable that holds it.
    pub tokens: Vec<(&'static str, Secret)>,
    /// What callers of `serve` must show.
    pub server_token: Option<Secret>,
    pub host: Option<String>,
    pub api_url: Option<String>,
    pub graphql_url: Option<String>,
    /// A `gh` other than the one on the path.
    pub gh_program: Option<PathBuf>,
    pub path: OsString,
    pub home: Option<PathBuf>,
    pub config_dir: Option<PathBuf>,
    /// Where programs keep what they remember.
    pub data_dir: Option<PathBuf>,
    pub log: Option<String>,
    /// An AI agent started us: it reads text, not tables or JSON.
    pub is_agent: bool,
}

/// Variables that the shells of agents set: Claude Code, Codex, Gemini CLI, Cursor, opencode, Copilot CLI, VS Code, Amp,
/// and what several agree on.
const AGENTS: [&str; 10] = [
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
            tokens: TOKENS.into_iter().filter_map(secret).collect(),
            server_token: text("CAPSTAN_TOKEN").map(Secret::new),
            host: text("GH_HOST"),
            api_url: text("GITHUB_API_URL"),
            graphql_url: text("GITHUB_GRAPHQL_URL"),
            gh_program: path("CAPSTAN_GH"),
            path: raw("PATH").unwrap_or_default(),
            data_dir: data_dir(home.as_deref()),
            config_dir: path("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config"))),
            home,
            log: text("CAPSTAN_LOG"),
            is_agent: AGENTS.iter().any(|name| text(name).is_some()),
        }
    }

    /// Every variable, for the entries of servers that name some.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let texts = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(texts).collect()
    }

    /// One that the configuration names.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        text(name)
    }

    /// The first of these variables that holds a token, and the token.
    pub(crate) fn first_token(&self, names: &[&str]) -> Option<&(&'static str, Secret)> {
        let held = |name: &&str| self.tokens.iter().find(|(known, _)| known == name);
        names.iter().find_map(held)
    }

    /// Every secret there is, so that none of them is ever printed.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let tokens = self.tokens.iter().map(|(_, secret)| secret);
        tokens.chain(&self.server_token).cloned().collect()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this module owns the environment"
)]
fn raw(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// As the platform has it; `XDG_DATA_HOME` counts everywhere.
fn data_dir(home: Option<&Path>) -> Option<PathBuf> {
    let usual = || {
        let home = home?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => path("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData/Local")),
            _ => home.join(".local/share"),
        })
    };
    // The specification says that a relative path is to be ignored.
    let named = path("XDG_DATA_HOME").filter(|path| path.is_absolute());
    named.or_else(usual)
}

fn path(name: &str) -> Option<PathBuf> {
    raw(name).map(PathBuf::from)
}

fn text(name: &str) -> Option<String> {
    raw(name)?.into_string().ok()
}

fn secret(name: &'static str) -> Option<(&'static str, Secret)> {
    Some((name, Secret::new(text(name)?)))
}
