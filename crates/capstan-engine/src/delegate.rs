//! Runs what is no request to GitHub: tools, code, and what Capstan does itself. To a chain it is a
//! route like the others.

use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure};
use capstan_core::{CallRequest, ErrorCode, ResultError, RouteRequest};

use crate::Capstan;
use crate::capability::server_of;
use crate::chain::Prepared;
use crate::local;
use crate::recorder::Within;

pub(crate) struct Delegate<'a> {
    pub(crate) capstan: &'a Capstan,
    pub(crate) steps: &'a [Prepared<'a>],
    /// By step: its number in the trace.
    pub(crate) calls: &'a [u32],
    pub(crate) within: Within<'a>,
}

impl Delegate<'_> {
    /// Does it, once. Dropping the future stops the work.
    pub(crate) fn call<'a>(
        &'a self,
        step: usize,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        match request {
            RouteRequest::Mcp(call) => Box::pin(self.tool(call, deadline)),
            RouteRequest::Code(call) => Box::pin(self.code(step, call, deadline)),
            RouteRequest::Skill(call) => Box::pin(self.skill(step, call, deadline)),
            RouteRequest::Local(call) => Box::pin(local::run(self.capstan, call)),
            RouteRequest::Graphql(_) | RouteRequest::Rest(_) | RouteRequest::Cli(_) => {
                Box::pin(std::future::ready(Err(nobody("it is a request to GitHub"))))
            }
        }
    }

    async fn tool(&self, call: &CallRequest, deadline: Instant) -> Result<Answer, Failure> {
        let tools = self.capstan.parts.tools.as_deref();
        let (Some(tools), Some((server, tool))) = (tools, server_of(&call.target)) else {
            return Err(nobody("no MCP server is configured"));
        };
        let answer = tools.call(server, tool, call.input.clone(), deadline);
        Ok(Answer::of(answer.await?.data))
    }

    async fn code(
        &self,
        step: usize,
        call: &CallRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let code = self.steps.get(step).and_then(|step| step.code.as_deref());
        let Some(capability) = code else {
            return Err(nobody("it is not known any more"));
        };
        let within = Within {
            call: self.calls.get(step).copied(),
            ..self.within
        };
        let run = self
            .capstan
            .run_by_name(capability, &call.input, deadline, within);
        run.await
    }
}

impl Delegate<'_> {
    async fn skill(
        &self,
        step: usize,
        call: &CallRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let plan = self.steps.get(step).and_then(|step| step.plan.as_deref());
        let Some(plan) = plan else {
            return Err(nobody("it is not known any more"));
        };
        let within = Within {
            call: self.calls.get(step).copied(),
            ..self.within
        };
        self.capstan
            .run_skill(plan, &call.input, deadline, within)
            .await
    }
}

fn nobody(why: &str) -> Failure {
    let message = format!("nobody can run this: {why}");
    Failure::not_sent(ResultError::new(ErrorCode::AdapterUnsupported, message))
}
