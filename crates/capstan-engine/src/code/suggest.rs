//! What to run for an intent: the best matches, each with a call that is ready to send.

use serde::Serialize;
use serde_json::{Map, Value, json};

use capstan_core::card::Kind;
use capstan_core::code::{LONGEST_INTENT, Mode};
use capstan_core::{ErrorCode, ResultEnvelope, ResultError, ResultMeta};

use crate::Capstan;
use crate::find::{Hit, Search, Wanted};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    pub capability: String,
    pub description: String,
    pub kind: Kind,
    /// How well it fits, times how reliable it is; the best is 1.
    pub score: f64,
    /// For code: which share of its uses went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reliability: Option<f64>,
    /// An input to start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
}

/// How many suggestions there are at most.
const MOST: usize = 5;

impl Capstan {
    /// What to run for an intent. Runs nothing.
    pub async fn suggest(&self, intent: &str) -> ResultEnvelope {
        let meta = ResultMeta {
            mode: Some(Mode::Suggestion),
            ..ResultMeta::default()
        };
        let problem = match intent.len() {
            _ if intent.trim().is_empty() => Some("is empty: say what you want to do".to_owned()),
            len if len > LONGEST_INTENT => Some(format!(
                "is too long: say in a few words what you want to do, at most {LONGEST_INTENT} bytes"
            )),
            _ => None,
        };
        if let Some(problem) = problem {
            let message = format!("`intent` {problem}");
            return ResultEnvelope::failure(ResultError::new(ErrorCode::Validation, message), meta);
        }
        let wanted = Wanted {
            intent: Some(intent.to_owned()),
            ..Wanted::default()
        };
        let Search { hits, warnings } = self.search_all(&wanted).await;
        let suggestions = self.ranked(hits).await;
        let note = suggestions.is_empty().then(|| {
            let intent = self.redactor().text(intent).into_owned();
            format!("nothing matches `{intent}`: use other words, or send code")
        });
        let data = json!({"suggestions": suggestions});
        let meta = ResultMeta {
            note,
            warnings,
            ..meta
        };
        ResultEnvelope::success(data, meta)
    }

    async fn ranked(&self, hits: Vec<Hit>) -> Vec<Suggestion> {
        let worth = |hit: &Hit| hit.score * hit.reliability.unwrap_or(1.0);
        let mut hits = hits;
        hits.sort_by(|left, right| {
            worth(right)
                .total_cmp(&worth(left))
                .then(left.id.cmp(&right.id))
        });
        hits.truncate(MOST);
        let best = hits.first().map_or(1.0, worth).max(f64::MIN_POSITIVE);
        let mut suggestions = Vec::with_capacity(hits.len());
        for hit in hits {
            let score = (worth(&hit) / best * 100.0).round() / 100.0;
            let explained = self.explain(&hit.id).await.ok();
            suggestions.push(Suggestion {
                capability: hit.id,
                description: hit.description,
                kind: hit.kind,
                score,
                reliability: hit.reliability,
                input: explained.and_then(|it| it.example),
            });
        }
        suggestions
    }
}
