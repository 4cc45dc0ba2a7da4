//! Which GitHub is talked to, where its API is, and which token belongs to it.

use std::path::PathBuf;

use anyhow::Context as _;
use capstan_core::Secret;
use capstan_github::{Endpoint, EndpointError, GhConfig, GithubHost, parse_api_url};
use capstan_http::is_loopback;

use crate::config::Config;
use crate::environment::Environment;

/// How GitHub is reached, for `doctor`.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub endpoint: Endpoint,
    pub gh: GhConfig,
    /// Where the token comes from, in words.
    pub token_source: String,
}

/// The host that is meant: named, else the one of the API's address, else the configured one.
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

/// Chooses the token after the host is known in its one spelling.
pub(super) fn connect(
    config: &Config,
    environment: &Environment,
    program: Option<PathBuf>,
) -> anyhow::Result<(Connection, Option<Secret>)> {
    let host = host(config, environment)?;
    let documented = Endpoint::for_host(&host).context(WRONG_HOST)?;
    let endpoint = endpoint(environment, &host, &documented).context(WRONG_ADDRESS)?;
    // Unless its host is named, gh would talk to another GitHub than the other routes, with its own
    // login: a write could land there, or that login be sent here.
    let elsewhere = (documented != endpoint && environment.host.is_none()).then(|| {
        format!(
            "gh cannot be pointed at {}: set GH_HOST if it is to be used",
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

const WRONG_HOST: &str = "the host of GitHub is wrong (GH_HOST or `host`)";
const WRONG_ADDRESS: &str = "GITHUB_API_URL or GITHUB_GRAPHQL_URL is wrong";

/// GitHub Actions sets the addresses of the API and not `GH_HOST`; `gh` must not go elsewhere with
/// the same token. A loopback address says nothing about the host.
fn host_of_addresses(environment: &Environment) -> anyhow::Result<Option<GithubHost>> {
    let given = environment.api_url.iter().chain(&environment.graphql_url);
    for text in given {
        let url = parse_api_url(text).context(WRONG_ADDRESS)?;
        if url.scheme() == "https" || !is_loopback(&url) {
            return Ok(Some(GithubHost::from_url(&url).context(WRONG_ADDRESS)?));
        }
    }
    Ok(None)
}

/// The addresses that are given, else those that GitHub documents.
fn endpoint(
    environment: &Environment,
    host: &GithubHost,
    documented: &Endpoint,
) -> Result<Endpoint, EndpointError> {
    let (api, graphql) = (&environment.api_url, &environment.graphql_url);
    let beside = |api: &String| {
        let api = api.trim().trim_end_matches('/');
        // As GitHub Enterprise has it: /api/v3 beside /api/graphql.
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

/// The token that the environment has for a host, as `gh` would choose it.
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
