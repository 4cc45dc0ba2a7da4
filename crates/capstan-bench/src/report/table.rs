//! Renders a report as a plain-text table.

use std::fmt::Write as _;

use capstan_search::Method;

use super::{METHODS, Report, name};
use crate::{Margin, Part};

impl Report {
    /// Returns a table with a line for each source and method. Shares are in percent. The line of the hybrid method
    /// ends with its recall@5 minus that of the better single method, and is marked if that is negative.
    pub fn table(&self, part: Part) -> String {
        let mut text = format!(
            "{:<29} {:>9} {:>7}  {:<10} {:>5} {:>5} {:>5} {:>5}  {}\n",
            "source", "documents", "queries", "method", "r@1", "r@5", "r@10", "mrr", "r@5 - better"
        );
        for row in &self.rows {
            for (index, (figures, method)) in row.of(part).iter().zip(METHODS).enumerate() {
                let (source, documents, queries) = match index {
                    0 => (
                        row.source.as_str(),
                        row.documents.to_string(),
                        figures.queries.to_string(),
                    ),
                    _ => ("", String::new(), String::new()),
                };
                let percent = |share: f64| format!("{:.1}", share * 100.0);
                let margin = match method {
                    Method::Hybrid => row.margin(part).map(|it| shown(&it)),
                    Method::Words | Method::Meaning => None,
                };
                let margin = margin.unwrap_or_default();
                let _ = writeln!(
                    text,
                    "{source:<29} {documents:>9} {queries:>7}  {:<10} {:>5} {:>5} {:>5} {:>5}{margin}",
                    name(method),
                    percent(figures.recall_1),
                    percent(figures.recall_5),
                    percent(figures.recall_10),
                    percent(figures.mrr),
                );
            }
        }
        let compared = self
            .rows
            .iter()
            .filter_map(|row| Some((row, row.margin(part)?)));
        let below = compared.filter(|(_, margin)| margin.is_below());
        let below: Vec<_> = below.map(|(row, _)| row.source.as_str()).collect();
        let _ = match below.as_slice() {
            [] => writeln!(text, "\nhybrid is nowhere below the better single method"),
            some => writeln!(
                text,
                "\nhybrid is below the better single method in {} of {} rows: {}",
                some.len(),
                self.rows.len(),
                some.join(", "),
            ),
        };
        let named = self.rows.iter().filter_map(|row| Some((row, row.names?)));
        let (names, sources) = named.fold((0.0, 0), |(sum, count), (row, names)| {
            (sum + names * row.documents as f64, count + row.documents)
        });
        let confidence = self.confidence(part);
        let _ = write!(
            text,
            "part {part}, vectors of {}\nnames that find what they name: {:.1} % of {sources}\n\
             score of at least {}: {:.1} % are right, {:.1} % of what is right has it",
            self.model,
            names * 100.0 / sources.max(1) as f64,
            confidence.threshold,
            confidence.precision * 100.0,
            confidence.recall * 100.0,
        );
        // Without foreign queries there can be no false acceptances.
        if confidence.foreign > 0 {
            let _ = write!(
                text,
                "; {:.1} % of {} queries of other sources reach it",
                confidence.false_alarms * 100.0,
                confidence.foreign,
            );
        }
        text.push('\n');
        text
    }
}

/// Formats the difference with its paired 95 % interval, in percentage points.
fn shown(margin: &Margin) -> String {
    let (difference, interval) = (margin.difference * 100.0, margin.interval * 100.0);
    let mark = if margin.is_below() { " below" } else { "" };
    format!("  {difference:+.1} ± {interval:.1}{mark}")
}
