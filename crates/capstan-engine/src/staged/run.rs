//! Runs a chain stage by stage.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use capstan_core::card::Card;
use capstan_core::{
    ChainRequest, ChainStep, ErrorCode, ResultEnvelope, ResultError, ResultMeta, Timings,
};

use super::check::{self, Checked};
use super::pages::{self, Listing};
use super::rows;
use super::scope::{Found, Unfilled};
use crate::Capstan;
use crate::capability::Lookup;
use crate::chain::Watch;
use crate::outcome::{self, ChainOutcome, millis};
use crate::recorder::Within;

/// What a stage runs for one step of the caller.
enum Turn {
    /// It is over without being run.
    Over(Box<ResultEnvelope>),
    /// It is run once, or once for each row.
    Runs(Vec<ChainStep>),
}

impl Capstan {
    /// Runs a chain whose steps may depend on what earlier ones found.
    pub(crate) async fn run_staged(
        &self,
        request: &ChainRequest,
        watch: Watch<'_>,
        within: Within<'_>,
    ) -> ChainOutcome {
        let settled = self.settled(request, within.asker).await;
        let mut outcome = self
            .run_settled_stages(&settled.request, watch, within)
            .await;
        settled.correct(&mut outcome.envelopes);
        outcome
    }

    async fn run_settled_stages(
        &self,
        request: &ChainRequest,
        watch: Watch<'_>,
        within: Within<'_>,
    ) -> ChainOutcome {
        let started = self.clock.now();
        let deadline = started + self.timeout(request);
        let checked = match self.check_staged(request, deadline, within).await {
            Ok(checked) => checked,
            Err(problems) => {
                return ChainOutcome {
                    envelopes: outcome::refused(request, problems),
                    requests: 0,
                    chunks: 0,
                    timings: Timings::default(),
                };
            }
        };
        let mut staged = Staged {
            capstan: self,
            request,
            checked: &checked,
            found: Found {
                steps: &request.steps,
                results: vec![None; request.steps.len()],
            },
            in_doubt: None,
            requests: 0,
            chunks: 0,
            adapter_ms: 0,
        };
        let mut next = 0;
        while next < request.steps.len() {
            let stage = next..stage_end(&checked, next);
            next = stage.end;
            staged.run_stage(stage, deadline, watch, within).await;
        }
        staged.finish(started)
    }

    /// Returns the chain with every `each` and `when` step run exactly once, for planning; `None` if it has no stages.
    pub(crate) async fn first_rows(
        &self,
        request: &ChainRequest,
    ) -> Result<Option<ChainRequest>, ResultError> {
        if !super::needs_stages(request) {
            return Ok(None);
        }
        let deadline = self.clock.now() + self.timeout(request);
        let found = self.find_all(request, deadline, Lookup::default()).await;
        let cards: Vec<_> = found
            .iter()
            .map(|found| found.as_ref().ok().map(|it| Arc::clone(&it.card)))
            .collect();
        match check::check(request, &cards) {
            Ok(checked) => Ok(Some(check::representative(request, &checked))),
            Err(problems) => Err(outcome::first_problem(problems, request.steps.len())),
        }
    }

    /// Checks all steps, those of later stages too.
    async fn check_staged(
        &self,
        request: &ChainRequest,
        deadline: Instant,
        within: Within<'_>,
    ) -> Result<Vec<Checked>, Vec<(usize, ResultError)>> {
        let lookup = Lookup {
            asker: within.asker,
            only: None,
        };
        let found = self.find_all(request, deadline, lookup).await;
        let cards: Vec<Option<Arc<Card>>> = found
            .iter()
            .map(|found| found.as_ref().ok().map(|it| Arc::clone(&it.card)))
            .collect();
        let checked = check::check(request, &cards)?;
        let plain = check::representative(request, &checked);
        let expanded = self.expanded(&plain);
        let plain = expanded.as_ref().map_or(&plain, |it| &it.request);
        let prepared = self
            .prepare(plain, deadline, within.reads_only, lookup)
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

/// The end of the stage that begins with a step. The next stage begins with a step that waits for one of this, or with
/// a write after a list of which this stage reads further pages: those must not show the write.
fn stage_end(checked: &[Checked], start: usize) -> usize {
    let waits = |index: usize| checked[index].waits_for.iter().any(|step| *step >= start);
    let would_be_seen = |index: usize| {
        let mut before = checked[start..index].iter();
        checked[index].writes() && before.any(|it| it.selection.reads_on())
    };
    (start + 1..checked.len())
        .find(|index| waits(*index) || would_be_seen(*index))
        .unwrap_or(checked.len())
}

struct Staged<'a> {
    capstan: &'a Capstan,
    request: &'a ChainRequest,
    checked: &'a [Checked],
    found: Found<'a>,
    /// The first write of an earlier stage of which nobody knows whether it happened.
    in_doubt: Option<usize>,
    requests: usize,
    chunks: usize,
    adapter_ms: u64,
}

impl Staged<'_> {
    async fn run_stage(
        &mut self,
        stage: Range<usize>,
        deadline: Instant,
        watch: Watch<'_>,
        within: Within<'_>,
    ) {
        let turns: Vec<_> = stage
            .clone()
            .map(|index| (index, self.turn(index, &stage)))
            .collect();
        let mut steps = Vec::new();
        let mut places = Vec::new();
        for (index, turn) in &turns {
            if let Turn::Runs(runs) = turn {
                places.extend(runs.iter().map(|_| *index));
                steps.extend(runs.iter().cloned());
            }
        }
        let left = deadline.saturating_duration_since(self.capstan.clock.now());
        let chain = ChainRequest {
            steps: self.renumbered(steps, &places),
            places,
            timeout_ms: Some(millis(left).max(1)),
            ..self.request.clone()
        };
        let mut envelopes = if chain.steps.is_empty() {
            Vec::new()
        } else {
            let outcome = Box::pin(self.capstan.run(&chain, watch, within)).await;
            self.requests += outcome.requests;
            self.chunks += outcome.chunks;
            self.adapter_ms += outcome.timings.adapter_ms;
            outcome.envelopes
        };
        self.complete_lists(&chain, &mut envelopes, within).await;
        let mut envelopes = envelopes.into_iter();
        for (index, turn) in turns {
            let result = match turn {
                Turn::Over(envelope) => *envelope,
                Turn::Runs(runs) => {
                    let results: Vec<_> = envelopes.by_ref().take(runs.len()).collect();
                    self.note_doubt(index, &results);
                    self.result_of(index, results)
                }
            };
            self.found.results[index] = Some(result);
        }
    }

    /// What a step runs in its stage.
    fn turn(&self, index: usize, stage: &Range<usize>) -> Turn {
        let step = &self.request.steps[index];
        let checked = &self.checked[index];
        let over = |envelope: ResultEnvelope| Turn::Over(Box::new(envelope));
        if let Some(doubtful) = self.in_doubt.filter(|_| self.writes(index)) {
            let message = format!(
                "not sent: nobody knows whether step {doubtful} happened, and writes keep their order"
            );
            return over(self.skipped(index, message, doubtful));
        }
        if let Some(failed) = checked.waits_for.iter().find(|it| self.failed(**it)) {
            return over(self.skipped(
                index,
                format!("skipped: depends on step {failed}"),
                *failed,
            ));
        }
        if checked
            .when
            .as_ref()
            .is_some_and(|it| !self.found.holds(it))
        {
            let meta = ResultMeta {
                capability_id: step.request.capability.clone(),
                note: Some("not run: its condition does not hold".to_owned()),
                ..ResultMeta::default()
            };
            return over(ResultEnvelope::success(Value::Null, meta));
        }
        let inputs = match &checked.each {
            None => vec![step.request.input.clone()],
            Some((source, list)) => {
                let data = self.found.data(*source);
                let found = data.map(|data| rows::of(list, data)).unwrap_or_default();
                let is_source = |called: &str| self.found.number(called) == Some(*source);
                let input =
                    |row: &Value| rows::input_for(row, &step.request.input, list, is_source);
                found.iter().map(input).collect()
            }
        };
        if inputs.len() > ChainRequest::MOST_STEPS {
            let error = ChainRequest::too_many(inputs.len());
            return over(ResultEnvelope::failure(error, self.meta(index)));
        }
        let mut runs = Vec::new();
        for input in inputs {
            let filled = if self.request.verbatim {
                Ok(input)
            } else {
                self.found.filled_in(input, |it| !stage.contains(&it))
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
                    return over(ResultEnvelope::failure(error, self.meta(index)));
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
        Turn::Runs(runs)
    }

    /// References by number to steps of the same stage follow them to their places in it.
    fn renumbered(&self, mut steps: Vec<ChainStep>, places: &[usize]) -> Vec<ChainStep> {
        if self.request.verbatim {
            return steps;
        }
        let new_number = |old: usize| places.iter().rposition(|it| *it == old).unwrap_or(old);
        for step in &mut steps {
            let input = std::mem::take(&mut step.request.input);
            let input = crate::chain::reference::renumbered(Value::Object(input), &new_number);
            step.request.input = input.as_object().cloned().unwrap_or_default();
        }
        steps
    }

    /// Reads the lists to their end that are wanted whole, and keeps the rows that are wanted.
    async fn complete_lists(
        &mut self,
        chain: &ChainRequest,
        envelopes: &mut [ResultEnvelope],
        within: Within<'_>,
    ) {
        let mut listings = Vec::new();
        for (at, envelope) in envelopes.iter_mut().enumerate() {
            let index = chain.places[at];
            let options = &self.request.steps[index].request.options;
            let is_sorted = options.sort.is_some();
            if let Some(card) = self.checked[index].card.as_deref()
                && (options.all || is_sorted)
                && envelope.ok
            {
                let mut step = chain.steps[at].clone();
                step.request.options.limit = options.limit.filter(|_| !is_sorted);
                listings.push(Listing {
                    card,
                    step,
                    envelope,
                });
            }
        }
        if !listings.is_empty() {
            self.requests += self.capstan.read_to_end(listings, chain, within).await;
        }
        for (at, envelope) in envelopes.iter_mut().enumerate() {
            let index = chain.places[at];
            let checked = &self.checked[index];
            let list = checked.card.as_ref().and_then(|card| card.list.as_ref());
            if let Some(list) = list {
                let wanted = pages::wanted_rows(&self.request.steps[index].request);
                checked
                    .selection
                    .apply(envelope, list, wanted, checked.is_used);
            }
        }
    }

    fn result_of(&self, index: usize, mut results: Vec<ResultEnvelope>) -> ResultEnvelope {
        let task = &self.request.steps[index].request.capability;
        match (&self.checked[index].each, results.len()) {
            (None, 1) => results.remove(0),
            _ => rows::together(&results, task, self.writes(index)),
        }
    }

    /// Remembers a write of which nobody knows whether it happened.
    fn note_doubt(&mut self, index: usize, results: &[ResultEnvelope]) {
        let is_unknown = |envelope: &ResultEnvelope| {
            let details = envelope.error.as_ref().map(|error| &error.details);
            details
                .and_then(|it| it.get("outcome"))
                .and_then(Value::as_str)
                == Some("unknown")
        };
        if self.in_doubt.is_none() && results.iter().any(is_unknown) {
            self.in_doubt = Some(index);
        }
    }

    fn writes(&self, index: usize) -> bool {
        self.checked[index].writes()
    }

    fn failed(&self, index: usize) -> bool {
        self.found.result(index).is_none_or(|result| !result.ok)
    }

    fn meta(&self, index: usize) -> ResultMeta {
        ResultMeta {
            capability_id: self.request.steps[index].request.capability.clone(),
            ..ResultMeta::default()
        }
    }

    fn skipped(&self, index: usize, message: String, because_of: usize) -> ResultEnvelope {
        let error = ResultError::new(ErrorCode::Cancelled, message).with_detail("step", because_of);
        let error = if self.writes(index) {
            error.with_detail("outcome", "not_applied")
        } else {
            error
        };
        ResultEnvelope::failure(error, self.meta(index))
    }

    fn finish(self, started: Instant) -> ChainOutcome {
        let now = self.capstan.clock.now();
        let results = self.found.results.into_iter();
        ChainOutcome {
            envelopes: results.flatten().collect(),
            requests: self.requests,
            chunks: self.chunks,
            timings: Timings {
                total_ms: millis(now.saturating_duration_since(started)),
                adapter_ms: self.adapter_ms,
            },
        }
    }
}
