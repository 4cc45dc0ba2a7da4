//! The `gh` route's adapter.

use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{CliRequest, ErrorCode, Redactor, Route, RouteRequest};
use tokio::sync::OnceCell;

use super::config::{GhConfig, gh_token};
use super::{answer, process};
use crate::{classify, redact};

#[derive(Debug)]
pub struct GhAdapter {
    config: GhConfig,
    redactor: Redactor,
    ready: OnceCell<Preflight>,
}

impl GhAdapter {
    pub fn new(config: GhConfig) -> Self {
        let redactor = Redactor::new(config.token.clone());
        Self {
            config,
            redactor,
            ready: OnceCell::new(),
        }
    }

    /// Local questions only. Not `gh auth status`: it asks GitHub, and calls every failure to
    /// do so an invalid token.
    async fn look(&self) -> Preflight {
        if let Some(obstacle) = self.config.obstacle() {
            return Preflight::NotReady(obstacle);
        }
        if self.config.token.is_some() || gh_token(&self.config).await.is_some() {
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
        Box::pin(async { self.ready.get_or_init(|| self.look()).await.clone() })
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
            redact::result(&self.redactor, result)
        })
    }
}
