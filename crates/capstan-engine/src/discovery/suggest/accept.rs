//! Turns the plan for an intent into requests. A plan that only reads is accepted if it is certain and
//! complete. A plan that writes is accepted only with the code of exactly this plan.
//!
//! Natural language cannot be read without mistakes, so a write is shown before it is run.

use serde_json::{Map, Value, json};

use capstan_core::{ChainRequest, ChainStep, ErrorCode, Options, ResultError, TaskRequest};

use super::plan::SuggestedPlan;
use super::suggestions::{self, Confidence, IntentSuggestions};
use crate::discovery::Discovery;
use capstan_exec::reference::as_meant;

/// What the caller agrees to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Any plan that is certain and only reads.
    ReadOnly,
    /// The plan with this acceptance code (`plan.accept`).
    Plan(String),
}

/// The requests of an accepted plan.
#[derive(Clone, Debug)]
pub enum AcceptedPlan {
    /// A single step. Its input has no references to other steps.
    Single(TaskRequest),
    Chain(ChainRequest),
}

impl Discovery {
    /// Returns the requests for an intent and the input given with it. An uncertain or incomplete plan is
    /// refused with what is missing; nothing is guessed before a run.
    pub async fn accepted_plan(
        &self,
        intent: &str,
        input: &Map<String, Value>,
        acceptance: &Acceptance,
        options: &Options,
    ) -> Result<AcceptedPlan, ResultError> {
        let (suggested, _) = self.suggestions_for(intent, input).await?;
        let IntentSuggestions {
            confidence,
            suggestions,
            plan,
            doubt,
            objection,
            writes,
            conflicting_fields,
            ..
        } = suggested;
        let near: Vec<_> = suggestions.iter().map(|it| it.capability.clone()).collect();
        let plan = match (plan, confidence) {
            (Some(plan), Confidence::High) => plan,
            (plan, _) => {
                let refused = match doubt {
                    Some(doubt) => refusal(format!("the plan was not run: {doubt}")),
                    None => refusal(
                        "nothing fits `intent` well enough to be run: name the capability"
                            .to_owned(),
                    ),
                };
                return Err(match plan {
                    Some(plan) if confidence == Confidence::Medium && !writes => {
                        refused.with_detail("mend", corrected_call(&plan))
                    }
                    // No call that could be repeated without thought: the unread words may forbid it.
                    Some(plan) if confidence == Confidence::Medium => {
                        refused.with_detail("plan", json!(plan.steps))
                    }
                    _ => refused.with_detail("near", near),
                });
            }
        };
        if let Some(field) = conflicting_fields.first() {
            return Err(refusal(suggestions::conflict_message(field))
                .with_detail("mend", corrected_call(&plan)));
        }
        if !plan.ready {
            return Err(incomplete_plan(&plan));
        }
        let code = plan.acceptance_code(intent);
        let problem = match acceptance {
            Acceptance::Plan(given_input) if *given_input == code => None,
            Acceptance::Plan(_) => Some("this plan differs from the accepted one"),
            Acceptance::ReadOnly if writes => Some("the plan writes, so it must be reviewed first"),
            Acceptance::ReadOnly => None,
        };
        if let Some(problem) = problem {
            return Err(not_accepted(problem, intent, input, &plan, objection));
        }
        if let [step] = plan.steps.as_slice() {
            let written = step.input.iter();
            return Ok(AcceptedPlan::Single(TaskRequest {
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
        Ok(AcceptedPlan::Chain(ChainRequest {
            steps: steps.collect(),
            intent: Some(intent.to_owned()),
            timeout_ms: options.timeout_ms,
            trace: options.trace,
        }))
    }
}

/// The error for a plan that was not accepted, with the plan and the call that accepts it.
fn not_accepted(
    problem: &str,
    intent: &str,
    input: &Map<String, Value>,
    plan: &SuggestedPlan,
    objection: Option<String>,
) -> ResultError {
    let code = plan.acceptance_code(intent);
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

fn incomplete_plan(plan: &SuggestedPlan) -> ResultError {
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
    refusal(message).with_detail("mend", corrected_call(plan))
}

fn corrected_call(plan: &SuggestedPlan) -> Value {
    json!({"tool": "execute", "arguments": {"steps": plan.steps}})
}

fn refusal(message: String) -> ResultError {
    ResultError::new(ErrorCode::Validation, message)
}
