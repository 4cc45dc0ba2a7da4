//! Packs wants into requests, and splits an answer among them.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure, PartialError};
use capstan_core::{ErrorCode, GraphqlRequest, Outcome, Route, RouteRequest, ServiceName};
use capstan_graphql::{Batch, Documents, OperationKind, Part, alias};

use super::ChunkLimits;
use crate::attempt::{Purpose, Want};

/// A want that is waiting to be sent.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) step: usize,
    /// The capability of its step, for names in documents and logs.
    pub(super) task: String,
    /// `None` for GitHub.
    pub(super) service: Option<ServiceName>,
    pub(super) route: Route,
    pub(super) want: Want,
    /// How often it failed for a reason of its own.
    pub(super) tries: u32,
    /// The earliest time to send it.
    pub(super) due: Instant,
    /// The most wants that its request may carry.
    pub(super) most: usize,
    /// It was sent before.
    pub(super) again: bool,
}

impl Pending {
    pub(super) fn operation(&self) -> Operation {
        self.want.request.operation()
    }

    pub(super) fn is_batchable(&self) -> bool {
        matches!(self.want.request, RouteRequest::Graphql(_))
    }
}

/// One request, and the wants that wait for each part of its answer.
#[derive(Debug)]
pub(crate) struct Parcel {
    /// `None` for GitHub.
    pub(crate) service: Option<ServiceName>,
    pub(crate) route: Route,
    pub(crate) request: RouteRequest,
    /// Identical reads share a part.
    pub(super) parts: Vec<Vec<Pending>>,
    batch: Option<Batch>,
}

/// What a want gets when its parcel comes back.
#[derive(Clone, Debug)]
pub(super) enum Delivery {
    Answer(Answer),
    Failure(Failure),
    /// Its own failure made the whole request fail. If it is sent again, then alone.
    Culprit(Failure),
    /// Another want made the request fail: it may be sent again.
    Innocent,
    /// The request was too large: it may be sent again with at most so many wants.
    Fewer(usize),
    /// One of the wants made the request fail, but not which. Smaller requests can find out.
    Suspect(usize, Failure),
}

impl Parcel {
    /// Packs identical wants into a request of their own, with the document as it is.
    pub(super) fn alone(first: Pending, others: impl IntoIterator<Item = Pending>) -> Self {
        Self {
            service: first.service.clone(),
            route: first.route,
            request: first.want.request.clone(),
            parts: vec![std::iter::once(first).chain(others).collect()],
            batch: None,
        }
    }

    pub(super) fn operation(&self) -> Operation {
        self.request.operation()
    }

    pub(super) fn wants(&self) -> impl Iterator<Item = &Pending> {
        self.parts.iter().flatten()
    }

    /// Returns what a failure says about the effect of all writes in it. An error with a path into a part means
    /// that the operation ran: how far the writes got is unknown.
    pub(super) fn outcome_after(&self, failure: &Failure) -> Outcome {
        let Some(batch) = &self.batch else {
            return failure.outcome;
        };
        // An operation that was refused as a whole has `mutation` in front of the part.
        let ran = |error: &PartialError| {
            let first = error.path.get(..1);
            first.is_some_and(|first| batch.owner(first).is_some())
        };
        if failure.outcome == Outcome::NotApplied && failure.errors.iter().any(ran) {
            Outcome::Unknown
        } else {
            failure.outcome
        }
    }

    /// Splits a result among the wants.
    pub(super) fn open(self, result: Result<Answer, Failure>) -> Vec<(Pending, Delivery)> {
        let deliveries = match (&self.batch, result) {
            (None, Ok(answer)) => vec![Delivery::Answer(answer)],
            (None, Err(failure)) => vec![Delivery::Failure(failure)],
            (Some(batch), Ok(answer)) => self.share_answer(batch, answer),
            (Some(batch), Err(failure)) => self.share_failure(batch, &failure),
        };
        let takers = self.parts.into_iter().zip(deliveries);
        takers
            .flat_map(|(takers, delivery)| {
                // Answers can be large. Only identical reads, which share a part, need copies.
                let copies = takers.len();
                takers
                    .into_iter()
                    .zip(std::iter::repeat_n(delivery, copies))
            })
            .collect()
    }

    fn share_answer(&self, batch: &Batch, answer: Answer) -> Vec<Delivery> {
        let data = match answer.body {
            Value::Object(data) => data,
            _ => Map::new(),
        };
        let parts = batch.split(data);
        let mut errors: Vec<Vec<PartialError>> = vec![Vec::new(); parts.len()];
        let mut unplaced = Vec::new();
        for error in answer.errors {
            match batch.owner(&error.path) {
                Some((part, path)) => errors[part].push(PartialError { path, ..error }),
                None => unplaced.push(error),
            }
        }
        // An error without a path belongs to the parts that got neither data nor an error of their own. If there are
        // none, it belongs to all.
        let empty = |part: &Map<String, Value>| part.values().all(Value::is_null);
        let concerned: Vec<bool> = parts
            .iter()
            .zip(&errors)
            .map(|(part, errors)| empty(part) && errors.is_empty())
            .collect();
        let nobody = !concerned.contains(&true);
        for (errors, concerned) in errors.iter_mut().zip(concerned) {
            if concerned || nobody {
                errors.extend(unplaced.iter().map(|error| PartialError {
                    failure: error.failure.clone(),
                    path: Vec::new(),
                }));
            }
        }
        // A smaller request may succeed where this one was too large. Only reads can be repeated.
        let may_ask_again = self.operation() == Operation::Read && parts.len() > 1;
        let half = parts.len().div_ceil(2);
        parts
            .into_iter()
            .zip(errors)
            .map(|(part, errors)| {
                if may_ask_again && errors.iter().any(|error| error.failure.too_much) {
                    return Delivery::Fewer(half);
                }
                Delivery::Answer(Answer {
                    errors,
                    ..Answer::of(Value::Object(part))
                })
            })
            .collect()
    }

    /// Splits a failure without data. Parts that did not cause it may be sent again, unless they may have been applied.
    fn share_failure(&self, batch: &Batch, failure: &Failure) -> Vec<Delivery> {
        let count = self.parts.len();
        let all = || vec![Delivery::Failure(failure.clone()); count];
        let with_outcome = Failure {
            outcome: self.outcome_after(failure),
            ..failure.clone()
        };
        if !with_outcome.permits_repeating(self.operation()) {
            return vec![Delivery::Failure(with_outcome); count];
        }
        let mut blamed: Vec<Option<&PartialError>> = vec![None; count];
        for error in &failure.errors {
            if let Some((part, _)) = batch.owner(&error.path) {
                blamed[part].get_or_insert(error);
            }
        }
        // The place where the limit was hit says nothing about the cause.
        let half = count.div_ceil(2);
        if failure.too_much {
            return vec![Delivery::Fewer(half); count];
        }
        if blamed.iter().any(Option::is_some) {
            let deliver = |blamed: Option<&PartialError>| match blamed {
                Some(error) => Delivery::Culprit((*error.failure).clone()),
                None => Delivery::Innocent,
            };
            return blamed.into_iter().map(deliver).collect();
        }
        // No part is blamed. If the document is invalid, one of its parts is. A transient failure gets a second try as
        // it is.
        let passing = failure.error.code.is_transient();
        let tried = self.wants().all(|pending| pending.tries > 0);
        let limited = failure.error.code == ErrorCode::RateLimit;
        if !failure.errors.is_empty() && !limited && (!passing || tried) {
            return vec![Delivery::Suspect(half, failure.clone()); count];
        }
        all()
    }
}

/// Packs wants of one kind (only reads, or only writes) to GitHub or to one service into as few requests as the limits
/// allow. Keeps their order.
pub(super) fn pack(
    wants: Vec<Pending>,
    limits: &ChunkLimits,
    documents: &Mutex<Documents>,
) -> Vec<Parcel> {
    let mut parts = shared(wants);
    // A single part needs no merging, so no document is parsed.
    if parts.len() == 1 {
        return parts.pop().and_then(alone).into_iter().collect();
    }
    let mut documents = documents.lock().unwrap_or_else(PoisonError::into_inner);
    let mut parcels = Vec::new();
    let mut chunk = Chunk::default();
    for part in parts {
        let Some(weight) = Weight::of(&part, &mut documents) else {
            continue;
        };
        if !chunk.takes(&weight, limits) {
            parcels.extend(std::mem::take(&mut chunk).close(&mut documents));
        }
        chunk.add(part, &weight);
    }
    parcels.extend(chunk.close(&mut documents));
    parcels
}

/// Groups identical reads. Writes are never grouped: two identical writes are two effects.
fn shared(wants: Vec<Pending>) -> Vec<Vec<Pending>> {
    if wants.len() < 2 {
        return wants.into_iter().map(|want| vec![want]).collect();
    }
    let mut parts: IndexMap<String, Vec<Pending>> = IndexMap::new();
    for (index, want) in wants.into_iter().enumerate() {
        let key = match want.operation() {
            Operation::Read => {
                let request = serde_json::to_string(&want.want.request).unwrap_or_default();
                format!("{} {request}", want.most)
            }
            Operation::Write => index.to_string(),
        };
        parts.entry(key).or_default().push(want);
    }
    parts.into_values().collect()
}

/// The size that a part adds to a request.
struct Weight {
    operation: Operation,
    most: usize,
    nodes: u64,
    bytes: usize,
}

impl Weight {
    fn of(part: &[Pending], documents: &mut Documents) -> Option<Self> {
        let first = part.first()?;
        let request = graphql(first)?;
        let variables = serde_json::to_string(&request.variables).unwrap_or_default();
        // A document that cannot be parsed counts as zero nodes. The server will report what is wrong with it.
        let nodes = documents.count_nodes(
            &request.document,
            Some(&request.operation_name),
            &request.variables,
        );
        Some(Self {
            operation: request.operation,
            most: first.most,
            nodes: nodes.unwrap_or(0),
            bytes: request.document.len() + variables.len(),
        })
    }
}

#[derive(Default)]
struct Chunk {
    parts: Vec<Vec<Pending>>,
    most: Option<usize>,
    nodes: u64,
    bytes: usize,
}

impl Chunk {
    fn takes(&self, weight: &Weight, limits: &ChunkLimits) -> bool {
        let most = match weight.operation {
            Operation::Read => limits.reads,
            Operation::Write => limits.writes,
        };
        let most = most.min(weight.most).min(self.most.unwrap_or(usize::MAX));
        self.parts.is_empty()
            || (self.parts.len() < most
                && self.nodes.saturating_add(weight.nodes) <= limits.nodes
                && self.bytes + weight.bytes <= limits.bytes)
    }

    fn add(&mut self, part: Vec<Pending>, weight: &Weight) {
        self.most = Some(self.most.unwrap_or(usize::MAX).min(weight.most));
        self.nodes = self.nodes.saturating_add(weight.nodes);
        self.bytes += weight.bytes;
        self.parts.push(part);
    }

    /// Returns one request for all parts, or one each if they cannot be merged.
    fn close(self, documents: &mut Documents) -> Vec<Parcel> {
        let parts = self.parts;
        if parts.len() < 2 {
            return parts.into_iter().filter_map(alone).collect();
        }
        match batch(&parts, documents) {
            Some(batch) => {
                let first = parts.iter().flatten().next();
                let service = first.and_then(|first| first.service.clone());
                let request = RouteRequest::Graphql(GraphqlRequest {
                    operation_name: batch.operation_name.clone(),
                    document: batch.document.clone(),
                    variables: batch.variables.clone(),
                    operation: match batch.kind {
                        OperationKind::Query => Operation::Read,
                        OperationKind::Mutation => Operation::Write,
                    },
                });
                vec![Parcel {
                    service,
                    route: Route::Graphql,
                    request,
                    parts,
                    batch: Some(batch),
                }]
            }
            None => parts.into_iter().filter_map(alone).collect(),
        }
    }
}

fn alone(part: Vec<Pending>) -> Option<Parcel> {
    let mut takers = part.into_iter();
    takers.next().map(|first| Parcel::alone(first, takers))
}

fn batch(parts: &[Vec<Pending>], documents: &mut Documents) -> Option<Batch> {
    let firsts: Vec<_> = parts.iter().filter_map(|part| part.first()).collect();
    let aliases: Vec<_> = firsts.iter().map(|it| it.alias()).collect();
    let merged: Option<Vec<_>> = firsts
        .iter()
        .zip(&aliases)
        .map(|(first, alias)| {
            let request = graphql(first)?;
            Some(Part {
                alias,
                document: &request.document,
                operation_name: Some(&request.operation_name),
                variables: &request.variables,
            })
        })
        .collect();
    documents
        .merge(&merged?)
        .inspect_err(|error| tracing::warn!("sent one by one, because {error}"))
        .ok()
}

impl Pending {
    /// Returns a name such as `issue_view_3`, with the name of the lookup if it is one.
    fn alias(&self) -> String {
        match &self.want.purpose {
            Purpose::Lookup(name) => alias(&format!("{}.{name}", self.task), self.step),
            Purpose::Run => alias(&self.task, self.step),
        }
    }
}

fn graphql(pending: &Pending) -> Option<&GraphqlRequest> {
    match &pending.want.request {
        RouteRequest::Graphql(request) => Some(request),
        _ => None,
    }
}
