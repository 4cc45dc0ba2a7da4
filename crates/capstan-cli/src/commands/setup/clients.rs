//! The clients: where each keeps its configuration and its skills, and in which format.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use serde::Serialize;

use super::client_folders::ClientFolders;
use super::existing::Merged;
use super::merge::{self, EntryFormat, LaunchCommand};
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
pub(super) enum SetupScope {
    /// This folder
    Project,
    /// All your folders
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

    /// Returns the scopes that the client supports, its usual one first.
    fn scopes(self) -> &'static [SetupScope] {
        match self {
            Client::Claude | Client::Cursor | Client::VsCode => {
                &[SetupScope::Project, SetupScope::User]
            }
            Client::Codex | Client::Gemini | Client::Opencode | Client::Copilot => {
                &[SetupScope::User, SetupScope::Project]
            }
            Client::ClaudeDesktop | Client::Windsurf | Client::Zed => &[SetupScope::User],
        }
    }

    /// Returns the scope to use. Fails if the client does not support the one that was asked for.
    pub(super) fn scope(self, asked: Option<SetupScope>) -> anyhow::Result<SetupScope> {
        match asked {
            None => Ok(self.scopes().first().copied().unwrap_or(SetupScope::User)),
            Some(scope) if self.scopes().contains(&scope) => Ok(scope),
            Some(_) => bail!(
                "{} has no configuration for a project: leave `--scope` out, or name a file with `--path`",
                self.name()
            ),
        }
    }

    /// Returns the scope to use for a skill. Every client that has skills supports both scopes.
    pub(super) fn skill_scope(self, asked: Option<SetupScope>) -> SetupScope {
        let default = self.scopes().first().copied();
        asked.or(default).unwrap_or(SetupScope::User)
    }

    /// Returns the configuration file of the client. Fails if the home folder is unknown.
    pub(super) fn file(
        self,
        scope: SetupScope,
        folders: &ClientFolders,
    ) -> anyhow::Result<PathBuf> {
        let here = |path: &str| Some(folders.current_dir.join(path));
        let below =
            |folder: &Option<PathBuf>, path: &str| folder.as_ref().map(|folder| folder.join(path));
        let file = match (self, scope) {
            (Client::Claude, SetupScope::Project) => here(".mcp.json"),
            (Client::Claude, SetupScope::User) => below(&folders.claude_dir, ".claude.json"),
            (Client::ClaudeDesktop, _) => {
                below(&folders.app_dir, "Claude/claude_desktop_config.json")
            }
            (Client::Cursor, SetupScope::Project) => here(".cursor/mcp.json"),
            (Client::Cursor, SetupScope::User) => below(&folders.home, ".cursor/mcp.json"),
            (Client::Codex, SetupScope::Project) => here(".codex/config.toml"),
            (Client::Codex, SetupScope::User) => below(&folders.codex_home, "config.toml"),
            (Client::VsCode, SetupScope::Project) => here(".vscode/mcp.json"),
            (Client::VsCode, SetupScope::User) => below(&folders.app_dir, "Code/User/mcp.json"),
            (Client::Gemini, SetupScope::Project) => here(".gemini/settings.json"),
            (Client::Gemini, SetupScope::User) => below(&folders.home, ".gemini/settings.json"),
            (Client::Windsurf, _) => below(&folders.home, ".codeium/windsurf/mcp_config.json"),
            (Client::Zed, _) if cfg!(windows) => below(&folders.app_dir, "Zed/settings.json"),
            (Client::Zed, _) => below(&folders.config_dir, "zed/settings.json"),
            (Client::Opencode, SetupScope::Project) => {
                here("opencode.json").map(|it| with_comments(&it))
            }
            (Client::Opencode, SetupScope::User) => {
                below(&folders.config_dir, "opencode/opencode.json").map(|it| with_comments(&it))
            }
            (Client::Copilot, SetupScope::Project) => here(".github/mcp.json"),
            (Client::Copilot, SetupScope::User) => below(&folders.copilot_home, "mcp-config.json"),
        };
        file.context(UNKNOWN_HOME)
    }

    /// Returns the file of Capstan's Agent Skill, or `None` for a client that reads no skills from files.
    pub(super) fn skill_file(
        self,
        scope: SetupScope,
        folders: &ClientFolders,
    ) -> Option<anyhow::Result<PathBuf>> {
        let (in_project, home, in_home) = match self {
            Client::ClaudeDesktop => return None,
            Client::Claude => (".claude/skills", &folders.claude_home, "skills"),
            Client::Cursor => (".cursor/skills", &folders.home, ".cursor/skills"),
            // Codex still reads `$CODEX_HOME/skills`, but calls it deprecated.
            Client::Codex | Client::Zed => (".agents/skills", &folders.home, ".agents/skills"),
            Client::VsCode => (".github/skills", &folders.home, ".copilot/skills"),
            Client::Copilot => (".github/skills", &folders.copilot_home, "skills"),
            Client::Gemini => (".gemini/skills", &folders.home, ".gemini/skills"),
            Client::Opencode => (".opencode/skills", &folders.config_dir, "opencode/skills"),
            Client::Windsurf => (
                ".windsurf/skills",
                &folders.home,
                ".codeium/windsurf/skills",
            ),
        };
        let folder = match scope {
            SetupScope::Project => Some(folders.current_dir.join(in_project)),
            SetupScope::User => home.as_ref().map(|home| home.join(in_home)),
        };
        let file = folder.map(|folder| folder.join(skill::NAME).join(skill::FILE));
        Some(file.context(UNKNOWN_HOME))
    }

    /// Whether the commands of the skill need `--format view`. The shells of Windsurf and Zed set no variable that
    /// distinguishes an agent from a person, and Codex shares its skill folders with Zed.
    pub(super) fn needs_view_flag(self) -> bool {
        matches!(self, Client::Codex | Client::Windsurf | Client::Zed)
    }

    /// Returns the text of the client's file with Capstan's entry added or updated.
    pub(super) fn merge(self, text: &str, launch: LaunchCommand<'_>) -> anyhow::Result<Merged> {
        // Editors on Windows write a byte order mark, which is kept like everything else in the file.
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

    fn merge_text(self, text: &str, launch: LaunchCommand<'_>) -> anyhow::Result<Merged> {
        let entry = |entry: EntryFormat| merge::json(text, entry, launch);
        match self {
            Client::Claude | Client::ClaudeDesktop | Client::Cursor | Client::Windsurf => {
                entry(EntryFormat::new("mcpServers"))
            }
            Client::Gemini => entry(EntryFormat::new("mcpServers").passing_variables()),
            Client::Copilot => entry(
                EntryFormat::new("mcpServers")
                    .with_type("local")
                    .with_all_tools()
                    .passing_variables(),
            ),
            Client::VsCode => entry(EntryFormat::new("servers").with_type("stdio")),
            Client::Zed => entry(EntryFormat::new("context_servers")),
            Client::Opencode => entry(
                EntryFormat::new("mcp")
                    .with_type("local")
                    .with_one_command(),
            ),
            Client::Codex => merge::toml(text, launch),
        }
    }

    /// Returns what the user has to do besides changing the file.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Client::Codex => Some(
                "Codex clears the environment of its servers: `env_vars` names the variables to pass on. \
                 The token comes from there, or from `gh auth login`.",
            ),
            Client::ClaudeDesktop => Some(
                "Claude Desktop passes on hardly any variables: log in with `gh auth login`, so \
                 that its file needs no token.",
            ),
            Client::Gemini | Client::Copilot => Some(
                "This client passes on only the variables in `env`, which are those that are set now. \
                 If none of them is a token, log in with `gh auth login`.",
            ),
            _ => None,
        }
    }
}

const UNKNOWN_HOME: &str = "the home folder is unknown: name the file with --path";

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns the `.jsonc` file if only that exists: opencode reads both.
fn with_comments(file: &Path) -> PathBuf {
    let commented = file.with_extension("jsonc");
    if !file.exists() && commented.exists() {
        commented
    } else {
        file.to_owned()
    }
}
