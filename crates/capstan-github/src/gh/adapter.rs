//! The `gh` route's adapter.

use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{CliRequest, ErrorCode, Redactor, Route, RouteRequest};
use capstan_http::TransportFault;

use super::config::GhConfig;
use super::{answer, process};
use crate::token::TokenSource;
use crate::{classify, redact};

/// Sends requests through `gh`.
#[derive(Debug)]
pub struct GhAdapter {
    config: GhConfig,
    login: TokenSource,
}

impl GhAdapter {
    /// Returns an adapter that uses the configured token, or else the login that `gh` keeps.
    pub fn new(config: GhConfig) -> Self {
        let login = match &config.token {
            Some(token) => TokenSource::from_token(token.clone()),
            None => TokenSource::from_gh(config.clone(), Redactor::default()),
        };
        Self::with_login(config, login)
    }

    /// Returns an adapter that shares its login with another route.
    pub fn with_login(config: GhConfig, login: TokenSource) -> Self {
        Self { config, login }
    }

    /// Checks locally whether `gh` can be used. It does not run `gh auth status`, which asks GitHub
    /// and reports every failure to do so as an invalid token.
    async fn check_locally(&self) -> Preflight {
        if let Some(unusable_reason) = self.config.unusable_reason() {
            return Preflight::Unavailable(unusable_reason);
        }
        if self.login.token().await.is_some() {
            return Preflight::Ready;
        }
        Preflight::NotReady(format!(
            "`gh` is not logged in to {host}: run `gh auth login --hostname {host}`",
            host = self.config.host
        ))
    }

    async fn run(&self, request: &CliRequest, deadline: Instant) -> Result<Answer, Failure> {
        let program = match (&self.config.program, self.config.unusable_reason()) {
            (Some(program), None) => program,
            (_, unusable_reason) => {
                let why = unusable_reason.unwrap_or_default();
                return Err(classify::unsendable(ErrorCode::AdapterUnsupported, why));
            }
        };
        if deadline <= Instant::now() {
            let host = self.config.host.to_string();
            return Err(classify::transport(TransportFault::Timeout, false, &host));
        }
        let mut command = self.config.command(program);
        command.args(&request.args);
        let run = process::run(command, request.stdin.as_deref(), deadline)
            .await
            .map_err(|error| {
                classify::unsendable(
                    ErrorCode::AdapterUnsupported,
                    format!("`gh` cannot be started: {error}"),
                )
            })?;
        answer::read(request, &run)
    }
}

impl RouteAdapter for GhAdapter {
    fn route(&self) -> Route {
        Route::Cli
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(self.check_locally())
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let result = match request {
                RouteRequest::Cli(request) => self.run(request, deadline).await,
                other => Err(classify::unsendable(
                    ErrorCode::AdapterUnsupported,
                    format!("a {} request cannot go to `gh`", other.route()),
                )),
            };
            redact::result(&self.login.redactor(), result)
        })
    }
}
