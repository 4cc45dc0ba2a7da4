//! Runs what is suggested for an intent: what only looks if it is sure and nothing is missing, what writes if
//! somebody has seen just this plan.
//!
//! What people say cannot be read so carefully that nothing is ever misread. So what is written is shown
//! before.

use serde_json::{Map, Value, json};

use capstan_core::{ChainRequest, ChainStep, ErrorCode, Options, ResultError, TaskRequest};

use super::answer::{self, Confidence, Suggested};
use super::plan::SuggestedPlan;
use crate::discovery::Discovery;
use capstan_exec::reference::as_meant;

/// What somebody agrees to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// To whatever is sure and only looks.
    ToLook,
    /// To the plan that this stands for (`plan.accept`).
    Of(String),
}

/// What is to be run for an intent.
#[derive(Clone, Debug)]
pub enum AcceptedPlan {
    /// By itself, where nothing in its input is read as a reference.
    One(TaskRequest),
    Several(ChainRequest),
}

impl Discovery {
    /// What an intent and what is given beside it come to. What is not sure, or not whole, is refused with
    /// what is missing: nothing is guessed when it is about to be run.
    pub async fn accepted(
        &self,
        intent: &str,
        input: &Map<String, Value>,
        acceptance: &Acceptance,
        options: &Options,
    ) -> Result<AcceptedPlan, ResultError> {
        let (suggested, _) = self.suggested(intent, input).await?;
        let Suggested {
            confidence,
            suggestions,
            plan,
            doubt,
            objection,
            writes,
            at_odds,
            ..
        } = suggested;
        let near: Vec<_> = suggestions.iter().map(|it| it.capability.clone()).collect();
        let plan = match (plan, confidence) {
            (Some(plan), Confidence::High) => plan,
            (plan, _) => {
                let refused = match doubt {
                    Some(doubt) => refusal(format!("the plan is not run: {doubt}")),
                    None => refusal(
                        "nothing fits `intent` well enough to be run: name the capability"
                            .to_owned(),
                    ),
                };
                let plan = plan.filter(|_| confidence == Confidence::Medium);
                return Err(match plan {
                    Some(plan) if !writes => refused.with_detail("mend", mend(&plan)),
                    // No call to repeat without thought: the words that were not read may forbid it.
                    Some(plan) => refused.with_detail("plan", json!(plan.steps)),
                    None => refused.with_detail("near", near),
                });
            }
        };
        if let Some(field) = at_odds.first() {
            return Err(refusal(answer::at_odds(field)).with_detail("mend", mend(&plan)));
        }
        if !plan.ready {
            return Err(incomplete(&plan));
        }
        let code = plan.code(intent);
        let problem = match acceptance {
            Acceptance::Of(given) if *given == code => None,
            Acceptance::Of(_) => Some("this is another plan than the one that was accepted"),
            Acceptance::ToLook if writes => Some("the plan writes, so it has to be seen before"),
            Acceptance::ToLook => None,
        };
        if let Some(problem) = problem {
            return Err(unseen(problem, intent, input, &plan, objection));
        }
        if let [step] = plan.steps.as_slice() {
            let written = step.input.iter();
            return Ok(AcceptedPlan::One(TaskRequest {
                capability: step.task.clone(),
                input: written.map(|(k, v)| (k.clone(), as_meant(v))).collect(),
                options: options.clone(),
                intent: Some(intent.to_owned()),
            }));
        }
        let steps = plan.steps.into_iter().map(|step| ChainStep {
            name: Some(step.name),
            request: TaskRequest {
                capability: step.task,
                input: step.input,
                options: options.clone(),
                intent: None,
            },
            ..ChainStep::default()
        });
        Ok(AcceptedPlan::Several(ChainRequest {
            steps: steps.collect(),
            intent: Some(intent.to_owned()),
            timeout_ms: options.timeout_ms,
            trace: options.trace,
        }))
    }
}

/// With the plan, and the call that accepts it.
fn unseen(
    problem: &str,
    intent: &str,
    input: &Map<String, Value>,
    plan: &SuggestedPlan,
    objection: Option<String>,
) -> ResultError {
    let code = plan.code(intent);
    let message = format!("{problem}: look at its steps, and accept it as `{code}`");
    let mut again = json!({"intent": intent, "accept": code});
    if !input.is_empty() {
        again["input"] = json!(input);
    }
    let mut error = refusal(message).with_detail("plan", json!(plan.steps));
    if let Some(objection) = objection {
        error = error.with_detail("mind", objection);
    }
    error.with_detail("mend", json!({"tool": "execute", "arguments": again}))
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
    refusal(message).with_detail("mend", mend(plan))
}

fn mend(plan: &SuggestedPlan) -> Value {
    json!({"tool": "execute", "arguments": {"steps": plan.steps}})
}

fn refusal(message: String) -> ResultError {
    ResultError::new(ErrorCode::Validation, message)
}
