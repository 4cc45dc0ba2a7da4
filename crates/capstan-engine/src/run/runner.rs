//! Runs chains of any capabilities: finds what each step names, lets the executor check and run it, and records the
//! result.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use capstan_core::card::{Operation, without_secrets};
use capstan_core::port::BoxFuture;
use capstan_core::{ResultError, Timings};
use capstan_exec::{ChainEnd, ChainSpec, Preparation, PreparedStep, RunContext, StepTarget, Watch};

use super::combined::{ExpandedChain, ExpansionRules, expand};
use super::participant::Participant;
use crate::capability::{Implementation, Lookup, OnlyKind, check_policy, check_same_requests};
use crate::chain_runner::ChainRunner;
use crate::code::CodeRunner;
use crate::discovery::Discovery;
use crate::envelope::millis;
use crate::recorder::{CallContext, NewCall};
use crate::resolver::Resolver;
use crate::shared::Shared;
use crate::step_result::{ChainOutcome, StepResult, in_order, refused};
use crate::trace_log::TraceLog;
use crate::words::{LoginSource, Words};

/// The longest time that a run may take.
const LONGEST_RUN: Duration = Duration::from_secs(600);

/// What each further step adds to the time that a chain may take.
const TIME_PER_STEP: Duration = Duration::from_secs(2);

/// The steps of a chain that may run, and the problems of the others.
pub(crate) struct PreparedChain<'a> {
    pub(crate) steps: Vec<PreparedStep<'a>>,
    /// The implementations, by prepared step.
    pub(crate) implementations: Vec<Implementation>,
    /// The problems, by the index of the step in the chain.
    pub(crate) problems: Vec<(usize, ResultError)>,
}

/// Runs chains of cards, tools, code, skills and Capstan's own actions.
pub(crate) struct Runner {
    pub(crate) shared: Arc<Shared>,
    pub(crate) resolver: Arc<Resolver>,
    pub(crate) discovery: Arc<Discovery>,
    pub(crate) words: Words,
    pub(crate) trace_log: TraceLog,
}

impl ChainRunner for Runner {
    fn run_chain<'a>(
        &'a self,
        spec: &'a ChainSpec,
        only: Option<OnlyKind>,
        watch: Watch<'a>,
        context: CallContext<'a>,
    ) -> BoxFuture<'a, ChainOutcome> {
        Box::pin(self.run_only(spec, watch, context, only))
    }
}

impl Runner {
    /// Returns the runner of code.
    pub(crate) fn code(&self) -> CodeRunner<'_> {
        CodeRunner {
            shared: &self.shared,
            directory: &self.resolver.directory,
            trace_log: &self.trace_log,
            chains: self,
        }
    }

    /// Finds and checks all steps of a chain.
    pub(crate) async fn prepare<'a>(
        &self,
        spec: &'a ChainSpec,
        deadline: Instant,
        reads_only: bool,
        lookup: Lookup,
    ) -> PreparedChain<'a> {
        let policy = &self.shared.settings.policy;
        let policy = if reads_only {
            Cow::Owned(policy.reading())
        } else {
            Cow::Borrowed(policy)
        };
        let mut implementations = Vec::with_capacity(spec.steps.len());
        let mut warnings = Vec::with_capacity(spec.steps.len());
        let mut targets = Vec::with_capacity(spec.steps.len());
        for found in self.resolver.find_all(spec, deadline, lookup).await {
            targets.push(match found {
                Ok(found) => {
                    let permission = check_policy(&policy, &found.card, &found.implementation)
                        .and_then(|()| {
                            check_same_requests(&policy, &self.shared.catalog, &found.card)
                        });
                    implementations.push(found.implementation);
                    warnings.push(found.warnings);
                    Ok(StepTarget {
                        card: found.card,
                        permission,
                    })
                }
                Err(error) => {
                    implementations.push(Implementation::Card);
                    warnings.push(Vec::new());
                    Err(error)
                }
            });
        }
        let Preparation {
            ready: mut steps,
            problems,
        } = self.shared.executor.prepare(spec, targets);
        for step in &mut steps {
            let mut all = std::mem::take(&mut warnings[step.index]);
            all.append(&mut step.warnings);
            step.warnings = all;
        }
        PreparedChain {
            implementations: steps
                .iter()
                .map(|step| std::mem::take(&mut implementations[step.index]))
                .collect(),
            steps,
            problems,
        }
    }

    /// Returns how long a chain may take. The default grows with the number of steps, because a chain may need many
    /// requests in sequence, with pauses when GitHub asks for them.
    pub(crate) fn timeout(&self, spec: &ChainSpec) -> Duration {
        let more = u32::try_from(spec.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let default = self.shared.settings.run_timeout + TIME_PER_STEP.saturating_mul(more);
        let timeout = spec.timeout_ms.map_or(default, Duration::from_millis);
        timeout.min(LONGEST_RUN)
    }

    /// Runs a chain as a part of an execution.
    pub(crate) async fn run(
        &self,
        spec: &ChainSpec,
        watch: Watch<'_>,
        context: CallContext<'_>,
    ) -> ChainOutcome {
        self.run_only(spec, watch, context, None).await
    }

    /// Like [`Self::run`]. With `only`, every step must name a capability of that kind.
    pub(crate) async fn run_only(
        &self,
        spec: &ChainSpec,
        watch: Watch<'_>,
        context: CallContext<'_>,
        only: Option<OnlyKind>,
    ) -> ChainOutcome {
        // A caller that states the kind, such as a skill, already uses the names of cards.
        if only.is_some() {
            return self.run_settled(spec, watch, context, only).await;
        }
        let settled = self
            .words
            .settle(spec, context.asker, LoginSource::GitHub)
            .await;
        let mut outcome = self.run_settled(&settled.spec, watch, context, only).await;
        settled.correct(&mut outcome.steps);
        outcome
    }

    /// Runs a chain whose steps use the names of their cards.
    async fn run_settled(
        &self,
        spec: &ChainSpec,
        watch: Watch<'_>,
        context: CallContext<'_>,
        only: Option<OnlyKind>,
    ) -> ChainOutcome {
        match self.expanded(spec) {
            Some(expanded) => {
                let run = self.run_plain(&expanded.spec, watch, context, only);
                let outcome = run.await;
                ChainOutcome {
                    steps: expanded.merge(outcome.steps),
                    ..outcome
                }
            }
            None => self.run_plain(spec, watch, context, only).await,
        }
    }

    /// Returns the chain with its combined steps expanded; `None` if it has none.
    pub(crate) fn expanded(&self, spec: &ChainSpec) -> Option<ExpandedChain> {
        let rules = ExpansionRules {
            catalog: &self.shared.catalog,
            schemas: self.shared.executor.schemas(),
            policy: &self.shared.settings.policy,
        };
        expand(spec, &rules)
    }

    /// Runs a chain without combined steps.
    async fn run_plain(
        &self,
        spec: &ChainSpec,
        watch: Watch<'_>,
        context: CallContext<'_>,
        only: Option<OnlyKind>,
    ) -> ChainOutcome {
        let started = self.shared.clock.now();
        let deadline = started + self.timeout(spec);
        let lookup = Lookup {
            asker: context.asker,
            only,
        };
        let prepared = self.prepare(spec, deadline, context.reads_only, lookup);
        let PreparedChain {
            steps: ready,
            implementations,
            problems,
        } = prepared.await;
        let recorder = context.recorder;
        if let ([implementation], None) = (implementations.as_slice(), context.parent) {
            recorder.set_subject(implementation);
        }
        let batch = recorder.next_batch();
        let calls: Vec<u32> = ready
            .iter()
            .zip(&implementations)
            .map(|(step, implementation)| {
                let writes = step.card.operation == Operation::Write;
                let input = without_secrets(&step.card.input_schema, &step.input);
                recorder.open(&NewCall {
                    capability: step.card.id.as_str(),
                    code: implementation.code().map(|it| &it.record.fqdn),
                    step: spec.steps[step.index].name.as_deref(),
                    input: &input,
                    batch,
                    parent: context.parent,
                    writes: writes && !implementation.is_composite(),
                })
            })
            .collect();
        if let ([call], Some(number)) = (calls.as_slice(), context.opened_call) {
            // A context is used for one chain, so the number is set once.
            let _ = number.set(*call);
        }
        let mut outcome = ChainOutcome::default();
        if problems.is_empty() || spec.independent {
            // A single step reports its own progress. Of several steps, the executor reports the progress.
            let is_alone = spec.steps.len() == 1;
            let participant = Participant {
                runner: self,
                implementations: &implementations,
                calls: &calls,
                context,
                watch: is_alone.then_some(watch),
            };
            let run_context = RunContext {
                deadline,
                in_order: !spec.independent,
                fail_fast: spec.fail_fast,
                passes_on: spec.passes_on,
                cancel: context.stop,
                delegate: &participant,
                observer: &participant,
                watch: if is_alone { &|_| {} } else { watch },
            };
            let ChainEnd {
                steps: ends,
                requests,
                chunks,
                busy,
            } = self.shared.executor.run(&ready, run_context).await;
            let ran = ready
                .iter()
                .zip(&implementations)
                .zip(ends)
                .map(|((step, by), end)| (step.index, StepResult::from_end(step, by, end)));
            outcome = ChainOutcome {
                steps: in_order(spec, ran, problems),
                requests,
                chunks,
                timings: Timings {
                    total_ms: 0,
                    adapter_ms: millis(busy),
                },
            };
        } else {
            outcome.steps = refused(spec, problems);
        }
        let elapsed = self.shared.clock.now().saturating_duration_since(started);
        outcome.timings.total_ms = millis(elapsed);
        for (step, call) in ready.iter().zip(&calls) {
            recorder.close(*call, outcome.steps[step.index].output());
        }
        // Calls of code that were refused are recorded, too.
        let was_tried = |index: usize| ready.iter().any(|step| step.index == index);
        for (index, step) in spec.steps.iter().enumerate() {
            if spec.independent && !was_tried(index) {
                let call = recorder.open(&NewCall {
                    capability: step.request.capability.as_str(),
                    code: None,
                    step: step.name.as_deref(),
                    input: &Value::Null,
                    batch,
                    parent: context.parent,
                    writes: false,
                });
                recorder.close(call, outcome.steps[index].output());
            }
        }
        outcome
    }
}
