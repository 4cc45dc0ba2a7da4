//! Runs what would be suggested for an intent, if it is sure and nothing is missing.

use serde_json::{Map, Value, json};

use capstan_core::{ChainRequest, ChainStep, ErrorCode, Options, ResultError, TaskRequest};

use super::answer::{Confidence, Suggested};
use super::plan::SuggestedPlan;
use crate::Capstan;

impl Capstan {
    /// The chain that an intent and what is given beside it come to. What is not sure, or not whole, is
    /// refused with what is missing: nothing is guessed when it is about to be run.
    pub async fn accepted(
        &self,
        intent: &str,
        input: &Map<String, Value>,
        options: &Options,
    ) -> Result<ChainRequest, ResultError> {
        let (suggested, _) = self.suggested(intent, input).await?;
        let Suggested {
            confidence,
            suggestions,
            plan,
        } = suggested;
        let near: Vec<_> = suggestions.iter().map(|it| it.capability.clone()).collect();
        let Some(plan) = plan.filter(|_| confidence == Confidence::High) else {
            let message = "nothing fits `intent` well enough to be run: name the capability";
            return Err(refusal(message.to_owned()).with_detail("near", near));
        };
        if !plan.ready {
            return Err(incomplete(&plan));
        }
        let steps = plan.steps.into_iter().map(|step| ChainStep {
            name: Some(step.name),
            request: TaskRequest {
                capability: step.task,
                input: step.input,
                options: options.clone(),
                intent: None,
            },
        });
        Ok(ChainRequest {
            steps: steps.collect(),
            intent: Some(intent.to_owned()),
            timeout_ms: options.timeout_ms,
            trace: options.trace,
            ..ChainRequest::default()
        })
    }
}

fn incomplete(plan: &SuggestedPlan) -> ResultError {
    let missing: Vec<_> = plan
        .steps
        .iter()
        .filter(|step| !step.missing.is_empty())
        .map(|step| format!("{} of {}", step.missing.join(", "), step.task))
        .collect();
    let message = format!(
        "the plan lacks {}: give them in `input`, or fill in the steps and send them",
        missing.join("; ")
    );
    refusal(message).with_detail(
        "mend",
        json!({"tool": "execute", "arguments": {"steps": plan.steps}}),
    )
}

fn refusal(message: String) -> ResultError {
    ResultError::new(ErrorCode::Validation, message)
}
