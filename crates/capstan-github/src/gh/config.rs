//! Which `gh` to run and how, and what can be asked of it without a network.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use capstan_core::Secret;
use tokio::process::Command;

use super::process::{self, End};
use crate::host::GithubHost;

/// Asking `gh` for its token or version takes milliseconds; a keychain may ask a person.
const LOCAL_QUESTION: Duration = Duration::from_secs(10);

/// How to run `gh`.
#[derive(Clone, Debug)]
pub struct GhConfig {
    /// Where it is; `None` when it is not installed. See [`find_program`].
    pub program: Option<PathBuf>,
    /// The GitHub to talk to, such as `github.com`.
    pub host: GithubHost,
    /// Set for `gh` beside the inherited environment, for instance `GH_CONFIG_DIR`.
    pub env: Vec<(String, OsString)>,
    /// Used instead of the login that `gh` keeps.
    pub token: Option<Secret>,
    /// Why it must not be used, for instance because it would talk to another GitHub.
    pub refused: Option<String>,
}

/// The first executable file of that name in the folders of a `PATH`.
pub fn find_program(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file))
}

/// The token that `gh` keeps for the host.
pub async fn gh_token(config: &GhConfig) -> Option<Secret> {
    if config.refused.is_some() {
        return None;
    }
    let host = config.host.to_string();
    let args = ["auth", "token", "--hostname", &host];
    let token = ask(config, &args).await?;
    let token = token.trim();
    (!token.is_empty()).then(|| Secret::new(token))
}

/// What `gh --version` says, such as `2.103.3`.
pub async fn gh_version(config: &GhConfig) -> Option<String> {
    let text = ask(config, &["--version"]).await?;
    let version = text.split_whitespace().nth(2)?;
    Some(version.to_owned())
}

impl GhConfig {
    /// Why it cannot be run, if so.
    pub(super) fn obstacle(&self) -> Option<String> {
        if let Some(why) = &self.refused {
            return Some(why.clone());
        }
        match &self.program {
            None => Some("`gh` is not installed: see https://cli.github.com".to_owned()),
            Some(program) if !is_executable(program) => {
                Some(format!("`{}` is not an executable file", program.display()))
            }
            Some(_) => None,
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the module that starts `gh`"
    )]
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env("GH_PROMPT_DISABLED", "1")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("NO_COLOR", "1")
            .env("GH_PAGER", "cat")
            // Always: with a single login elsewhere `gh` would quietly go there.
            .env("GH_HOST", self.host.to_string())
            .env_remove("CLICOLOR_FORCE")
            .env_remove("GH_FORCE_TTY")
            // It would write tokens to standard error.
            .env_remove("GH_DEBUG")
            .env_remove("DEBUG");
        let variables = TokenVariables::for_host(&self.host);
        for other in variables.of_other_hosts {
            command.env_remove(other);
        }
        if let Some(token) = &self.token {
            command.env(variables.own, token.expose());
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// The variables that `gh` reads tokens from.
struct TokenVariables {
    own: &'static str,
    /// `gh` is not even shown the tokens of other hosts: in Codespaces it would send them.
    of_other_hosts: [&'static str; 2],
}

impl TokenVariables {
    /// `gh` reads tokens for Enterprise servers from variables of their own.
    fn for_host(host: &GithubHost) -> Self {
        if host.is_enterprise_server() {
            Self {
                own: "GH_ENTERPRISE_TOKEN",
                of_other_hosts: ["GH_TOKEN", "GITHUB_TOKEN"],
            }
        } else {
            Self {
                own: "GH_TOKEN",
                of_other_hosts: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
            }
        }
    }
}

/// Standard output of a local question, if `gh` could answer it.
async fn ask(config: &GhConfig, args: &[&str]) -> Option<String> {
    let program = config.program.as_deref()?;
    let mut command = config.command(program);
    command.args(args);
    let run = process::run(command, None, Instant::now() + LOCAL_QUESTION)
        .await
        .ok()?;
    (run.end == End::Exited(Some(0)))
        .then(|| String::from_utf8(run.stdout).ok())
        .flatten()
}

fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
