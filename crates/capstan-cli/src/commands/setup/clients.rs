//! The clients: where each keeps its configuration and its skills, and in which form.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use serde::Serialize;

use super::existing::Merged;
use super::merge::{self, Entry, Launch};
use super::places::Places;
use super::skill;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    /// Claude Code: .mcp.json in this folder, or ~/.claude.json
    Claude,
    /// Claude Desktop: claude_desktop_config.json
    ClaudeDesktop,
    /// Cursor: .cursor/mcp.json in this folder or your home
    Cursor,
    /// Codex: $CODEX_HOME/config.toml, else ~/.codex/config.toml, or .codex/config.toml in this folder
    Codex,
    /// VS Code: .vscode/mcp.json in this folder, or mcp.json of your profile
    #[value(name = "vscode")]
    VsCode,
    /// Gemini CLI: .gemini/settings.json in your home or this folder
    Gemini,
    /// Windsurf: ~/.codeium/windsurf/mcp_config.json
    Windsurf,
    /// Zed: ~/.config/zed/settings.json
    Zed,
    /// opencode: ~/.config/opencode/opencode.json, or opencode.json in this folder
    Opencode,
    /// Copilot CLI: ~/.copilot/mcp-config.json, or .github/mcp.json in this folder
    Copilot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    /// This folder
    Project,
    /// All folders of yours
    User,
}

impl Client {
    pub(super) fn name(self) -> &'static str {
        match self {
            Client::Claude => "claude",
            Client::ClaudeDesktop => "claude-desktop",
            Client::Cursor => "cursor",
            Client::Codex => "codex",
            Client::VsCode => "vscode",
            Client::Gemini => "gemini",
            Client::Windsurf => "windsurf",
            Client::Zed => "zed",
            Client::Opencode => "opencode",
            Client::Copilot => "copilot",
        }
    }

    /// The scopes that the client has, the usual one first.
    fn scopes(self) -> &'static [Scope] {
        match self {
            Client::Claude | Client::Cursor | Client::VsCode => &[Scope::Project, Scope::User],
            Client::Codex | Client::Gemini | Client::Opencode | Client::Copilot => {
                &[Scope::User, Scope::Project]
            }
            Client::ClaudeDesktop | Client::Windsurf | Client::Zed => &[Scope::User],
        }
    }

    pub(super) fn scope(self, asked: Option<Scope>) -> anyhow::Result<Scope> {
        match asked {
            None => Ok(self.scopes().first().copied().unwrap_or(Scope::User)),
            Some(scope) if self.scopes().contains(&scope) => Ok(scope),
            Some(_) => bail!(
                "{} has no configuration for a project: leave `--scope` out, or name a file with `--path`",
                self.name()
            ),
        }
    }

    /// Every client with skills has them for a project and for the user.
    pub(super) fn skill_scope(self, asked: Option<Scope>) -> Scope {
        let usual = self.scopes().first().copied();
        asked.or(usual).unwrap_or(Scope::User)
    }

    pub(super) fn file(self, scope: Scope, places: &Places) -> anyhow::Result<PathBuf> {
        let here = |path: &str| Some(places.current_dir.join(path));
        let below =
            |folder: &Option<PathBuf>, path: &str| folder.as_ref().map(|folder| folder.join(path));
        let file = match (self, scope) {
            (Client::Claude, Scope::Project) => here(".mcp.json"),
            (Client::Claude, Scope::User) => below(&places.claude_dir, ".claude.json"),
            (Client::ClaudeDesktop, _) => {
                below(&places.app_dir, "Claude/claude_desktop_config.json")
            }
            (Client::Cursor, Scope::Project) => here(".cursor/mcp.json"),
            (Client::Cursor, Scope::User) => below(&places.home, ".cursor/mcp.json"),
            (Client::Codex, Scope::Project) => here(".codex/config.toml"),
            (Client::Codex, Scope::User) => below(&places.codex_home, "config.toml"),
            (Client::VsCode, Scope::Project) => here(".vscode/mcp.json"),
            (Client::VsCode, Scope::User) => below(&places.app_dir, "Code/User/mcp.json"),
            (Client::Gemini, Scope::Project) => here(".gemini/settings.json"),
            (Client::Gemini, Scope::User) => below(&places.home, ".gemini/settings.json"),
            (Client::Windsurf, _) => below(&places.home, ".codeium/windsurf/mcp_config.json"),
            (Client::Zed, _) if cfg!(windows) => below(&places.app_dir, "Zed/settings.json"),
            (Client::Zed, _) => below(&places.config_dir, "zed/settings.json"),
            (Client::Opencode, Scope::Project) => {
                here("opencode.json").map(|it| with_comments(&it))
            }
            (Client::Opencode, Scope::User) => {
                below(&places.config_dir, "opencode/opencode.json").map(|it| with_comments(&it))
            }
            (Client::Copilot, Scope::Project) => here(".github/mcp.json"),
            (Client::Copilot, Scope::User) => below(&places.copilot_home, "mcp-config.json"),
        };
        file.context(UNKNOWN_HOME)
    }

    /// The file of Capstan's Agent Skill, or nothing for a client that reads no skills from files.
    pub(super) fn skill_file(
        self,
        scope: Scope,
        places: &Places,
    ) -> Option<anyhow::Result<PathBuf>> {
        let (in_project, home, in_home) = match self {
            Client::ClaudeDesktop => return None,
            Client::Claude => (".claude/skills", &places.claude_home, "skills"),
            Client::Cursor => (".cursor/skills", &places.home, ".cursor/skills"),
            // Codex still reads `$CODEX_HOME/skills`, but calls it deprecated.
            Client::Codex | Client::Zed => (".agents/skills", &places.home, ".agents/skills"),
            Client::VsCode => (".github/skills", &places.home, ".copilot/skills"),
            Client::Copilot => (".github/skills", &places.copilot_home, "skills"),
            Client::Gemini => (".gemini/skills", &places.home, ".gemini/skills"),
            Client::Opencode => (".opencode/skills", &places.config_dir, "opencode/skills"),
            Client::Windsurf => (".windsurf/skills", &places.home, ".codeium/windsurf/skills"),
        };
        let folder = match scope {
            Scope::Project => Some(places.current_dir.join(in_project)),
            Scope::User => home.as_ref().map(|home| home.join(in_home)),
        };
        let file = folder.map(|folder| folder.join(skill::NAME).join(skill::FILE));
        Some(file.context(UNKNOWN_HOME))
    }

    /// Whether the skill must ask for the text that agents read. The shells of Windsurf and Zed do not say that an agent
    /// started them, and Codex shares its folders with Zed.
    pub(super) fn needs_view_flag(self) -> bool {
        matches!(self, Client::Codex | Client::Windsurf | Client::Zed)
    }

    /// The text of the client's file with Capstan in it.
    pub(super) fn merge(self, text: &str, launch: Launch<'_>) -> anyhow::Result<Merged> {
        // Editors on Windows write a byte order mark. It stays, like everything else that is not ours.
        let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(text) => (BYTE_ORDER_MARK, text),
            None => ("", text),
        };
        let merged = self.merge_text(text, launch)?;
        Ok(Merged {
            text: format!("{mark}{}", merged.text),
            ..merged
        })
    }

    fn merge_text(self, text: &str, launch: Launch<'_>) -> anyhow::Result<Merged> {
        let entry = |entry: Entry| merge::json(text, entry, launch);
        match self {
            Client::Claude | Client::ClaudeDesktop | Client::Cursor | Client::Windsurf => {
                entry(Entry::new("mcpServers"))
            }
            Client::Gemini => entry(Entry::new("mcpServers").passing_variables()),
            Client::Copilot => entry(
                Entry::new("mcpServers")
                    .of_type("local")
                    .with_all_tools()
                    .passing_variables(),
            ),
            Client::VsCode => entry(Entry::new("servers").of_type("stdio")),
            Client::Zed => entry(Entry::new("context_servers")),
            Client::Opencode => entry(Entry::new("mcp").of_type("local").with_one_command()),
            Client::Codex => merge::toml(text, launch),
        }
    }

    /// What the file alone does not settle.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Client::Codex => Some(
                "Codex clears the environment of its servers: `env_vars` names what to pass on. A \
                 token comes from there, or from `gh auth login`.",
            ),
            Client::ClaudeDesktop => Some(
                "Claude Desktop passes hardly any variables on: log in with `gh auth login`, so \
                 that no token has to stand in its file.",
            ),
            Client::Gemini | Client::Copilot => Some(
                "This client passes on only the variables that `env` names: those that are set \
                 now. Without a token among them, log in with `gh auth login`.",
            ),
            _ => None,
        }
    }
}

const UNKNOWN_HOME: &str = "the home folder is not known: say which file with --path";

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// opencode reads both; a file that is there is the one to change.
fn with_comments(file: &Path) -> PathBuf {
    let commented = file.with_extension("jsonc");
    if !file.exists() && commented.exists() {
        commented
    } else {
        file.to_owned()
    }
}
