//! Chooses the GitHub host, the addresses of its API, and the token that belongs to it.

use std::path::PathBuf;

use anyhow::Context as _;
use capstan_core::Secret;
use capstan_github::{Endpoint, EndpointError, GhConfig, GithubHost};
use capstan_http::{is_loopback, parse_base_url};

use crate::config::Config;
use crate::environment::Environment;

/// How GitHub is reached, for `doctor`.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub endpoint: Endpoint,
    pub gh: GhConfig,
    /// Where the token comes from, for people.
    pub token_source: String,
}

/// Returns the host of GitHub: that of `GH_HOST`, or that of the API's address, or the configured one, or github.com.
pub(crate) fn host(config: &Config, environment: &Environment) -> anyhow::Result<GithubHost> {
    if let Some(named) = &environment.host {
        return GithubHost::parse(named).context(WRONG_HOST);
    }
    if let Some(host) = host_of_addresses(environment)? {
        return Ok(host);
    }
    match &config.host {
        Some(configured) => GithubHost::parse(configured).context(WRONG_HOST),
        None => Ok(GithubHost::github_com()),
    }
}

/// Chooses the addresses and the token. The token is chosen for the normalized host, so that it is never sent to
/// another one.
pub(super) fn connect(
    config: &Config,
    environment: &Environment,
    program: Option<PathBuf>,
) -> anyhow::Result<(Connection, Option<Secret>)> {
    let host = host(config, environment)?;
    let documented = Endpoint::for_host(&host).context(WRONG_HOST)?;
    let endpoint = endpoint(environment, &host, &documented).context(WRONG_ADDRESS)?;
    // Without GH_HOST, gh would use another GitHub than the other routes, with its own login: a write could go
    // there, or that login could be sent here.
    let elsewhere = (documented != endpoint && environment.host.is_none()).then(|| {
        format!(
            "gh cannot use {}: set GH_HOST to enable this route",
            endpoint.api_url
        )
    });
    let found = token(environment, &host);
    let token_source = match found {
        Some((name, _)) => format!("the variable {name}"),
        None if program.is_some() && elsewhere.is_none() => "gh auth token".to_owned(),
        None => "nowhere".to_owned(),
    };
    let token = found.map(|(_, secret)| secret.clone());
    let gh = GhConfig {
        program,
        host,
        env: Vec::new(),
        token: token.clone(),
        refused: elsewhere,
    };
    let connection = Connection {
        endpoint,
        gh,
        token_source,
    };
    Ok((connection, token))
}

const WRONG_HOST: &str = "the host of GitHub is invalid (GH_HOST or `host`)";
const WRONG_ADDRESS: &str = "GITHUB_API_URL or GITHUB_GRAPHQL_URL is invalid";

/// Returns the host of the API's addresses. GitHub Actions sets these and not `GH_HOST`, and `gh` must not send the
/// same token to another host. A loopback address names no host.
fn host_of_addresses(environment: &Environment) -> anyhow::Result<Option<GithubHost>> {
    let given = environment.api_url.iter().chain(&environment.graphql_url);
    for text in given {
        let url = parse_base_url(text).context(WRONG_ADDRESS)?;
        if url.scheme() == "https" || !is_loopback(&url) {
            return Ok(Some(GithubHost::from_url(&url).context(WRONG_ADDRESS)?));
        }
    }
    Ok(None)
}

/// Returns the addresses of the environment, or those that GitHub documents for the host.
fn endpoint(
    environment: &Environment,
    host: &GithubHost,
    documented: &Endpoint,
) -> Result<Endpoint, EndpointError> {
    let (api, graphql) = (&environment.api_url, &environment.graphql_url);
    let beside = |api: &String| {
        let api = api.trim().trim_end_matches('/');
        // GitHub Enterprise Server has /api/v3 and /api/graphql.
        format!("{}/graphql", api.strip_suffix("/v3").unwrap_or(api))
    };
    let documented_api = documented.api_url.to_string();
    let documented_graphql = || documented.graphql_url.to_string();
    Endpoint::from_urls(
        api.as_ref().unwrap_or(&documented_api),
        &match (graphql, api) {
            (Some(graphql), _) => graphql.clone(),
            (None, Some(api)) => beside(api),
            (None, None) => documented_graphql(),
        },
        host,
    )
}

/// Returns the token of the environment for a host, chosen like `gh` chooses it.
///
/// GitHub Actions on an Enterprise server has the server's own token in `GITHUB_TOKEN`, and says so
/// with `GITHUB_API_URL`. Otherwise that token belongs to GitHub.com.
fn token<'a>(
    environment: &'a Environment,
    host: &GithubHost,
) -> Option<&'a (&'static str, Secret)> {
    if !host.is_enterprise_server() {
        return environment.first_token(&["GH_TOKEN", "GITHUB_TOKEN"]);
    }
    let own = environment.first_token(&["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]);
    let with_address = || {
        environment.api_url.as_ref()?;
        environment.first_token(&["GITHUB_TOKEN"])
    };
    own.or_else(with_address)
}
