//! Plans what a run or a chain would send, without sending it.

use serde::Serialize;

use capstan_core::code::shown_name;
use capstan_core::{ResultError, Route, TaskRequest};
use capstan_exec::{ChainSpec, PlannedLevel, PlannedRequest, PreparedStep};

use capstan_skill::render::LevelShown;

use super::runner::PreparedChain;
use crate::capability::{Asker, Implementation, Lookup};
use crate::run::Runner;
use crate::step_result::first_problem;
use crate::words::LoginSource;

/// The requests of a run, in their order. Values that only a lookup can find are written as `<$issue.id>`.
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

/// The requests of a chain, level by level. The requests of one level are sent at once; the next level waits for
/// their answers. Values that only GitHub knows are written as `<$issue.id>`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainPlan {
    pub steps: Vec<PlannedStep>,
    pub levels: Vec<PlannedLevel>,
}

/// One step of a planned chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedStep {
    pub task: String,
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<Route>,
    /// Why a route was not chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Of a skill: its steps, level by level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<LevelShown>,
    /// Why the step cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ResultError>,
}

impl Runner {
    /// Returns the requests that a run would send.
    pub(crate) async fn dry_run(&self, request: &TaskRequest) -> Result<DryRun, ResultError> {
        let spec = ChainSpec::from_task(request.clone());
        let ChainPlan { steps, levels } = self.plan_chain(&spec).await?;
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

    /// Returns the requests that a chain would send. The error is that of the first invalid step.
    pub(crate) async fn plan_chain(&self, request: &ChainSpec) -> Result<ChainPlan, ResultError> {
        let settled = self
            .words
            .settle(request, Asker::default(), LoginSource::Memory);
        let settled = settled.await;
        // A step with `each` is planned for the first row of its list.
        let first_rows = self.first_rows(&settled.spec).await?;
        let unexpanded = first_rows.as_ref().unwrap_or(&settled.spec);
        let expanded = self.expanded(unexpanded);
        let spec = expanded.as_ref().map_or(unexpanded, |it| &it.spec);
        let deadline = self.shared.clock.now() + self.timeout(spec);
        let prepared = self.prepare(spec, deadline, false, Lookup::default());
        let PreparedChain {
            steps: prepared,
            implementations,
            problems,
        } = prepared.await;
        if !problems.is_empty() {
            return Err(first_problem(problems, spec.steps.len()));
        }
        let plan = self.shared.executor.plan(&prepared, deadline).await;
        let ends = plan.steps.into_iter().zip(plan.skipped);
        let steps = prepared
            .iter()
            .zip(&implementations)
            .zip(ends)
            .map(|((prepared, implementation), (end, skipped))| {
                let step = &spec.steps[prepared.index];
                PlannedStep {
                    task: shown_name(&step.request.capability).into_owned(),
                    name: step.name.clone(),
                    route: end.route.map(|(route, _)| route),
                    skipped,
                    order: self.preview_of(prepared, implementation),
                    problem: end.result.err().map(|failure| failure.error),
                }
            })
            .collect();
        Ok(ChainPlan {
            steps,
            levels: plan.levels,
        })
    }

    /// Returns the steps of a skill, level by level; nothing for other capabilities.
    fn preview_of(
        &self,
        prepared: &PreparedStep<'_>,
        implementation: &Implementation,
    ) -> Vec<LevelShown> {
        let Some(plan) = implementation.plan() else {
            return Vec::new();
        };
        let is_whole = prepared.references.is_empty();
        self.resolver
            .plans
            .skill_preview(plan, is_whole.then_some(&prepared.input))
    }
}
