//! The `gh` route's adapter.

use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{CliRequest, ErrorCode, Redactor, Route, RouteRequest};

use super::config::GhConfig;
use super::{answer, process};
use crate::classify::Fault;
use crate::token::TokenSource;
use crate::{classify, redact};

#[derive(Debug)]
pub struct GhAdapter {
    config: GhConfig,
    login: TokenSource,
}

impl GhAdapter {
    pub fn new(config: GhConfig) -> Self {
        let login = match &config.token {
            Some(token) => TokenSource::given(token.clone()),
            None => TokenSource::gh(config.clone(), Redactor::default()),
        };
        Self::with_login(config, login)
    }

    /// Shares what another route learns about the login.
    pub fn with_login(config: GhConfig, login: TokenSource) -> Self {
        Self { config, login }
    }

    /// Local questions only. Not `gh auth status`: it asks GitHub, and calls every failure to
    /// do so an invalid token.
    async fn look(&self) -> Preflight {
        if let Some(obstacle) = self.config.obstacle() {
            return Preflight::Unavailable(obstacle);
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
        let program = match (&self.config.program, self.config.obstacle()) {
            (Some(program), None) => program,
            (_, obstacle) => {
                let why = obstacle.unwrap_or_default();
                return Err(classify::unsendable(ErrorCode::AdapterUnsupported, why));
            }
        };
        if deadline <= Instant::now() {
            let host = self.config.host.to_string();
            return Err(classify::transport(Fault::Timeout, false, &host));
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
        Box::pin(self.look())
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
