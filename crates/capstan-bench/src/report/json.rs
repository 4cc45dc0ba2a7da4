//! Renders a report as JSON.

use serde_json::{Map, Value, json};

use super::{METHODS, Report, name};
use crate::{Figures, Margin, Part};

impl Report {
    /// Returns one part, or all parts separately. Shares are from 0 to 1, rounded to four digits.
    pub fn json(&self, only: Option<Part>) -> Value {
        let counts = |part: &Part| only.is_none_or(|only| only == *part);
        let sources = self.rows.iter().map(|row| {
            let parts = row.figures.iter().filter(|(part, _)| counts(part));
            let parts = parts.map(|(part, figures)| {
                let methods = figures.iter().zip(METHODS);
                let methods = methods.map(|(it, method)| (key(name(method)), of(it)));
                let mut content: Map<_, _> = methods.collect();
                if let Some(margin) = row.margin(*part) {
                    content.insert("margin".to_owned(), of_margin(&margin));
                }
                (key(part.name()), Value::Object(content))
            });
            let mut content = json!({
                "source": row.source,
                "documents": row.documents,
                "parts": Value::Object(parts.collect()),
            });
            if let Some(names) = row.names {
                content["names_found"] = rounded(names).into();
            }
            content
        });
        let confidence = Part::EACH.into_iter().filter(counts).map(|part| {
            let it = self.confidence(part);
            let figures = json!({
                "threshold": rounded(f64::from(it.threshold)),
                "precision": rounded(it.precision),
                "recall": rounded(it.recall),
                "false_alarms": rounded(it.false_alarms),
                "own_queries": it.own,
                "foreign_queries": it.foreign,
            });
            (key(part.name()), figures)
        });
        json!({
            "model": self.model,
            "sources": sources.collect::<Vec<_>>(),
            "confidence": Value::Object(Map::from_iter(confidence)),
        })
    }
}

pub(crate) fn of(figures: &Figures) -> Value {
    json!({
        "queries": figures.queries,
        "recall_1": rounded(figures.recall_1),
        "recall_5": rounded(figures.recall_5),
        "recall_10": rounded(figures.recall_10),
        "mrr": rounded(figures.mrr),
    })
}

fn of_margin(margin: &Margin) -> Value {
    json!({
        "better": key(name(margin.better)),
        "recall_5": rounded(margin.difference),
        "interval_95": rounded(margin.interval),
        "is_below": margin.is_below(),
    })
}

pub(crate) fn key(name: &str) -> String {
    name.to_lowercase()
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
