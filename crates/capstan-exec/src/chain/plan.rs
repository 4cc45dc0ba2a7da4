//! Plans what a chain would send: runs the same state machine with made-up answers.

use std::time::Instant;

use serde::Serialize;

use capstan_core::RouteRequest;

use super::conduct::Chain;
use super::parcel::Parcel;

/// Requests that are sent at once. The next level waits for their answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedLevel {
    pub requests: Vec<PlannedRequest>,
}

/// One request. Values that only GitHub knows appear as `<$issue.id>`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedRequest {
    /// `lookup issue` or `run`; several, separated by commas, if the request carries several.
    pub purpose: String,
    /// The steps that it carries; empty for a run of one step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<usize>,
    #[serde(flatten)]
    pub request: RouteRequest,
}

/// Runs a chain to its end with made-up answers.
pub(crate) fn levels(chain: &mut Chain<'_>, now: Instant) -> Vec<PlannedLevel> {
    let mut levels = Vec::new();
    loop {
        let parcels = chain.ready(now);
        if parcels.is_empty() {
            return levels;
        }
        let requests = parcels.iter().map(planned).collect();
        levels.push(PlannedLevel { requests });
        for parcel in &parcels {
            chain.assume(parcel, now);
        }
    }
}

fn planned(parcel: &Parcel) -> PlannedRequest {
    let mut purposes: Vec<String> = Vec::new();
    let mut steps: Vec<usize> = Vec::new();
    for pending in parcel.wants() {
        let purpose = pending.want.purpose.to_string();
        if !purposes.contains(&purpose) {
            purposes.push(purpose);
        }
        if !steps.contains(&pending.step) {
            steps.push(pending.step);
        }
    }
    steps.sort_unstable();
    PlannedRequest {
        purpose: purposes.join(", "),
        steps,
        request: parcel.request.clone(),
    }
}
