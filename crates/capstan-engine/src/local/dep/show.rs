//! `dep.show`: shows one relation and its evidence.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::{Edge, EdgeSource, Evidence, Observed};

use super::view;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;
use crate::local::view::date;

pub(in crate::local) const ACTION: Action = Action {
    id: "dep.show",
    description: "Show a relation between two capabilities and the observations behind it",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "from": view::capability_schema("one end"),
            "to": view::capability_schema("the other"),
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": DEFAULT_LIMIT},
        });
        (properties, &["from", "to"])
    },
    example: || json!({"from": "issue.list", "to": "issue.view"}),
    intents: &[
        "why are these two related",
        "show the observations behind a dependency",
        "explain a relation",
        "where was this relation learned",
        "how sure is this dependency",
        "what is the evidence for a relation",
        "how often did one follow the other",
        "details of one dependency",
    ],
    run: |work| Box::pin(run(work)),
};

/// How many observations are returned if the caller sets no limit.
const DEFAULT_LIMIT: u64 = 20;

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = |field| input::text(work.input, field).unwrap_or_default();
    let (known, observed) = work
        .engine
        .discovery
        .relation(given("from"), given("to"))
        .await?;
    let limit = input::number(work.input, "limit").unwrap_or(DEFAULT_LIMIT);
    let shown = usize::try_from(limit).unwrap_or(usize::MAX);
    let rows: Vec<_> = observed.iter().take(shown).map(row).collect();
    let mut data = view::known_row(&known);
    let edge = &known.edge;
    if !known.is_declared {
        data.insert("created_at".to_owned(), date(edge.created_at).into());
        data.insert("last_observed".to_owned(), date(edge.last_observed).into());
    }
    data.insert("observations".to_owned(), rows.into());
    if observed.len() > shown {
        data.insert("observations_total".to_owned(), observed.len().into());
    }
    let elsewhere = elsewhere(edge, &observed);
    if elsewhere > 0 {
        data.insert("not_shown".to_owned(), elsewhere.into());
    }
    Ok(Value::Object(data).into())
}

/// Returns how many observations are not listed: those of other viewers, and of forgotten traces. A stated relation
/// counts as one observation, which its source shows.
fn elsewhere(edge: &Edge, observed: &[Observed]) -> u64 {
    let stated = matches!(edge.source, EdgeSource::Manual | EdgeSource::Template);
    edge.observed
        .saturating_sub(times(observed))
        .saturating_sub(stated.into())
}

/// Returns the sum of all observations, at most `u64::MAX`.
fn times(observed: &[Observed]) -> u64 {
    let times = observed.iter().map(|it| it.times);
    times.fold(0, u64::saturating_add)
}

fn row(observed: &Observed) -> Value {
    let why = match &observed.evidence {
        Evidence::Called => "called within".to_owned(),
        Evidence::Followed => "began after the other ended".to_owned(),
        Evidence::FollowedInSession => "executed after the other".to_owned(),
        Evidence::PassedOn(passed) => {
            let fields = passed
                .iter()
                .map(|it| format!("{} → {}", it.output, it.input));
            format!("passed on {}", fields.collect::<Vec<_>>().join(", "))
        }
        Evidence::SharedCalls(calls) => format!("both call {}", calls.join(", ")),
        Evidence::AlikeIntents(alike) => format!("intents alike by {alike:.2}"),
    };
    json!({
        "trace": observed.trace,
        "at": date(observed.at),
        "type": observed.kind.as_str(),
        "times": observed.times,
        "why": why,
    })
}

#[cfg(test)]
mod tests {
    use capstan_core::code::EdgeKind;

    use super::*;

    #[test]
    fn the_sum_of_observations_saturates() {
        let often = |times: u64| Observed {
            kind: EdgeKind::Contains,
            times,
            evidence: Evidence::Called,
            trace: None,
            at: 0,
        };
        assert_eq!(times(&[often(2), often(3)]), 5);
        assert_eq!(times(&[often(u64::MAX), often(3)]), u64::MAX);
    }
}
