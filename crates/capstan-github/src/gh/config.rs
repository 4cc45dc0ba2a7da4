//! Which `gh` to run and how, and the questions that it answers without a network.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use capstan_core::Secret;
use tokio::process::Command;

use super::process::{self, ProcessEnd};
use crate::host::GithubHost;

/// The time limit for the token or the version. `gh` usually needs milliseconds, but a keychain may
/// ask a person.
const LOCAL_QUERY_TIMEOUT: Duration = Duration::from_secs(10);

/// How to run `gh`.
#[derive(Clone, Debug)]
pub struct GhConfig {
    /// The path of the program; `None` if it is not installed. See [`find_program`].
    pub program: Option<PathBuf>,
    /// The GitHub to talk to, such as `github.com`.
    pub host: GithubHost,
    /// Environment variables for `gh` in addition to the inherited ones, for instance
    /// `GH_CONFIG_DIR`.
    pub env: Vec<(String, OsString)>,
    /// The token to use instead of the login that `gh` keeps.
    pub token: Option<Secret>,
    /// Why `gh` must not be used, for instance because it would talk to another GitHub.
    pub refused: Option<String>,
}

/// Finds the first executable file of that name in the absolute folders of a `PATH`.
pub fn find_program(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file))
}

/// Asks `gh` for the token that it keeps for the host.
pub async fn gh_token(config: &GhConfig) -> Option<Secret> {
    if config.refused.is_some() {
        return None;
    }
    let host = config.host.to_string();
    let args = ["auth", "token", "--hostname", &host];
    let token = query_gh(config, &args).await?;
    let token = token.trim();
    (!token.is_empty()).then(|| Secret::new(token))
}

/// Asks `gh` for its version, such as `2.103.3`.
pub async fn gh_version(config: &GhConfig) -> Option<String> {
    let text = query_gh(config, &["--version"]).await?;
    let version = text.split_whitespace().nth(2)?;
    Some(version.to_owned())
}

impl GhConfig {
    /// Returns why `gh` cannot be run; `None` if it can.
    pub(super) fn unusable_reason(&self) -> Option<String> {
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
            // Always set: with a single login for another host, `gh` would silently use that host.
            .env("GH_HOST", self.host.to_string())
            .env_remove("CLICOLOR_FORCE")
            .env_remove("GH_FORCE_TTY")
            // It makes `gh` write tokens to standard error.
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

/// The environment variables from which `gh` reads tokens.
struct TokenVariables {
    own: &'static str,
    /// The variables of other hosts. They are removed, because in Codespaces `gh` would send those
    /// tokens.
    of_other_hosts: [&'static str; 2],
}

impl TokenVariables {
    /// Returns the variables for a host. Enterprise servers have variables of their own.
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

/// Runs a local query and returns its standard output; `None` if `gh` failed.
async fn query_gh(config: &GhConfig, args: &[&str]) -> Option<String> {
    let program = config.program.as_deref()?;
    let mut command = config.command(program);
    command.args(args);
    let run = process::run(command, None, Instant::now() + LOCAL_QUERY_TIMEOUT)
        .await
        .ok()?;
    (run.end == ProcessEnd::Exited(Some(0)))
        .then(|| String::from_utf8(run.stdout).ok())
        .flatten()
}

fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
