//! Runs the steps that are not requests to GitHub: tools, code, skills, and Capstan's own actions. To the executor
//! they are a route like the others.

use std::time::Instant;

use capstan_core::card::Operation;
use capstan_core::code::TraceId;
use capstan_core::port::{Answer, BoxFuture, Failure};
use capstan_core::{CallRequest, ErrorCode, ResultError, RouteRequest};
use capstan_exec::{Answered, ChainObserver, Delegate, Departure, Watch};

use super::Runner;
use crate::capability::{Implementation, split_tool_name};
use crate::local;
use crate::recorder::{CallContext, CallOutput};
use crate::skill::{RunOptions, SkillRunner};

/// Runs the steps of one chain that are not requests to GitHub, and records the progress of all steps.
pub(crate) struct Participant<'a> {
    pub(crate) runner: &'a Runner,
    /// The implementations, by step.
    pub(crate) implementations: &'a [Implementation],
    /// The numbers of the steps in the trace, by step.
    pub(crate) calls: &'a [u32],
    pub(crate) context: CallContext<'a>,
    /// Receives the progress of the chain's only step.
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
            RouteRequest::Graphql(_) | RouteRequest::Rest(_) | RouteRequest::Cli(_) => Box::pin(
                std::future::ready(Err(cannot_run("it is a request to GitHub"))),
            ),
        }
    }
}

impl ChainObserver for Participant<'_> {
    fn departing<'a>(&'a self, departure: Departure<'a>) -> BoxFuture<'a, Result<(), Failure>> {
        let calls = self.calls_of(departure.steps);
        // Capstan's own actions are on the disk when they end. Composites are recorded when their parts are sent.
        if departure.operation == Operation::Write && departure.leaves_machine {
            return Box::pin(async move {
                self.runner
                    .trace_log
                    .record_departure(self.context, &calls)
                    .await
            });
        }
        let recorder = self.context.recorder;
        recorder.set_sent(&calls, departure.operation, true);
        Box::pin(std::future::ready(Ok(())))
    }

    fn not_applied(&self, steps: &[usize]) {
        let calls = self.calls_of(steps);
        let recorder = self.context.recorder;
        recorder.set_sent(&calls, Operation::Write, false);
    }

    fn ended(&self, step: usize, result: Result<&Answered, &Failure>) {
        // The end of the only call is the end of the execution, which records the answer.
        if self.is_whole_execution() && self.calls.len() == 1 {
            return;
        }
        if let Some(call) = self.calls.get(step) {
            let output = result.map(|answered| CallOutput {
                data: &answered.data,
                is_masked: answered.is_masked,
            });
            self.context.recorder.record_answer(*call, output);
        }
    }

    fn write_returned(&self, chain_is_over: bool) {
        // At the end of the whole execution, the complete trace is stored anyway.
        if !(self.is_whole_execution() && chain_is_over) {
            self.runner.trace_log.record_progress(self.context);
        }
    }
}

impl Participant<'_> {
    /// Returns whether the chain is all that was asked for, and not a part of it.
    fn is_whole_execution(&self) -> bool {
        let CallContext { parent, depth, .. } = self.context;
        parent.is_none() && depth == 0
    }

    /// Returns the numbers of steps in the trace.
    fn calls_of(&self, steps: &[usize]) -> Vec<u32> {
        let calls = steps.iter().filter_map(|step| self.calls.get(*step));
        calls.copied().collect()
    }

    async fn tool(&self, call: &CallRequest, deadline: Instant) -> Result<Answer, Failure> {
        let tools = self.runner.shared.services.tools.as_deref();
        let (Some(tools), Some((server, tool))) = (tools, split_tool_name(&call.target)) else {
            return Err(cannot_run("no MCP server is configured"));
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
            return Err(cannot_run("it no longer exists"));
        };
        let context = self.context_of(step);
        let code = self.runner.code();
        code.run_by_name(capability, &call.input, deadline, context)
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
            return Err(cannot_run("it no longer exists"));
        };
        let options = RunOptions {
            id: self.run_id(),
            resume: self.context.resume,
            watch: self.watch,
        };
        let skills = SkillRunner {
            plans: &self.runner.resolver.plans,
            code: self.runner.code(),
        };
        let context = self.context_of(step);
        skills
            .run_skill(plan, &call.input, deadline, options, context)
            .await
    }

    async fn local(
        &self,
        step: usize,
        call: &CallRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let context = local::ActionContext {
            deadline,
            call_context: self.context_of(step),
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
        local::run(engine, call, context).await
    }

    /// Returns the context of the calls that a step makes.
    fn context_of(&self, step: usize) -> CallContext<'_> {
        CallContext {
            parent: self.calls.get(step).copied(),
            opened_call: None,
            resume: None,
            ..self.context
        }
    }

    /// Returns the id under which the run of a skill is journaled. Returns `None` for a skill inside another
    /// execution: it cannot be resumed by itself.
    fn run_id(&self) -> Option<TraceId> {
        let CallContext {
            recorder,
            parent,
            depth,
            ..
        } = self.context;
        if parent.is_some() || depth > 0 {
            return None;
        }
        // A skill that is the only step has the id of the trace; each skill of a chain has an id of its own.
        match self.implementations {
            [_] => Some(recorder.id().clone()),
            _ => Some(TraceId::new(
                self.runner.shared.timestamp(),
                fastrand::u64(..),
            )),
        }
    }
}

fn cannot_run(why: &str) -> Failure {
    let message = format!("this cannot be run: {why}");
    Failure::not_sent(ResultError::new(ErrorCode::AdapterUnsupported, message))
}
