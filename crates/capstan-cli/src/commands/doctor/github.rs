//! How GitHub is reached, and which routes are ready: this machine is, the token is valid, GitHub answers.

use capstan_core::code::Timestamp;
use capstan_core::port::{Preflight, RouteAdapter};
use capstan_core::{ErrorCode, Route, date};
use capstan_github::gh_version;
use futures_util::future::join_all;
use serde::Serialize;

use super::advice::what_to_do;
use super::remote::{self, Remote};
use crate::config::Config;
use crate::output::{DIM, ERROR, GOOD, NAME, Printer, harmless, wrapped};
use crate::wiring::Engine;

/// What stands before the name of a part.
const BEFORE_STATE: usize = 8;

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
    /// What the failure of the one request means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<ErrorCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    login: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetReport>,
    /// Who answered, if anybody was asked.
    #[serde(skip)]
    pub(super) remote: Option<Remote>,
}

#[derive(Serialize)]
struct BudgetReport {
    limit: u64,
    remaining: u64,
    resets_at: String,
}

impl GithubReport {
    pub(super) async fn of(engine: &Engine) -> Self {
        let connection = &engine.connection;
        let program = connection.gh.program.as_ref();
        Self {
            host: connection.endpoint.host.to_string(),
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
    /// All routes at the same time. With `offline`, only what this machine knows.
    pub(super) async fn all(engine: &Engine, config: &Config, offline: bool) -> Vec<Self> {
        let adapters = engine.adapters.iter();
        let reports = adapters.map(|adapter| Self::of(adapter.as_ref(), config, offline));
        join_all(reports).await
    }

    async fn of(adapter: &dyn RouteAdapter, config: &Config, offline: bool) -> Self {
        let route = adapter.route();
        let allowed = config.routes.as_ref();
        if allowed.is_some_and(|allowed| !allowed.contains(&route)) {
            return Self::not_ready(route, "switched off in the configuration".to_owned(), None);
        }
        if let Preflight::NotReady(why) | Preflight::Unavailable(why) = adapter.preflight().await {
            return Self::not_ready(route, why, None);
        }
        if offline {
            return Self::ready(route, None);
        }
        match remote::ask(adapter).await {
            Ok(remote) => Self::ready(route, Some(remote)),
            Err(failure) => {
                let error = &failure.error;
                let why = format!("{}; {}", error.message, what_to_do(error));
                Self::not_ready(route, why, Some(error.code))
            }
        }
    }

    fn ready(route: Route, remote: Option<Remote>) -> Self {
        let budget = remote.as_ref().and_then(|remote| remote.token.budget);
        Self {
            route: route.as_str(),
            ready: true,
            why: None,
            code: None,
            login: remote.as_ref().and_then(|remote| remote.login.clone()),
            budget: budget.map(|budget| BudgetReport {
                limit: budget.limit,
                remaining: budget.remaining,
                resets_at: date::rfc3339(milliseconds(budget.resets_at)),
            }),
            remote,
        }
    }

    fn not_ready(route: Route, why: String, code: Option<ErrorCode>) -> Self {
        Self {
            route: route.as_str(),
            ready: false,
            why: Some(why),
            code,
            login: None,
            budget: None,
            remote: None,
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let how = match &self.budget {
            Some(budget) => {
                let resets_at = &budget.resets_at;
                let minute = date::minutes(resets_at).unwrap_or_else(|| resets_at.clone());
                format!(
                    "{} of {} left until {minute} UTC",
                    budget.remaining, budget.limit,
                )
            }
            None => String::new(),
        };
        state(
            printer,
            self.route,
            self.why.as_deref().map_or(Ok(&how), Err),
        );
    }
}

/// GitHub counts seconds since 1970.
fn milliseconds(seconds: u64) -> Timestamp {
    Timestamp::try_from(seconds).map_or(Timestamp::MAX, |it| it.saturating_mul(1000))
}

/// One thing that is ready, or why it is not. Some of the words are those of a server.
pub(super) fn state(printer: &Printer, name: &str, state: Result<&str, &str>) {
    let state = state
        .map(|how| harmless(how).into_owned())
        .map_err(|why| wrapped(&harmless(why), BEFORE_STATE));
    let state = state.as_deref().map_err(String::as_str);
    let line = match state {
        Ok("") => format!("{GOOD}ready{GOOD:#}   {NAME}{name}{NAME:#}"),
        Ok(how) => format!("{GOOD}ready{GOOD:#}   {NAME}{name}{NAME:#} {DIM}{how}{DIM:#}"),
        Err(why) => format!("{ERROR}not yet{ERROR:#} {NAME}{name}{NAME:#}: {why}"),
    };
    printer.line(line);
}
