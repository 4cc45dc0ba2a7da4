//! Runs what is no request to GitHub: tools, code, and what Capstan does itself. To a chain it is a
//! route like the others.

use std::time::Instant;

use capstan_core::card::Operation;
use capstan_core::code::TraceId;
use capstan_core::port::{Answer, BoxFuture, Failure};
use capstan_core::{CallRequest, ErrorCode, ResultError, RouteRequest};
use capstan_exec::{ChainObserver, Delegate, Departure, Watch};
use serde_json::Value;

use super::Runner;
use crate::capability::{Implementation, server_of};
use crate::local;
use crate::recorder::CallContext;
use crate::skill::{RunOptions, SkillRunner};

/// Takes part in running one chain: runs the steps that are no requests to GitHub, and records what becomes of all.
pub(crate) struct Participant<'a> {
    pub(crate) runner: &'a Runner,
    /// By step: what implements it.
    pub(crate) implementations: &'a [Implementation],
    /// By step: its number in the trace.
    pub(crate) calls: &'a [u32],
    pub(crate) within: CallContext<'a>,
    /// Who hears how far its only step is.
    pub(crate) watch: Option<Watch<'a>>,
}

impl Delegate for Participant<'_> {
    fn call<'a>(
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
}

impl ChainObserver for Participant<'_> {
    fn departing<'a>(&'a self, departure: Departure<'a>) -> BoxFuture<'a, Result<(), Failure>> {
        let calls = self.calls_of(departure.steps);
        // What Capstan does itself is on the disk when it is done; what is made of others is recorded when
        // those leave.
        if departure.operation == Operation::Write && departure.leaves_machine {
            return Box::pin(async move {
                self.runner
                    .recording
                    .record_departure(self.within, &calls)
                    .await
            });
        }
        let recorder = self.within.recorder;
        recorder.set_left(&calls, departure.operation, true);
        Box::pin(std::future::ready(Ok(())))
    }

    fn not_applied(&self, steps: &[usize]) {
        let calls = self.calls_of(steps);
        let recorder = self.within.recorder;
        recorder.set_left(&calls, Operation::Write, false);
    }

    fn ended(&self, step: usize, result: Result<&Value, &Failure>) {
        if let Some(call) = self.calls.get(step) {
            self.within.recorder.record_answer(*call, result);
        }
    }

    fn write_returned(&self, chain_is_over: bool) {
        let CallContext { call, depth, .. } = self.within;
        let is_whole_execution = call.is_none() && depth == 0;
        // The whole trace follows at once where nothing else is to come.
        if !(is_whole_execution && chain_is_over) {
            self.runner.recording.record_progress(self.within);
        }
    }
}

impl Participant<'_> {
    /// The numbers of steps in the trace.
    fn calls_of(&self, steps: &[usize]) -> Vec<u32> {
        let calls = steps.iter().filter_map(|step| self.calls.get(*step));
        calls.copied().collect()
    }

    async fn tool(&self, call: &CallRequest, deadline: Instant) -> Result<Answer, Failure> {
        let tools = self.runner.shared.services.tools.as_deref();
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
        let code = self
            .implementations
            .get(step)
            .and_then(Implementation::code);
        let Some(capability) = code else {
            return Err(nobody("it is not known any more"));
        };
        let within = self.within(step);
        let code = self.runner.code();
        code.run_by_name(capability, &call.input, deadline, within)
            .await
    }

    async fn skill(
        &self,
        step: usize,
        call: &CallRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let plan = self
            .implementations
            .get(step)
            .and_then(Implementation::plan);
        let Some(plan) = plan else {
            return Err(nobody("it is not known any more"));
        };
        let options = RunOptions {
            id: self.id_of_run(),
            resume: self.within.resume,
            watch: self.watch,
        };
        let skills = SkillRunner {
            plans: &self.runner.resolver.plans,
            code: self.runner.code(),
        };
        let within = self.within(step);
        skills
            .run_skill(plan, &call.input, deadline, options, within)
            .await
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
        let engine = local::ActionEngine {
            shared: &self.runner.shared,
            directory: &self.runner.resolver.directory,
            plans: &self.runner.resolver.plans,
            resolver: &self.runner.resolver,
            discovery: &self.runner.discovery,
            chains: self.runner,
        };
        local::run(engine, call, around).await
    }

    fn within(&self, step: usize) -> CallContext<'_> {
        CallContext {
            call: self.calls.get(step).copied(),
            number: None,
            resume: None,
            ..self.within
        }
    }

    /// Under which a skill is written down. What others wait for is not resumed by itself.
    fn id_of_run(&self) -> Option<TraceId> {
        let CallContext {
            recorder,
            call,
            depth,
            ..
        } = self.within;
        if call.is_some() || depth > 0 {
            return None;
        }
        let own = || TraceId::new(self.runner.shared.timestamp(), fastrand::u64(..));
        match self.implementations {
            [_] => Some(recorder.id().clone()),
            _ => Some(own()),
        }
    }
}

fn nobody(why: &str) -> Failure {
    let message = format!("nobody can run this: {why}");
    Failure::not_sent(ResultError::new(ErrorCode::AdapterUnsupported, message))
}
