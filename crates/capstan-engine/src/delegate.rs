//! Runs what is no request to GitHub: tools, code, and what Capstan does itself. To a chain it is a
//! route like the others.

use std::time::Instant;

use capstan_core::code::TraceId;
use capstan_core::port::{Answer, BoxFuture, Failure};
use capstan_core::run::Resumption;
use capstan_core::{CallRequest, ErrorCode, ResultError, RouteRequest};

use crate::Capstan;
use crate::capability::server_of;
use crate::chain::{Prepared, Watch};
use crate::local;
use crate::recorder::{Within, timestamp};
use crate::skill::Course;

pub(crate) struct Delegate<'a> {
    pub(crate) capstan: &'a Capstan,
    pub(crate) steps: &'a [Prepared<'a>],
    /// By step: its number in the trace.
    pub(crate) calls: &'a [u32],
    pub(crate) within: Within<'a>,
    /// The run with which its only step goes on.
    pub(crate) resume: Option<&'a Resumption>,
    /// Who hears how far its only step is.
    pub(crate) watch: Option<Watch<'a>>,
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
            RouteRequest::Local(call) => Box::pin(self.local(step, call, deadline)),
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
        let code = self.steps.get(step).and_then(|step| step.behind.code());
        let Some(capability) = code else {
            return Err(nobody("it is not known any more"));
        };
        let within = self.within(step);
        let run = self
            .capstan
            .run_by_name(capability, &call.input, deadline, within);
        run.await
    }

    async fn skill(
        &self,
        step: usize,
        call: &CallRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let plan = self.steps.get(step).and_then(|step| step.behind.plan());
        let Some(plan) = plan else {
            return Err(nobody("it is not known any more"));
        };
        let course = Course {
            id: self.id_of_run(),
            resume: self.resume,
            watch: self.watch,
        };
        let run = self
            .capstan
            .run_skill(plan, &call.input, deadline, course, self.within(step));
        run.await
    }

    async fn local(
        &self,
        step: usize,
        call: &CallRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let around = local::Around {
            deadline,
            within: self.within(step),
            watch: self.watch,
        };
        local::run(self.capstan, call, around).await
    }

    fn within(&self, step: usize) -> Within<'_> {
        Within {
            call: self.calls.get(step).copied(),
            number: None,
            ..self.within
        }
    }

    /// Under which a skill is written down. What others wait for is not resumed by itself.
    fn id_of_run(&self) -> Option<TraceId> {
        let Within {
            recorder,
            call,
            depth,
            ..
        } = self.within;
        if call.is_some() || depth > 0 {
            return None;
        }
        let own = || TraceId::new(timestamp(self.capstan.clock.date()), fastrand::u64(..));
        match self.steps {
            [_] => Some(recorder.id().clone()),
            _ => Some(own()),
        }
    }
}

fn nobody(why: &str) -> Failure {
    let message = format!("nobody can run this: {why}");
    Failure::not_sent(ResultError::new(ErrorCode::AdapterUnsupported, message))
}
