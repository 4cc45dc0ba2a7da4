//! Runs a chain stage by stage.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use capstan_core::card::Card;
use capstan_core::port::{Fact, Failure};
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Outcome, ResultError, ResultMeta, Timings};
use capstan_exec::{ChainSpec, Watch, reference};

use super::check::{self, CheckedStep};
use super::pages::{self, Listing};
use super::rows;
use super::scope::{EarlierResults, Unfilled};
use crate::capability::Lookup;
use crate::envelope::millis;
use crate::recorder::CallContext;
use crate::run::Runner;
use crate::step_result::{ChainOutcome, StepResult, first_problem, refused};
use crate::words::LoginSource;

/// What a stage does for one step of the caller.
enum StageStep {
    /// The step is not run; this is its result.
    Finished(Box<StepResult>),
    /// The step is run once, or once for each row.
    Run(Vec<ChainStep>),
}

impl Runner {
    /// Runs a chain whose steps may depend on earlier results.
    pub(crate) async fn run_staged(
        &self,
        spec: &ChainSpec,
        watch: Watch<'_>,
        context: CallContext<'_>,
    ) -> ChainOutcome {
        let settled = self
            .words
            .settle(spec, context.asker, LoginSource::GitHub)
            .await;
        let mut outcome = self.run_settled_stages(&settled.spec, watch, context).await;
        settled.correct(&mut outcome.steps);
        outcome
    }

    async fn run_settled_stages(
        &self,
        spec: &ChainSpec,
        watch: Watch<'_>,
        context: CallContext<'_>,
    ) -> ChainOutcome {
        let started = self.shared.clock.now();
        let deadline = started + self.timeout(spec);
        let checked = match self.check_staged(spec, deadline, context).await {
            Ok(checked) => checked,
            Err(problems) => {
                return ChainOutcome {
                    steps: refused(spec, problems),
                    requests: 0,
                    chunks: 0,
                    timings: Timings::default(),
                };
            }
        };
        let mut staged = StagedRun {
            runner: self,
            spec,
            checked: &checked,
            earlier: EarlierResults {
                steps: &spec.steps,
                results: vec![None; spec.steps.len()],
            },
            unknown_write: None,
            requests: 0,
            chunks: 0,
            adapter_ms: 0,
        };
        let mut next = 0;
        while next < spec.steps.len() {
            let stage = next..stage_end(&checked, next);
            next = stage.end;
            staged.run_stage(stage, deadline, watch, context).await;
        }
        staged.finish(started)
    }

    /// Returns the chain with each `each` and `when` step run exactly once, for planning; `None` if it has no stages.
    pub(crate) async fn first_rows(
        &self,
        spec: &ChainSpec,
    ) -> Result<Option<ChainSpec>, ResultError> {
        if !super::needs_stages(&spec.steps) {
            return Ok(None);
        }
        let deadline = self.shared.clock.now() + self.timeout(spec);
        let found = self
            .resolver
            .find_all(spec, deadline, Lookup::default())
            .await;
        let cards: Vec<_> = found
            .iter()
            .map(|found| found.as_ref().ok().map(|it| Arc::clone(&it.card)))
            .collect();
        match check::check(spec, &cards) {
            Ok(checked) => Ok(Some(check::representative(spec, &checked))),
            Err(problems) => Err(first_problem(problems, spec.steps.len())),
        }
    }

    /// Checks all steps, including those of later stages.
    async fn check_staged(
        &self,
        spec: &ChainSpec,
        deadline: Instant,
        context: CallContext<'_>,
    ) -> Result<Vec<CheckedStep>, Vec<(usize, ResultError)>> {
        let lookup = Lookup {
            asker: context.asker,
            only: None,
        };
        let found = self.resolver.find_all(spec, deadline, lookup).await;
        let cards: Vec<Option<Arc<Card>>> = found
            .iter()
            .map(|found| found.as_ref().ok().map(|it| Arc::clone(&it.card)))
            .collect();
        let checked = check::check(spec, &cards)?;
        let plain = check::representative(spec, &checked);
        let expanded = self.expanded(&plain);
        let plain = expanded.as_ref().map_or(&plain, |it| &it.spec);
        let prepared = self
            .prepare(plain, deadline, context.reads_only, lookup)
            .await;
        if prepared.problems.is_empty() {
            return Ok(checked);
        }
        let by_place = prepared
            .problems
            .into_iter()
            .map(|(index, error)| (plain.place(index), error));
        let mut problems: Vec<(usize, ResultError)> = by_place.collect();
        problems.dedup_by_key(|(place, _)| *place);
        Err(problems)
    }
}

/// Returns the end of the stage that begins at `start`. The next stage begins with a step that waits for one of this
/// stage, or with a write after a list whose further pages this stage reads: those pages must not show the write.
fn stage_end(checked: &[CheckedStep], start: usize) -> usize {
    let waits = |index: usize| checked[index].waits_for.iter().any(|step| *step >= start);
    let would_be_seen = |index: usize| {
        let mut before = checked[start..index].iter();
        checked[index].writes() && before.any(|it| it.selection.reads_more_pages())
    };
    (start + 1..checked.len())
        .find(|index| waits(*index) || would_be_seen(*index))
        .unwrap_or(checked.len())
}

/// A chain that runs stage by stage.
struct StagedRun<'a> {
    runner: &'a Runner,
    spec: &'a ChainSpec,
    checked: &'a [CheckedStep],
    earlier: EarlierResults<'a>,
    /// The first write of an earlier stage with an unknown outcome.
    unknown_write: Option<usize>,
    requests: usize,
    chunks: usize,
    adapter_ms: u64,
}

impl StagedRun<'_> {
    async fn run_stage(
        &mut self,
        stage: Range<usize>,
        deadline: Instant,
        watch: Watch<'_>,
        context: CallContext<'_>,
    ) {
        let stage_steps: Vec<_> = stage
            .clone()
            .map(|index| (index, self.stage_step(index, &stage)))
            .collect();
        let mut steps = Vec::new();
        let mut places = Vec::new();
        for (index, stage_step) in &stage_steps {
            if let StageStep::Run(runs) = stage_step {
                places.extend(runs.iter().map(|_| *index));
                steps.extend(runs.iter().cloned());
            }
        }
        let left = deadline.saturating_duration_since(self.runner.shared.clock.now());
        let chain = ChainSpec {
            steps: self.renumbered(steps, &places),
            places,
            timeout_ms: Some(millis(left).max(1)),
            passes_on: true,
            ..self.spec.clone()
        };
        let mut results = if chain.steps.is_empty() {
            Vec::new()
        } else {
            let outcome = Box::pin(self.runner.run(&chain, watch, context)).await;
            self.requests += outcome.requests;
            self.chunks += outcome.chunks;
            self.adapter_ms += outcome.timings.adapter_ms;
            outcome.steps
        };
        self.complete_lists(&chain, &mut results, context).await;
        let mut results = results.into_iter();
        for (index, stage_step) in stage_steps {
            let result = match stage_step {
                StageStep::Finished(result) => *result,
                StageStep::Run(runs) => {
                    let results: Vec<_> = results.by_ref().take(runs.len()).collect();
                    self.record_unknown_write(index, &results);
                    self.result_of(index, results)
                }
            };
            self.earlier.results[index] = Some(result);
        }
    }

    /// Decides what a step does in its stage.
    fn stage_step(&self, index: usize, stage: &Range<usize>) -> StageStep {
        let step = &self.spec.steps[index];
        let checked = &self.checked[index];
        let over = |result: StepResult| StageStep::Finished(Box::new(result));
        if let Some(doubtful) = self.unknown_write
            && self.writes(index)
        {
            let message = format!(
                "not sent: the outcome of step {doubtful} is unknown, and writes keep their order"
            );
            return over(self.skipped(index, message, doubtful));
        }
        if let Some(failed) = checked.waits_for.iter().find(|it| self.has_failed(**it)) {
            return over(self.skipped(
                index,
                format!("skipped: depends on step {failed}"),
                *failed,
            ));
        }
        if checked
            .when
            .as_ref()
            .is_some_and(|it| !self.earlier.holds(it))
        {
            let meta = ResultMeta {
                capability_id: step.request.capability.clone(),
                note: Some("not run: its condition does not hold".to_owned()),
                ..ResultMeta::default()
            };
            return over(StepResult::success(Value::Null, meta));
        }
        let inputs = match &checked.each {
            None => vec![step.request.input.clone()],
            Some((source, list)) => {
                let data = self.earlier.data(*source);
                let found = data
                    .map(|data| rows::in_list(list, data))
                    .unwrap_or_default();
                let is_source = |called: &str| self.earlier.step_index(called) == Some(*source);
                let input =
                    |row: &Value| rows::input_for(row, &step.request.input, list, is_source);
                found.iter().map(input).collect()
            }
        };
        if inputs.len() > ChainRequest::MOST_STEPS {
            let error = ChainRequest::too_many(inputs.len());
            return over(StepResult::failure(error, self.meta(index)));
        }
        let mut runs = Vec::new();
        for input in inputs {
            let filled = if self.spec.verbatim {
                Ok(input)
            } else {
                self.earlier.filled_in(input, |it| !stage.contains(&it))
            };
            let input = match filled {
                Ok(input) => input,
                Err(Unfilled::Failed(failed)) => {
                    let message = format!("skipped: depends on step {failed}");
                    return over(self.skipped(index, message, failed));
                }
                Err(Unfilled::NoValue(text)) => {
                    let message = format!("bad input: `{text}` has no value");
                    let error = ResultError::new(ErrorCode::Validation, message);
                    return over(StepResult::failure(error, self.meta(index)));
                }
            };
            let options = &step.request.options;
            let input = match &checked.card {
                Some(card) => pages::with_large_pages(card, options, input),
                None => input,
            };
            let mut run = step.clone();
            (run.each, run.when) = (None, None);
            run.request.input = input;
            run.request.options = checked
                .selection
                .page_options(checked.card.as_deref(), options);
            if checked.each.is_some() {
                run.name = None;
            }
            runs.push(run);
        }
        StageStep::Run(runs)
    }

    /// Changes references by number to steps of the same stage to their new places in it.
    fn renumbered(&self, mut steps: Vec<ChainStep>, places: &[usize]) -> Vec<ChainStep> {
        if self.spec.verbatim {
            return steps;
        }
        let new_number = |old: usize| places.iter().rposition(|it| *it == old).unwrap_or(old);
        for step in &mut steps {
            let input = std::mem::take(&mut step.request.input);
            let input = reference::renumbered(Value::Object(input), &new_number);
            step.request.input = input.as_object().cloned().unwrap_or_default();
        }
        steps
    }

    /// Reads the lists to their end that are wanted whole, then keeps the selected rows of all lists.
    async fn complete_lists(
        &mut self,
        chain: &ChainSpec,
        results: &mut [StepResult],
        context: CallContext<'_>,
    ) {
        let mut listings = Vec::new();
        for (at, result) in results.iter_mut().enumerate() {
            let index = chain.places[at];
            let options = &self.spec.steps[index].request.options;
            let is_sorted = options.sort.is_some();
            if let Some(card) = self.checked[index].card.as_deref()
                && (options.all || is_sorted)
                && result.is_ok()
            {
                let mut step = chain.steps[at].clone();
                step.request.options.limit = if is_sorted { None } else { options.limit };
                listings.push(Listing { card, step, result });
            }
        }
        if !listings.is_empty() {
            self.requests += self.runner.read_to_end(listings, chain, context).await;
        }
        for (at, result) in results.iter_mut().enumerate() {
            let index = chain.places[at];
            let checked = &self.checked[index];
            let list = checked.card.as_ref().and_then(|card| card.list.as_ref());
            if let Some(list) = list {
                let wanted = pages::wanted_rows(&self.spec.steps[index].request);
                checked
                    .selection
                    .apply(result, list, wanted, checked.is_used);
            }
        }
    }

    /// Returns the result of a step from the results of its runs.
    fn result_of(&self, index: usize, mut results: Vec<StepResult>) -> StepResult {
        let task = &self.spec.steps[index].request.capability;
        match (&self.checked[index].each, results.len()) {
            (None, 1) => results.remove(0),
            _ => rows::combined_result(&results, task, self.writes(index)),
        }
    }

    /// Records the first write with an unknown outcome.
    fn record_unknown_write(&mut self, index: usize, results: &[StepResult]) {
        let is_unknown = |result: &StepResult| result.outcome() == Outcome::Unknown;
        if self.unknown_write.is_none() && results.iter().any(is_unknown) {
            self.unknown_write = Some(index);
        }
    }

    fn writes(&self, index: usize) -> bool {
        self.checked[index].writes()
    }

    fn has_failed(&self, index: usize) -> bool {
        self.earlier
            .result(index)
            .is_none_or(|result| !result.is_ok())
    }

    fn meta(&self, index: usize) -> ResultMeta {
        ResultMeta {
            capability_id: self.spec.steps[index].request.capability.clone(),
            ..ResultMeta::default()
        }
    }

    fn skipped(&self, index: usize, message: String, because_of: usize) -> StepResult {
        let error = ResultError::new(ErrorCode::Cancelled, message).with_detail("step", because_of);
        let mut failure = Failure::not_sent(error);
        if self.writes(index) {
            failure.write_detail(Fact::Outcome);
        }
        StepResult::failure(failure, self.meta(index))
    }

    fn finish(self, started: Instant) -> ChainOutcome {
        let now = self.runner.shared.clock.now();
        let results = self.earlier.results.into_iter();
        ChainOutcome {
            steps: results.flatten().collect(),
            requests: self.requests,
            chunks: self.chunks,
            timings: Timings {
                total_ms: millis(now.saturating_duration_since(started)),
                adapter_ms: self.adapter_ms,
            },
        }
    }
}
