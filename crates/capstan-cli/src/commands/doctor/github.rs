//! How GitHub is reached, and which routes are ready.

use capstan_core::port::Preflight;
use capstan_github::gh_version;
use serde::Serialize;

use crate::config::Config;
use crate::output::{DIM, ERROR, GOOD, NAME, Printer};
use crate::wiring::Wired;

#[derive(Serialize)]
pub(super) struct GithubReport {
    host: String,
    api_url: String,
    graphql_url: String,
    token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    gh: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gh_version: Option<String>,
}

#[derive(Serialize)]
pub(super) struct RouteReport {
    route: &'static str,
    pub(super) ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl GithubReport {
    pub(super) async fn of(wired: &Wired) -> Self {
        let connection = &wired.connection;
        let program = connection.gh.program.as_ref();
        Self {
            host: connection.endpoint.host.clone(),
            api_url: connection.endpoint.api_url.to_string(),
            graphql_url: connection.endpoint.graphql_url.to_string(),
            token: connection.token_source.clone(),
            gh: program.map(|program| program.display().to_string()),
            gh_version: gh_version(&connection.gh).await,
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let gh = match (&self.gh, &self.gh_version) {
            (Some(path), Some(version)) => format!("{version} at {path}"),
            (Some(path), None) => format!("{path} does not answer to --version"),
            (None, _) => "not found".to_owned(),
        };
        printer.fact("GitHub", &format!("{} ({})", self.host, self.api_url));
        printer.fact("token", &format!("from {}", self.token));
        printer.fact("gh", &gh);
    }
}

impl RouteReport {
    pub(super) async fn all(wired: &Wired, config: &Config) -> Vec<Self> {
        let routes = wired.capstan.preflight().await.into_iter();
        let report = |(route, preflight)| {
            let allowed = config.routes.as_ref();
            let off = allowed.is_some_and(|allowed| !allowed.contains(&route));
            let why = match preflight {
                _ if off => Some("switched off in the configuration".to_owned()),
                Preflight::Ready => None,
                Preflight::NotReady(why) => Some(why),
            };
            Self {
                route: route.as_str(),
                ready: why.is_none(),
                why,
            }
        };
        routes.map(report).collect()
    }

    pub(super) fn print(&self, printer: &Printer) {
        state(printer, self.route, self.why.as_deref().map_or(Ok(""), Err));
    }
}

/// One thing that is ready, or why it is not.
pub(super) fn state(printer: &Printer, name: &str, state: Result<&str, &str>) {
    let line = match state {
        Ok("") => format!("{GOOD}ready{GOOD:#}   {NAME}{name}{NAME:#}"),
        Ok(how) => format!("{GOOD}ready{GOOD:#}   {NAME}{name}{NAME:#} {DIM}{how}{DIM:#}"),
        Err(why) => format!("{ERROR}not yet{ERROR:#} {NAME}{name}{NAME:#}: {why}"),
    };
    printer.line(line);
}
