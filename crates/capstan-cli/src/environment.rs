//! The process's environment, read once. Nothing else reads variables.

use std::ffi::OsString;
use std::path::PathBuf;

use capstan_core::Secret;

/// What the variables say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The token and the name of the variable that holds it.
    pub token: Option<(&'static str, Secret)>,
    /// The same for hosts other than github.com.
    pub enterprise_token: Option<(&'static str, Secret)>,
    pub host: Option<String>,
    pub api_url: Option<String>,
    pub graphql_url: Option<String>,
    /// A `gh` other than the one on the path.
    pub gh_program: Option<PathBuf>,
    pub path: OsString,
    pub home: Option<PathBuf>,
    pub config_dir: Option<PathBuf>,
    pub log: Option<String>,
}

impl Environment {
    pub(crate) fn read() -> Self {
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        Self {
            token: first_secret(&["GH_TOKEN", "GITHUB_TOKEN"]),
            enterprise_token: first_secret(&["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]),
            host: text("GH_HOST"),
            api_url: text("GITHUB_API_URL"),
            graphql_url: text("GITHUB_GRAPHQL_URL"),
            gh_program: path("CAPSTAN_GH"),
            path: raw("PATH").unwrap_or_default(),
            config_dir: path("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config"))),
            home,
            log: text("CAPSTAN_LOG"),
        }
    }

    /// Every secret there is, so that none of them is ever printed.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let tokens = self.token.iter().chain(&self.enterprise_token);
        tokens.map(|(_, secret)| secret.clone()).collect()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this module owns the environment"
)]
fn raw(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn path(name: &str) -> Option<PathBuf> {
    raw(name).map(PathBuf::from)
}

fn text(name: &str) -> Option<String> {
    raw(name)?.into_string().ok()
}

fn first_secret(names: &[&'static str]) -> Option<(&'static str, Secret)> {
    names
        .iter()
        .find_map(|name| Some((*name, Secret::new(text(name)?))))
}
