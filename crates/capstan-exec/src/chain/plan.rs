//! What a chain would send, without sending it: the same conversation with made-up answers.

use std::time::Instant;

use serde::Serialize;

use capstan_core::RouteRequest;

use super::conduct::Chain;
use super::parcel::Parcel;

/// Requests that leave at once. The next level waits for their answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedLevel {
    pub requests: Vec<PlannedRequest>,
}

/// One request. What only GitHub can tell stands as `<$issue.id>`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedRequest {
    /// What it is for: `lookup issue`, or `run`; several where they travel together.
    pub purpose: String,
    /// Whose it is; nothing for a run of one step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<usize>,
    #[serde(flatten)]
    pub request: RouteRequest,
}

/// Plays a chain to its end.
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
