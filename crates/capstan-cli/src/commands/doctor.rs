//! `capstan doctor`: which routes are ready, and why not. No secrets, no network.

use capstan_core::port::Preflight;
use capstan_github::gh_version;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::output::{DIM, ERROR, GOOD, NAME};
use crate::wiring;

#[derive(Serialize)]
struct Report {
    version: &'static str,
    host: String,
    api_url: String,
    graphql_url: String,
    token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    gh: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gh_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<String>,
    capabilities: usize,
    routes: Vec<RouteReport>,
}

#[derive(Serialize)]
struct RouteReport {
    route: &'static str,
    ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

pub(crate) async fn run(context: &Context) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let catalog = context.catalog(&config);
    let capabilities = catalog.iter().count();
    let wired = wiring::wire(&context.global, &config, &context.environment, catalog).await?;
    let allowed = config.routes.clone();
    let routes: Vec<_> = wired
        .capstan
        .preflight()
        .await
        .into_iter()
        .map(|(route, preflight)| {
            let off = allowed
                .as_ref()
                .is_some_and(|allowed| !allowed.contains(&route));
            let why = match preflight {
                _ if off => Some("switched off in the configuration".to_owned()),
                Preflight::Ready => None,
                Preflight::NotReady(why) => Some(why),
            };
            RouteReport {
                route: route.as_str(),
                ready: why.is_none(),
                why,
            }
        })
        .collect();
    let connection = &wired.connection;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        host: connection.endpoint.host.clone(),
        api_url: connection.endpoint.api_url.to_string(),
        graphql_url: connection.endpoint.graphql_url.to_string(),
        token: connection.token_source.clone(),
        gh: connection
            .gh
            .program
            .as_ref()
            .map(|program| program.display().to_string()),
        gh_version: gh_version(&connection.gh).await,
        config: config.file.as_ref().map(|file| file.display().to_string()),
        capabilities,
        routes,
    };
    let printer = context.printer();
    if printer.is_machine() {
        printer.json(&report)?;
    } else {
        let gh = match (&report.gh, &report.gh_version) {
            (Some(path), Some(version)) => format!("{version} at {path}"),
            (Some(path), None) => format!("{path} does not answer to --version"),
            (None, _) => "not found".to_owned(),
        };
        printer.line(format_args!("{DIM}capstan{DIM:#} {}", report.version));
        printer.line(format_args!(
            "{DIM}GitHub{DIM:#}  {} ({})",
            report.host, report.api_url
        ));
        printer.line(format_args!("{DIM}token{DIM:#}   from {}", report.token));
        printer.line(format_args!("{DIM}gh{DIM:#}      {gh}"));
        printer.line(format_args!(
            "{DIM}config{DIM:#}  {}",
            report.config.as_deref().unwrap_or("none")
        ));
        printer.line(format_args!(
            "{DIM}catalog{DIM:#} {} capabilities",
            report.capabilities
        ));
        for route in &report.routes {
            match &route.why {
                None => printer.line(format_args!(
                    "{GOOD}ready{GOOD:#}   {NAME}{}{NAME:#}",
                    route.route
                )),
                Some(why) => printer.line(format_args!(
                    "{ERROR}not yet{ERROR:#} {NAME}{}{NAME:#}: {why}",
                    route.route
                )),
            }
        }
    }
    let usable = report.routes.iter().any(|route| route.ready);
    Ok(if usable { Exit::Ok } else { Exit::Auth })
}
