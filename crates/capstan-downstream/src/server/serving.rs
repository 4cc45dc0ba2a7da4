//! What can be asked of a server.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use capstan_core::card::Operation;
use capstan_core::port::{Clock, Failure, LeftOut, ServerState, Store, Tool, ToolAnswer};
use capstan_core::{ErrorCode, Redactor};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use serde_json::{Map, Value};
use tokio::time::{sleep_until, timeout_at};

use super::lifecycle::{Lifecycle, Step};
use crate::answer::{self, Outcome};
use crate::config::{Environment, ServerConfig, ServerName, fingerprint};
use crate::connection::{Connection, Spec};
use crate::failure;
use crate::http::HttpFault;
use crate::line::{Fault, Kind};
use crate::tools::{Listed, Listing, Memory};

/// What every server is given.
#[derive(Clone)]
pub(crate) struct Surroundings {
    pub(crate) environment: Environment,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) redactor: Redactor,
}

pub(crate) struct Server {
    spec: Arc<Spec>,
    clock: Arc<dyn Clock>,
    /// What nobody may see, whoever knows it: we, and the server itself.
    redactors: [Redactor; 2],
    lifecycle: Lifecycle,
}

impl Server {
    pub(crate) fn new(config: ServerConfig, surroundings: &Surroundings) -> Self {
        let Surroundings {
            environment,
            clock,
            store,
            redactor,
        } = surroundings.clone();
        let own = Redactor::new(config.secrets());
        let memory = Memory::new(
            config.name.to_string(),
            fingerprint(&config),
            Arc::clone(&clock),
            store,
        );
        Self {
            spec: Arc::new(Spec::new(config, environment, Arc::new(memory))),
            clock,
            redactors: [own, redactor],
            lifecycle: Lifecycle::default(),
        }
    }

    /// The tools that are known, from this process or from an earlier one; else the server is asked.
    pub(crate) async fn tools(&self, deadline: Instant) -> Result<Vec<Tool>, Failure> {
        if let Some(tools) = self.spec.memory.recall().await {
            return Ok(tools.to_vec());
        }
        let listed = self.listed(deadline).await;
        listed
            .map(|(_, listed)| listed.tools)
            .map_err(|failure| self.shown(failure))
    }

    pub(crate) async fn call(
        &self,
        tool: &str,
        input: Map<String, Value>,
        deadline: Instant,
    ) -> Result<ToolAnswer, Failure> {
        let operation = self.operation_of(tool).await;
        let result = self.send(tool, operation, input, deadline).await;
        match result {
            Ok(mut data) => {
                // What only has the shape of a secret is data; whoever shows it masks it.
                for redactor in &self.redactors {
                    redactor.known_in_value(&mut data);
                }
                Ok(ToolAnswer { data })
            }
            Err(failure) => Err(self.shown(failure)),
        }
    }

    pub(crate) async fn state(&self, deadline: Instant) -> ServerState {
        match self.listed(deadline).await {
            Ok((connection, Listed { tools, left_out })) => ServerState::Up {
                name: connection.name().unwrap_or_else(|| self.name().to_string()),
                tools: tools.len(),
                left_out: LeftOut {
                    why: left_out.why.iter().map(|why| self.redacted(why)).collect(),
                    ..left_out
                },
            },
            Err(failure) => ServerState::Down(self.shown(failure).error.message),
        }
    }

    pub(crate) async fn stop(&self) {
        if let Some(connection) = self.lifecycle.take() {
            connection.close().await;
        }
    }

    fn name(&self) -> &ServerName {
        &self.spec.config.name
    }

    /// What is not known may change things.
    async fn operation_of(&self, tool: &str) -> Operation {
        let known = self.spec.memory.recall().await;
        let known = known.as_deref().unwrap_or_default();
        let found = known.iter().find(|known| known.name == tool);
        found.map_or(Operation::Write, |tool| tool.operation)
    }

    async fn send(
        &self,
        tool: &str,
        operation: Operation,
        input: Map<String, Value>,
        deadline: Instant,
    ) -> Result<Value, Failure> {
        let connection = self.connection(deadline).await?;
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(input);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let patience = Instant::now() + self.spec.config.call_timeout;
        let result = connection.line().ask(request, deadline.min(patience)).await;
        let what = format!("the tool `{}`", shortened(tool));
        let result = result.map_err(|fault| {
            react(&connection, &fault);
            self.lifecycle.settle(self.clock.now());
            failure::of_fault(self.name(), &what, operation, &fault)
        })?;
        match answer::read(result) {
            Outcome::Data(data) => Ok(data),
            Outcome::Failed(words) => Err(failure::of_tool(self.name(), &what, operation, &words)),
            Outcome::Unfinished(why) => {
                Err(failure::unfinished(self.name(), &what, operation, why))
            }
        }
    }

    /// The tools as the running server lists them.
    async fn listed(&self, deadline: Instant) -> Result<(Arc<Connection>, Listed), Failure> {
        let connection = self.connection(deadline).await?;
        let fault = |kind| Fault { kind, left: true };
        let listing = timeout_at(deadline.into(), connection.lister().wait()).await;
        let fault = match listing {
            Ok(Listing::Known(tools, left_out)) => {
                let tools = tools.to_vec();
                return Ok((connection, Listed { tools, left_out }));
            }
            Ok(Listing::Failed(fault)) => fault,
            Ok(Listing::Pending) => fault(Kind::Lost("they were not listed".to_owned())),
            Err(_) => fault(Kind::OutOfTime),
        };
        react(&connection, &fault);
        let what = "the tools";
        Err(failure::of_fault(
            self.name(),
            what,
            Operation::Read,
            &fault,
        ))
    }

    /// A running server, started if need be. Whoever waits for the same start gets its result.
    async fn connection(&self, deadline: Instant) -> Result<Arc<Connection>, Failure> {
        let mut start = match self.lifecycle.step(&self.spec, self.clock.now()) {
            Step::Ready(connection) => return Ok(connection),
            Step::BackOff(wait, why) => {
                return Err(failure::backing_off(self.name(), wait, &why));
            }
            Step::Wait(start) => start,
        };
        let outcome = tokio::select! {
            biased;
            outcome = start.wait_for(Option::is_some) => outcome.ok().and_then(|it| it.clone()),
            () = sleep_until(deadline.into()) => {
                return Err(failure::still_starting(self.name()));
            }
        };
        self.lifecycle.settle(self.clock.now());
        match outcome {
            Some(Ok(connection)) => Ok(connection),
            Some(Err(fault)) => Err(failure::not_started(self.name(), fault.code, &fault.why)),
            None => {
                let why = "it was stopped";
                Err(failure::not_started(self.name(), ErrorCode::Cancelled, why))
            }
        }
    }

    fn shown(&self, mut failure: Failure) -> Failure {
        failure.error.message = self.redacted(&failure.error.message);
        failure
    }

    fn redacted(&self, text: &str) -> String {
        let redact = |text: String, redactor: &Redactor| redactor.text(&text).into_owned();
        self.redactors.iter().fold(text.to_owned(), redact)
    }
}

/// What a fault says about the connection.
fn react(connection: &Arc<Connection>, fault: &Fault) {
    match &fault.kind {
        Kind::OutOfTime => connection.doubt(),
        // If it is only deaf, it is of no use either.
        Kind::Ended(how) => connection.give_up(how),
        Kind::Http(fault @ (HttpFault::Unreachable(_) | HttpFault::Expired)) => {
            connection.give_up(&fault.to_string());
        }
        _ => {}
    }
}

fn shortened(tool: &str) -> String {
    tool.chars().filter(|c| !c.is_control()).take(128).collect()
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("config", &self.spec.config)
            .field("lifecycle", &self.lifecycle)
            .finish_non_exhaustive()
    }
}
