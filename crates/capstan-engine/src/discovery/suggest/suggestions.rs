//! Suggestions with the evidence for and against them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use capstan_core::card::Kind;
use capstan_core::code::{LONGEST_INTENT, Mode};
use capstan_core::{ErrorCode, ResultEnvelope, ResultError, ResultMeta};
use capstan_search::FITS;

use super::analysis::{Candidate, IntentAnalysis};
use super::doubt::Doubt;
use super::plan::SuggestedPlan;
use crate::discovery::Discovery;
use crate::envelope::redacted;

/// The capabilities that fit an intent, the plan to run, and the confidence in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntentSuggestions {
    pub confidence: Confidence,
    pub suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<SuggestedPlan>,
    /// The clauses that say what not to do, as they were written. No step does it, and the plan is not ready.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub negated: Vec<String>,
    /// The words of the intent that no step covers, as they were written. If there are any, the plan is not
    /// ready.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Why the plan should be reviewed before it is run, even if its steps are right.
    #[serde(skip)]
    pub(super) doubt: Option<String>,
    /// How the plan may differ from the intent.
    #[serde(skip)]
    pub(super) objection: Option<String>,
    /// Whether the plan writes.
    #[serde(skip)]
    pub(super) writes: bool,
    /// Fields of the given input that contradict the intent or that no step takes.
    #[serde(skip)]
    pub(super) conflicting_fields: Vec<String>,
}

/// The syntax in which the caller accepts a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptSyntax {
    /// `accept: true`
    Json,
    /// `--accept`
    Flags,
}

impl AcceptSyntax {
    pub(super) fn accept_option(self, code: Option<&str>) -> String {
        match (self, code) {
            (Self::Json, None) => "accept: true".to_owned(),
            (Self::Json, Some(code)) => format!("accept: \"{code}\""),
            (Self::Flags, None) => "--accept".to_owned(),
            (Self::Flags, Some(code)) => format!("--accept={code}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Every step fits well, and every word of the intent was read.
    High,
    /// Every step fits well, but not every word was read: the plan may be more or less than what was asked for.
    Medium,
    /// No capability fits well. The suggestions are only similar.
    Low,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    pub capability: String,
    pub description: String,
    pub kind: Kind,
    /// `relevance` times `reliability`.
    pub score: f64,
    /// For an intent with one clause: the likelihood that this is what was meant. For several clauses: the
    /// likelihood relative to the best candidate of its clause. From 0 to 1.
    pub relevance: f64,
    /// (successful uses + 1) / (uses + 1), or 1 if uses are not counted.
    pub reliability: f64,
    /// Why it was found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The input that the intent contains for it.
    pub input: Map<String, Value>,
    /// Required inputs that the intent does not contain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The names of its dependencies, from relations of the type dependency.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// An alternative, if this capability fails often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
}

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 5;

/// Below this reliability, a suggestion names an alternative.
const MIN_RELIABILITY: f64 = 0.8;

/// An alternative has at least this share of the relevance.
const MIN_ALTERNATIVE_RELEVANCE: f64 = 0.8;

impl Discovery {
    /// Suggests what to run for an intent and the input given with it. Runs nothing.
    pub async fn suggest(
        &self,
        intent: &str,
        given_input: &Map<String, Value>,
        syntax: AcceptSyntax,
    ) -> ResultEnvelope {
        let meta = ResultMeta {
            mode: Some(Mode::Suggestion),
            ..ResultMeta::default()
        };
        let envelope = match self.suggestions_for(intent, given_input).await {
            Ok((suggested, warnings)) => {
                let note = self.note_for(intent, &suggested, syntax);
                let meta = ResultMeta {
                    note,
                    warnings,
                    ..meta
                };
                ResultEnvelope::success(json!(suggested), meta)
            }
            Err(error) => ResultEnvelope::failure(error, meta),
        };
        // Inputs, plans and notes quote the words of the intent.
        redacted(&self.shared.redactor, envelope)
    }

    pub(super) async fn suggestions_for(
        &self,
        intent: &str,
        given_input: &Map<String, Value>,
    ) -> Result<(IntentSuggestions, Vec<String>), ResultError> {
        check_intent(intent)?;
        let mut analysis = self.analyze(intent).await;
        let planned = self.build_plan(intent, &analysis, given_input).await;
        let planned = planned.unwrap_or_default();
        for (producer, likelihood) in planned.producers {
            analysis.add_producer(&producer, likelihood);
        }
        let affirmed_text = analysis.affirmed_text(intent);
        let IntentAnalysis {
            candidates,
            steps,
            warnings,
            doubt,
            negated,
            ..
        } = analysis;
        let fits = !steps.is_empty() && steps.iter().all(|step| step.likelihood >= f64::from(FITS));
        let is_certain = fits && doubt.is_none();
        let question = planned.is_question.then_some(Doubt::Question);
        let mask = |word: &String| self.shared.redactor.text(word).into_owned();
        let unread: Vec<String> = planned.unread_words.iter().map(mask).collect();
        let unread_doubt = (!unread.is_empty()).then(|| Doubt::Unread(unread.clone()));
        let confidence = if !is_certain {
            Confidence::Low
        } else if question.is_some() || unread_doubt.is_some() {
            Confidence::Medium
        } else {
            Confidence::High
        };
        let doubts = [doubt, question, unread_doubt].into_iter().flatten();
        let mut doubts: Vec<_> = doubts.map(|doubt| doubt.to_string()).collect();
        if !fits && !doubts.is_empty() {
            doubts.push("no capability fits this well".to_owned());
        }
        let (mut plan, writes, conflicting_fields) =
            (planned.plan, planned.writes, planned.conflicting_fields);
        if let Some(plan) = &mut plan {
            plan.ready &= confidence == Confidence::High;
            if writes && plan.ready && conflicting_fields.is_empty() {
                plan.accept = Some(plan.acceptance_code(intent));
            }
        }
        let suggested = IntentSuggestions {
            confidence,
            suggestions: self.rank(candidates, &affirmed_text, given_input).await,
            plan,
            negated,
            unread,
            doubt: (!doubts.is_empty()).then(|| doubts.join("; ")),
            objection: planned.objection,
            writes,
            conflicting_fields,
        };
        Ok((suggested, warnings))
    }

    fn note_for(
        &self,
        intent: &str,
        suggested: &IntentSuggestions,
        syntax: AcceptSyntax,
    ) -> Option<String> {
        let intent = self.shared.redactor.text(intent).into_owned();
        match (suggested.suggestions.is_empty(), suggested.confidence) {
            (true, _) => Some(format!(
                "nothing matches `{intent}`: use other words, or send code"
            )),
            (false, Confidence::Low | Confidence::Medium) => Some(match &suggested.doubt {
                Some(doubt) if suggested.plan.is_none() => format!("there is no plan: {doubt}"),
                Some(doubt) => format!("look at the plan before you send it: {doubt}"),
                None => {
                    "nothing fits this well: look at the nearest ones, use other words, or send code"
                        .to_owned()
                }
            }),
            (false, Confidence::High) if !suggested.conflicting_fields.is_empty() => suggested
                .conflicting_fields
                .first()
                .map(|field| conflict_message(field)),
            (false, Confidence::High) => {
                let plan = suggested.plan.as_ref().filter(|plan| plan.ready)?;
                let accept = syntax.accept_option(plan.accept.as_deref());
                Some(match (&suggested.objection, &plan.accept) {
                    (None, None) => format!("the plan is ready: send the same with `{accept}` to run it"),
                    (None, Some(_)) => {
                        format!("the plan writes: if it is right, send the same with `{accept}` to \
                                 run it")
                    }
                    (Some(objection), None) => {
                        format!("the plan can be sent as `steps`, if it is right: {objection}")
                    }
                    (Some(objection), Some(_)) => format!(
                        "the plan writes, and {objection}: if it is still right, send the same with \
                         `{accept}` to run it"
                    ),
                })
            }
        }
    }

    async fn rank(
        &self,
        mut candidates: Vec<Candidate>,
        intent: &str,
        given_input: &Map<String, Value>,
    ) -> Vec<Suggestion> {
        candidates.sort_by(|one, two| two.score().total_cmp(&one.score()));
        let reliable: Vec<(String, f64)> = candidates
            .iter()
            .filter(|it| it.reliability() >= MIN_RELIABILITY)
            .map(|it| (it.hit.id.clone(), it.relevance))
            .collect();
        candidates.truncate(MAX_SUGGESTIONS);
        let mut suggestions = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let (score, reliability) = (candidate.score(), candidate.reliability());
            let Candidate {
                hit,
                relevance,
                is_producer,
                clause,
            } = candidate;
            let clause = if clause.is_empty() { intent } else { &clause };
            let known = self.input_for(&hit.id, clause, intent, given_input).await;
            let (input, missing) = known.unwrap_or_default();
            let (needs, alternative_by_relation) = self.dependencies_and_alternative(&hit.id).await;
            let as_good = reliable
                .iter()
                .find(|(_, relevance_of_other)| {
                    *relevance_of_other >= MIN_ALTERNATIVE_RELEVANCE * relevance
                })
                .map(|(id, _)| id.clone());
            let alternative = if reliability < MIN_RELIABILITY {
                alternative_by_relation.or(as_good)
            } else {
                None
            };
            suggestions.push(Suggestion {
                score: rounded(score),
                relevance: rounded(relevance),
                reliability: rounded(reliability),
                why: if is_producer {
                    "provides an input of a step".to_owned()
                } else {
                    hit.why.unwrap_or_default()
                },
                capability: hit.id,
                description: hit.description,
                kind: hit.kind,
                input,
                missing,
                needs,
                alternative,
            });
        }
        suggestions
    }
}

impl Candidate {
    fn score(&self) -> f64 {
        self.relevance * self.reliability()
    }

    fn reliability(&self) -> f64 {
        self.hit.reliability.unwrap_or(1.0)
    }
}

/// Returns the message about a field that contradicts the intent.
pub(super) fn conflict_message(field: &str) -> String {
    format!(
        "`input.{field}` contradicts `intent`, or no step takes it: leave it out, or send the steps"
    )
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn check_intent(intent: &str) -> Result<(), ResultError> {
    let problem = match intent.len() {
        _ if intent.trim().is_empty() => "is empty: say what you want to do".to_owned(),
        len if len > LONGEST_INTENT => format!(
            "is too long: say in a few words what you want to do, at most {LONGEST_INTENT} bytes"
        ),
        _ => return Ok(()),
    };
    let message = format!("`intent` {problem}");
    Err(ResultError::new(ErrorCode::Validation, message))
}
