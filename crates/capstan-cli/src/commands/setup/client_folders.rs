//! The folders of this machine in which clients keep their files.

use std::path::PathBuf;

use crate::environment::Environment;

/// The variables from which Capstan reads a token or an address.
const VARIABLES: [&str; 7] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GH_HOST",
    "GITHUB_API_URL",
    "GITHUB_GRAPHQL_URL",
];

/// The folders in which clients keep their files. A folder is `None` if the home folder is unknown.
#[derive(Clone, Debug)]
pub(super) struct ClientFolders {
    pub(super) current_dir: PathBuf,
    pub(super) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, else `~/.config`.
    pub(super) config_dir: Option<PathBuf>,
    /// The settings folder of desktop applications, which depends on the platform.
    pub(super) app_dir: Option<PathBuf>,
    pub(super) codex_home: Option<PathBuf>,
    pub(super) copilot_home: Option<PathBuf>,
    /// The folder of `.claude.json`.
    pub(super) claude_dir: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub(super) claude_home: Option<PathBuf>,
    pub(super) token_variables: TokenVariables,
}

/// The names of variables for tokens and addresses, without their values.
#[derive(Clone, Debug)]
pub(super) struct TokenVariables {
    pub(super) all: Vec<&'static str>,
    /// Those that are set now. Clients that expand `${NAME}` would pass on the literal text for any other.
    pub(super) set: Vec<&'static str>,
}

impl ClientFolders {
    pub(super) fn from_environment(environment: &Environment, current_dir: PathBuf) -> Self {
        let folder = |name: &str| environment.variable(name).map(PathBuf::from);
        let home = environment.home.clone();
        let in_home = |path: &str| home.as_ref().map(|home| home.join(path));
        let app_dir = match std::env::consts::OS {
            "macos" => in_home("Library/Application Support"),
            "windows" => folder("APPDATA").or_else(|| in_home("AppData/Roaming")),
            _ => environment.config_dir.clone(),
        };
        let is_set = |name: &&'static str| environment.variable(name).is_some();
        Self {
            current_dir,
            config_dir: environment.config_dir.clone(),
            app_dir,
            codex_home: folder("CODEX_HOME").or_else(|| in_home(".codex")),
            copilot_home: folder("COPILOT_HOME").or_else(|| in_home(".copilot")),
            claude_dir: folder("CLAUDE_CONFIG_DIR").or_else(|| home.clone()),
            claude_home: folder("CLAUDE_CONFIG_DIR").or_else(|| in_home(".claude")),
            token_variables: TokenVariables {
                all: VARIABLES.to_vec(),
                set: VARIABLES.into_iter().filter(is_set).collect(),
            },
            home,
        }
    }
}
