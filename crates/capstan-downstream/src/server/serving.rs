//! The requests to a server.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use capstan_core::card::Operation;
use capstan_core::port::{Clock, Failure, LeftOut, ServerState, Store, Tool, ToolAnswer};
use capstan_core::{ErrorCode, Redactor};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use serde_json::{Map, Value};
use tokio::time::{sleep_until, timeout_at};

use super::lifecycle::{Lifecycle, NextStep};
use crate::answer::{self, CallResult};
use crate::channel::{FaultKind, RequestFault};
use crate::config::{Environment, ServerConfig, ServerName, fingerprint};
use crate::connection::{Connection, ServerSpec};
use crate::failure;
use crate::http::HttpFault;
use crate::tools::{Listing, ToolList, ToolMemory};

/// What all servers share.
#[derive(Clone)]
pub(crate) struct SharedServices {
    pub(crate) environment: Environment,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) redactor: Redactor,
}

pub(crate) struct Server {
    spec: Arc<ServerSpec>,
    clock: Arc<dyn Clock>,
    /// Mask the secrets of this server's entry, and those known to the whole program.
    redactors: [Redactor; 2],
    lifecycle: Lifecycle,
}

impl Server {
    pub(crate) fn new(config: ServerConfig, services: &SharedServices) -> Self {
        let SharedServices {
            environment,
            clock,
            store,
            redactor,
        } = services.clone();
        let own_redactor = Redactor::new(config.secrets());
        let memory = ToolMemory::new(
            config.name.to_string(),
            fingerprint(&config),
            Arc::clone(&clock),
            store,
        );
        Self {
            spec: Arc::new(ServerSpec::new(config, environment, Arc::new(memory))),
            clock,
            redactors: [own_redactor, redactor],
            lifecycle: Lifecycle::default(),
        }
    }

    /// Returns the tools known to this process or to an earlier one, or else asks the server.
    pub(crate) async fn tools(&self, deadline: Instant) -> Result<Vec<Tool>, Failure> {
        if let Some(tools) = self.spec.memory.recall().await {
            return Ok(tools.to_vec());
        }
        let listed = self.list_tools(deadline).await;
        listed
            .map(|(_, listed)| listed.tools)
            .map_err(|failure| self.redact_failure(failure))
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
                // Text that only looks like a secret is data here; the presenter masks it.
                for redactor in &self.redactors {
                    redactor.known_in_value(&mut data);
                }
                Ok(ToolAnswer { data })
            }
            Err(failure) => Err(self.redact_failure(failure)),
        }
    }

    pub(crate) async fn state(&self, deadline: Instant) -> ServerState {
        match self.list_tools(deadline).await {
            Ok((connection, ToolList { tools, left_out })) => ServerState::Up {
                name: connection.name().unwrap_or_else(|| self.name().to_string()),
                tools: tools.len(),
                left_out: LeftOut {
                    why: left_out.why.iter().map(|why| self.redact(why)).collect(),
                    ..left_out
                },
            },
            Err(failure) => ServerState::Down(self.redact_failure(failure).error.message),
        }
    }

    pub(crate) async fn stop(&self) {
        if let Some(connection) = self.lifecycle.take_connection() {
            connection.close().await;
        }
    }

    fn name(&self) -> &ServerName {
        &self.spec.config.name
    }

    /// Returns whether a tool reads or writes. An unknown tool may write.
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
        let call_deadline = Instant::now() + self.spec.config.call_timeout;
        let result = connection
            .channel()
            .request(request, deadline.min(call_deadline))
            .await;
        let what = format!("the tool `{}`", shorten_name(tool));
        let result = result.map_err(|fault| {
            handle_fault(&connection, &fault);
            self.lifecycle.update(self.clock.now());
            failure::from_fault(self.name(), &what, operation, &fault)
        })?;
        match answer::interpret(result) {
            CallResult::Data(data) => Ok(data),
            CallResult::Failed(words) => {
                Err(failure::from_tool(self.name(), &what, operation, &words))
            }
            CallResult::Unfinished(why) => {
                Err(failure::unfinished(self.name(), &what, operation, why))
            }
        }
    }

    /// Returns the tools as the running server lists them.
    async fn list_tools(&self, deadline: Instant) -> Result<(Arc<Connection>, ToolList), Failure> {
        let connection = self.connection(deadline).await?;
        let fault = |kind| RequestFault {
            kind,
            may_be_sent: true,
        };
        let listing = timeout_at(deadline.into(), connection.lister().wait()).await;
        let fault = match listing {
            Ok(Listing::Known(tools, left_out)) => {
                let tools = tools.to_vec();
                return Ok((connection, ToolList { tools, left_out }));
            }
            Ok(Listing::Failed(fault)) => fault,
            Ok(Listing::Pending) => fault(FaultKind::Lost("they were not listed".to_owned())),
            Err(_) => fault(FaultKind::OutOfTime),
        };
        handle_fault(&connection, &fault);
        let what = "the tools";
        Err(failure::from_fault(
            self.name(),
            what,
            Operation::Read,
            &fault,
        ))
    }

    /// Returns a running server, started if necessary. Callers that wait for the same start share
    /// its result.
    async fn connection(&self, deadline: Instant) -> Result<Arc<Connection>, Failure> {
        let mut start = match self.lifecycle.next_step(&self.spec, self.clock.now()) {
            NextStep::Ready(connection) => return Ok(connection),
            NextStep::BackOff(wait, why) => {
                return Err(failure::backing_off(self.name(), wait, &why));
            }
            NextStep::Wait(start) => start,
        };
        let result = tokio::select! {
            biased;
            started = start.wait_for(Option::is_some) => started.ok().and_then(|it| it.clone()),
            () = sleep_until(deadline.into()) => {
                return Err(failure::still_starting(self.name()));
            }
        };
        self.lifecycle.update(self.clock.now());
        match result {
            Some(Ok(connection)) => Ok(connection),
            Some(Err(fault)) => Err(failure::not_started(self.name(), fault.code, &fault.reason)),
            None => {
                let why = "it was stopped";
                Err(failure::not_started(self.name(), ErrorCode::Cancelled, why))
            }
        }
    }

    fn redact_failure(&self, mut failure: Failure) -> Failure {
        failure.error.message = self.redact(&failure.error.message);
        failure
    }

    fn redact(&self, text: &str) -> String {
        let redact = |text: String, redactor: &Redactor| redactor.text(&text).into_owned();
        self.redactors.iter().fold(text.to_owned(), redact)
    }
}

/// Checks or ends the connection, depending on the fault.
fn handle_fault(connection: &Arc<Connection>, fault: &RequestFault) {
    match &fault.kind {
        FaultKind::OutOfTime => connection.check_liveness(),
        // A server that only stopped reading is of no use either.
        FaultKind::Ended(reason) => connection.abort(reason),
        FaultKind::Http(fault @ (HttpFault::Unreachable(_) | HttpFault::Expired)) => {
            connection.abort(&fault.to_string());
        }
        _ => {}
    }
}

fn shorten_name(tool: &str) -> String {
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
