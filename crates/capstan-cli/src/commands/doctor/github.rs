//! How GitHub is reached, and which routes are ready. A route is ready if this machine can use it, the token is
//! valid, and GitHub answers.

use capstan_core::code::Timestamp;
use capstan_core::port::{Preflight, RouteAdapter};
use capstan_core::{ErrorCode, Route, date};
use capstan_github::gh_version;
use futures_util::future::join_all;
use serde::Serialize;

use super::advice::advice_for;
use super::token_owner::{self, TokenOwner};
use crate::config::Config;
use crate::output::{DIM, ERROR, GOOD, NAME, Printer, sanitize, wrapped};
use crate::wiring::Engine;

/// The column in which the name of a part begins.
const STATUS_COLUMN: usize = 8;

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
    /// The error code of the request, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<ErrorCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    login: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetReport>,
    /// What GitHub answered, if it was asked.
    #[serde(skip)]
    pub(super) token_owner: Option<TokenOwner>,
}

#[derive(Serialize)]
struct BudgetReport {
    limit: u64,
    remaining: u64,
    resets_at: String,
}

impl GithubReport {
    pub(super) async fn collect(engine: &Engine) -> Self {
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
            (Some(path), None) => format!("{path}, which does not support --version"),
            (None, _) => "not found".to_owned(),
        };
        printer.field("GitHub", &format!("{} ({})", self.host, self.api_url));
        printer.field("token", &format!("from {}", self.token));
        printer.field("gh", &gh);
    }
}

impl RouteReport {
    /// Checks all routes at the same time. With `offline`, nothing is sent.
    pub(super) async fn collect_all(engine: &Engine, config: &Config, offline: bool) -> Vec<Self> {
        let adapters = engine.adapters.iter();
        let reports = adapters.map(|adapter| Self::check(adapter.as_ref(), config, offline));
        join_all(reports).await
    }

    async fn check(adapter: &dyn RouteAdapter, config: &Config, offline: bool) -> Self {
        let route = adapter.route();
        let allowed = config.routes.as_ref();
        if allowed.is_some_and(|allowed| !allowed.contains(&route)) {
            return Self::not_ready(
                route,
                "disabled by `routes` in the configuration".to_owned(),
                None,
            );
        }
        if let Preflight::NotReady(why) | Preflight::Unavailable(why) = adapter.preflight().await {
            return Self::not_ready(route, why, None);
        }
        if offline {
            return Self::ready(route, None);
        }
        match token_owner::ask(adapter).await {
            Ok(token_owner) => Self::ready(route, Some(token_owner)),
            Err(failure) => {
                let error = &failure.error;
                let why = format!("{}; {}", error.message, advice_for(error));
                Self::not_ready(route, why, Some(error.code))
            }
        }
    }

    fn ready(route: Route, token_owner: Option<TokenOwner>) -> Self {
        let budget = token_owner
            .as_ref()
            .and_then(|token_owner| token_owner.token.budget);
        Self {
            route: route.as_str(),
            ready: true,
            why: None,
            code: None,
            login: token_owner
                .as_ref()
                .and_then(|token_owner| token_owner.login.clone()),
            budget: budget.map(|budget| BudgetReport {
                limit: budget.limit,
                remaining: budget.remaining,
                resets_at: date::rfc3339(milliseconds(budget.resets_at)),
            }),
            token_owner,
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
            token_owner: None,
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
        print_status(
            printer,
            self.route,
            self.why.as_deref().map_or(Ok(&how), Err),
        );
    }
}

/// Converts GitHub's seconds since 1970 to milliseconds.
fn milliseconds(seconds: u64) -> Timestamp {
    Timestamp::try_from(seconds).map_or(Timestamp::MAX, |it| it.saturating_mul(1000))
}

/// Prints whether a part is ready, with details, or the reason why it is not. Servers supply some of the text, so it
/// is made safe for terminals.
pub(super) fn print_status(printer: &Printer, name: &str, state: Result<&str, &str>) {
    let line = match state {
        Ok("") => format!("{GOOD}ready{GOOD:#}   {NAME}{name}{NAME:#}"),
        Ok(how) => {
            let how = sanitize(how);
            format!("{GOOD}ready{GOOD:#}   {NAME}{name}{NAME:#} {DIM}{how}{DIM:#}")
        }
        Err(why) => {
            let why = wrapped(&sanitize(why), STATUS_COLUMN);
            format!("{ERROR}not yet{ERROR:#} {NAME}{name}{NAME:#}: {why}")
        }
    };
    printer.line(line);
}
