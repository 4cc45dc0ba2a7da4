//! Suggestions with everything that speaks for and against them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, LONGEST_INTENT, Mode, Node};
use capstan_core::port::Direction;
use capstan_core::{ErrorCode, ResultEnvelope, ResultError, ResultMeta};

use super::gather::{Candidate, FITS, Gathered, MOST};
use super::plan::SuggestedPlan;
use super::said::Said;
use crate::Capstan;
use crate::find::Hit;

/// What fits an intent, what to run, and how sure that is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggested {
    pub confidence: Confidence,
    pub suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<SuggestedPlan>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    High,
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
    /// How well it fits the intent, or its part of it, from 0 to 1.
    pub relevance: f64,
    /// (good uses + 1) / (uses + 1); 1 for what is not counted.
    pub reliability: f64,
    /// By what it was found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// An input to start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
    /// What it uses from others, by relations of the type dependency.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Something else for the same, where this one often fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
}

/// What fails more often is offered with something else beside it.
const RELIABLE: f64 = 0.8;

impl Capstan {
    /// What to run for an intent. Runs nothing.
    pub async fn suggest(&self, intent: &str) -> ResultEnvelope {
        let meta = ResultMeta {
            mode: Some(Mode::Suggestion),
            ..ResultMeta::default()
        };
        match self.suggested(intent, &Map::new()).await {
            Ok((suggested, warnings)) => {
                let note = self.note_for(intent, &suggested);
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
        let said = Said::of(intent);
        let Gathered {
            candidates,
            parts,
            warnings,
        } = self.gather(intent, &said).await;
        let is_sure = match parts {
            0 | 1 => candidates.first().is_some_and(|it| it.hit.score >= FITS),
            _ => candidates.iter().any(|it| it.step.is_some()),
        };
        let plan = match is_sure {
            true => self.plan_for(&candidates, &said, given).await,
            false => None,
        };
        let suggested = Suggested {
            confidence: match is_sure {
                true => Confidence::High,
                false => Confidence::Low,
            },
            suggestions: self.ranked(candidates).await,
            plan,
        };
        Ok((suggested, warnings))
    }

    fn note_for(&self, intent: &str, suggested: &Suggested) -> Option<String> {
        let intent = self.redactor().text(intent).into_owned();
        match (suggested.suggestions.is_empty(), suggested.confidence) {
            (true, _) => Some(format!(
                "nothing matches `{intent}`: use other words, or send code"
            )),
            (false, Confidence::Low) => Some(
                "nothing fits this well: look at what is near, use other words, or send code"
                    .to_owned(),
            ),
            (false, Confidence::High) => None,
        }
    }

    /// Steps of a plan before what merely fits the whole; within each, by worth.
    async fn ranked(&self, mut candidates: Vec<Candidate>) -> Vec<Suggestion> {
        candidates.sort_by(|one, two| {
            let (first, second) = (one.step.is_none(), two.step.is_none());
            first
                .cmp(&second)
                .then(worth(&two.hit).total_cmp(&worth(&one.hit)))
        });
        let all: Vec<(String, f64)> = candidates
            .iter()
            .map(|it| (it.hit.id.clone(), worth(&it.hit)))
            .collect();
        candidates.truncate(MOST);
        let mut suggestions = Vec::with_capacity(candidates.len());
        for Candidate { hit, gives, .. } in candidates {
            let explained = self.explain(&hit.id).await.ok();
            let reliability = hit.reliability.unwrap_or(1.0);
            let (needs, other) = self.around(&hit, &all).await;
            suggestions.push(Suggestion {
                score: rounded(worth(&hit)),
                relevance: rounded(hit.score),
                reliability: rounded(reliability),
                why: match gives {
                    true => "gives what the next step takes".to_owned(),
                    false => hit.why.unwrap_or_default(),
                },
                capability: hit.id,
                description: hit.description,
                kind: hit.kind,
                input: explained.and_then(|it| it.example),
                needs,
                alternative: other.filter(|_| reliability < RELIABLE),
            });
        }
        suggestions
    }

    /// What a hit uses, and what does the same: by relations, else the next best that fits as well.
    async fn around(&self, hit: &Hit, all: &[(String, f64)]) -> (Vec<String>, Option<String>) {
        let Ok(node) = self.node(&hit.id).await else {
            return (Vec::new(), None);
        };
        let Ok(atlas) = self.atlas().await else {
            return (Vec::new(), None);
        };
        let held = atlas.read();
        let edges = held.graph.edges(&node, Direction::Both);
        let shown = |node: &Node| held.label(node);
        let uses = edges
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Dependency && edge.from == node);
        let needs = uses.map(|edge| shown(&edge.to)).collect();
        let same = edges
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Alternative)
            .map(|edge| match edge.from == node {
                true => shown(&edge.to),
                false => shown(&edge.from),
            });
        let next = all
            .iter()
            .filter(|(id, worth_of_other)| *id != hit.id && *worth_of_other > worth(hit));
        let other = same.chain(next.map(|(id, _)| id.clone())).next();
        (needs, other)
    }
}

fn worth(hit: &Hit) -> f64 {
    hit.score * hit.reliability.unwrap_or(1.0)
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
