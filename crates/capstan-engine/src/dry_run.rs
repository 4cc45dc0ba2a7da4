//! What a run or a chain would send, without sending it.

use serde::Serialize;

use capstan_core::code::shown_name;
use capstan_core::{ChainRequest, ResultError, TaskRequest};

use capstan_skill::render::LevelShown;

use crate::capability::{Asker, Lookup};
use crate::chain::{Chain, ChainPlan, PlannedRequest, PlannedStep, Preparation, Prepared, levels};
use crate::router::plan;
use crate::{Capstan, outcome};

/// The requests of a run, in their order. What only a lookup can tell stands as `<$issue.id>`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DryRun {
    pub capability_id: String,
    pub requests: Vec<PlannedRequest>,
    /// Why a route was not chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Of a skill: its steps, level by level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<LevelShown>,
}

impl Capstan {
    /// Everything up to the first byte that would leave.
    pub async fn dry_run(&self, request: &TaskRequest) -> Result<DryRun, ResultError> {
        let chain = ChainRequest::of_one(request.clone());
        let ChainPlan { steps, levels } = self.dry_run_chain(&chain).await?;
        let requests = levels.into_iter().flat_map(|level| level.requests);
        let requests: Vec<_> = requests
            .map(|request| PlannedRequest {
                steps: Vec::new(),
                ..request
            })
            .collect();
        let step = steps.into_iter().next();
        match step {
            Some(PlannedStep {
                problem: Some(problem),
                ..
            }) => Err(problem),
            step => {
                let (skipped, order) = step
                    .map(|step| (step.skipped, step.order))
                    .unwrap_or_default();
                Ok(DryRun {
                    capability_id: request.capability.clone(),
                    requests,
                    skipped,
                    order,
                })
            }
        }
    }

    /// The requests of a chain, level by level. The error is that of the first bad step.
    pub async fn dry_run_chain(&self, request: &ChainRequest) -> Result<ChainPlan, ResultError> {
        let settled = self.settled(request, Asker::default()).await;
        let request = &*settled.request;
        // A step with `each` is planned for the first row that there will be.
        let staged = self.first_rows(request).await?;
        let request = staged.as_ref().unwrap_or(request);
        let expanded = self.expanded(request);
        let request = expanded.as_ref().map_or(request, |it| &it.request);
        let now = self.clock.now();
        let deadline = now + self.timeout(request);
        let Preparation {
            ready: prepared,
            problems,
        } = self
            .prepare(request, deadline, false, Lookup::default())
            .await;
        if !problems.is_empty() {
            return Err(outcome::first_problem(problems, request.steps.len()));
        }
        let environment = self.environment(&prepared).await;
        let mut chain = Chain::new(&prepared, self.surroundings(&environment, deadline, true));
        let levels = levels(&mut chain, now);
        let outcomes = chain.finish();
        let skipped = |prepared: &Prepared<'_>| {
            let input = prepared.with_stand_ins();
            let options = &prepared.request.options;
            plan(&prepared.card, &input, options, &environment)
                .into_iter()
                .filter_map(|candidate| Some((candidate.route, candidate.skipped?)))
                .map(|(route, (_, why))| format!("{route}: {why}"))
                .collect()
        };
        let steps = request
            .steps
            .iter()
            .zip(&prepared)
            .zip(outcomes.steps)
            .map(|((step, prepared), outcome)| PlannedStep {
                task: shown_name(&step.request.capability).into_owned(),
                name: step.name.clone(),
                route: outcome.chosen.map(|(route, _)| route),
                skipped: skipped(prepared),
                order: self.preview_of(prepared),
                problem: outcome.result.err(),
            })
            .collect();
        Ok(ChainPlan { steps, levels })
    }

    /// The steps of a skill; nothing of what is none.
    fn preview_of(&self, prepared: &Prepared<'_>) -> Vec<LevelShown> {
        let Some(plan) = prepared.behind.plan() else {
            return Vec::new();
        };
        let is_whole = prepared.references.is_empty();
        self.skill_preview(plan, is_whole.then_some(&prepared.input))
    }
}
