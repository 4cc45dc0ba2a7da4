//! Suggestions with everything that speaks for and against them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use capstan_core::card::Kind;
use capstan_core::code::{LONGEST_INTENT, Mode};
use capstan_core::{ErrorCode, ResultEnvelope, ResultError, ResultMeta};
use capstan_search::FITS;

use super::gather::{Candidate, Doubt, Gathered};
use super::plan::SuggestedPlan;
use crate::discovery::Discovery;

/// What fits an intent, what to run, and how sure that is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggested {
    pub confidence: Confidence,
    pub suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<SuggestedPlan>,
    /// What the intent says not to do, in its own words. No step does it, and the plan is not ready.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub negated: Vec<String>,
    /// The words of the intent that no step stands for, in its own words. The plan is not ready.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Why the plan is not to be run without a look at it, even if its steps are what was meant.
    #[serde(skip)]
    pub(super) doubt: Option<String>,
    /// What in the plan is not as it was said, as far as that can be told.
    #[serde(skip)]
    pub(super) objection: Option<String>,
    /// The plan changes something.
    #[serde(skip)]
    pub(super) writes: bool,
    /// What was given beside the intent and does not go with it.
    #[serde(skip)]
    pub(super) at_odds: Vec<String>,
}

/// How somebody says what they accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// `accept: true`
    Json,
    /// `--accept`
    Flags,
}

impl Wording {
    pub(super) fn accept(self, code: Option<&str>) -> String {
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
    /// Nothing fits well: what is suggested is near, not right.
    Low,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    pub capability: String,
    pub description: String,
    pub kind: Kind,
    /// `relevance` times `reliability`.
    pub score: f64,
    /// For one thing to do: how likely it is what was meant. For several: how near it comes to the best for
    /// its part.
    pub relevance: f64,
    /// (good uses + 1) / (uses + 1); 1 for what is not counted.
    pub reliability: f64,
    /// By what it was found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What the intent says for it, and nothing else.
    pub input: Map<String, Value>,
    /// Required inputs that the intent does not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What it uses from others, by relations of the type dependency.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Something else for the same, where this one often fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
}

/// How many suggestions there are at most.
const MOST: usize = 5;

/// What fails more often is offered with something else beside it.
const RELIABLE: f64 = 0.8;

/// What is nearly as relevant may stand for it.
const AS_GOOD: f64 = 0.8;

impl Discovery {
    /// What to run for an intent, and for what is given beside it. Runs nothing.
    pub async fn suggest(
        &self,
        intent: &str,
        given: &Map<String, Value>,
        wording: Wording,
    ) -> ResultEnvelope {
        let meta = ResultMeta {
            mode: Some(Mode::Suggestion),
            ..ResultMeta::default()
        };
        match self.suggested(intent, given).await {
            Ok((suggested, warnings)) => {
                let note = self.note_for(intent, &suggested, wording);
                let meta = ResultMeta {
                    note,
                    warnings,
                    ..meta
                };
                ResultEnvelope::success(json!(suggested), meta)
            }
            Err(error) => ResultEnvelope::failure(error, meta),
        }
    }

    pub(super) async fn suggested(
        &self,
        intent: &str,
        given: &Map<String, Value>,
    ) -> Result<(Suggested, Vec<String>), ResultError> {
        check(intent)?;
        let mut gathered = self.gather(intent).await;
        let planned = self.plan_for(intent, &gathered, given).await;
        let planned = planned.unwrap_or_default();
        for (giver, sure) in planned.givers {
            gathered.offer_giver(&giver, sure);
        }
        let affirmed = gathered.affirmed(intent);
        let Gathered {
            candidates,
            steps,
            warnings,
            doubt,
            negated,
            ..
        } = gathered;
        let fits = !steps.is_empty() && steps.iter().all(|step| step.sure >= f64::from(FITS));
        let is_certain = fits && doubt.is_none();
        let question = planned.is_question.then_some(Doubt::Question);
        let mask = |word: &String| self.shared.redactor.text(word).into_owned();
        let unread: Vec<String> = planned.unread.iter().map(mask).collect();
        let of_words = (!unread.is_empty()).then(|| Doubt::Unread(unread.clone()));
        let confidence = if !is_certain {
            Confidence::Low
        } else if question.is_some() || of_words.is_some() {
            Confidence::Medium
        } else {
            Confidence::High
        };
        let doubts = [doubt, question, of_words].into_iter().flatten();
        let mut doubts: Vec<_> = doubts.map(|doubt| doubt.to_string()).collect();
        if !fits && !doubts.is_empty() {
            doubts.push("no capability fits this well".to_owned());
        }
        let (mut plan, writes, at_odds) = (planned.plan, planned.writes, planned.at_odds);
        if let Some(plan) = &mut plan {
            plan.ready &= confidence == Confidence::High;
            if writes && plan.ready && at_odds.is_empty() {
                plan.accept = Some(plan.code(intent));
            }
        }
        let suggested = Suggested {
            confidence,
            suggestions: self.ranked(candidates, &affirmed, given).await,
            plan,
            negated,
            unread,
            doubt: (!doubts.is_empty()).then(|| doubts.join("; ")),
            objection: planned.objection,
            writes,
            at_odds,
        };
        Ok((suggested, warnings))
    }

    fn note_for(&self, intent: &str, suggested: &Suggested, wording: Wording) -> Option<String> {
        let intent = self.shared.redactor.text(intent).into_owned();
        match (suggested.suggestions.is_empty(), suggested.confidence) {
            (true, _) => Some(format!(
                "nothing matches `{intent}`: use other words, or send code"
            )),
            (false, Confidence::Low | Confidence::Medium) => Some(match &suggested.doubt {
                Some(doubt) if suggested.plan.is_none() => format!("there is no plan: {doubt}"),
                Some(doubt) => format!("look at the plan before you send it: {doubt}"),
                None => {
                    "nothing fits this well: look at what is near, use other words, or send code"
                        .to_owned()
                }
            }),
            (false, Confidence::High) if !suggested.at_odds.is_empty() => {
                suggested.at_odds.first().map(|field| at_odds(field))
            }
            (false, Confidence::High) => {
                let plan = suggested.plan.as_ref().filter(|plan| plan.ready)?;
                let accept = wording.accept(plan.accept.as_deref());
                Some(match (&suggested.objection, &plan.accept) {
                    (None, None) => format!("the plan is ready: the same with `{accept}` runs it"),
                    (None, Some(_)) => {
                        format!("the plan writes: if it is right, the same with `{accept}` runs it")
                    }
                    (Some(objection), None) => {
                        format!("the plan can be sent as `steps`, if it is right: {objection}")
                    }
                    (Some(objection), Some(_)) => format!(
                        "the plan writes, and {objection}: if it is right all the same, the same with \
                         `{accept}` runs it"
                    ),
                })
            }
        }
    }

    async fn ranked(
        &self,
        mut candidates: Vec<Candidate>,
        intent: &str,
        given: &Map<String, Value>,
    ) -> Vec<Suggestion> {
        candidates.sort_by(|one, two| two.worth().total_cmp(&one.worth()));
        let reliable: Vec<(String, f64)> = candidates
            .iter()
            .filter(|it| it.reliability() >= RELIABLE)
            .map(|it| (it.hit.id.clone(), it.relevance))
            .collect();
        candidates.truncate(MOST);
        let mut suggestions = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let (worth, reliability) = (candidate.worth(), candidate.reliability());
            let Candidate {
                hit,
                relevance,
                gives,
                part,
            } = candidate;
            let part = if part.is_empty() { intent } else { &part };
            let known = self.input_for(&hit.id, part, intent, given).await;
            let (input, missing) = known.unwrap_or_default();
            let (needs, same) = self.around(&hit.id).await;
            let as_good = reliable
                .iter()
                .find(|(_, its)| *its >= AS_GOOD * relevance)
                .map(|(id, _)| id.clone());
            let alternative = same.or(as_good).filter(|_| reliability < RELIABLE);
            suggestions.push(Suggestion {
                score: rounded(worth),
                relevance: rounded(relevance),
                reliability: rounded(reliability),
                why: match gives {
                    true => "gives what a step takes".to_owned(),
                    false => hit.why.unwrap_or_default(),
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
    fn worth(&self) -> f64 {
        self.relevance * self.reliability()
    }

    fn reliability(&self) -> f64 {
        self.hit.reliability.unwrap_or(1.0)
    }
}

/// What is wrong with a field that was given beside an intent.
pub(super) fn at_odds(field: &str) -> String {
    format!(
        "`input.{field}` says something else than `intent`, or no step takes it: leave it out, or send the \
         steps"
    )
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn check(intent: &str) -> Result<(), ResultError> {
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
