//! Compares new code with older code: by what both call, and by their intents.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, Fqdn, Observation, Pattern, Timestamp};
use capstan_core::port::{Embedder as _, Resolved, Store};
use capstan_graph::{CodeFacts, related};

use crate::capability::store_error;
use crate::discovery::Discovery;
use crate::discovery::find::SearchRequest;

/// Maximum number of older pieces of code for each comparison: those of which the new code calls the largest
/// share, and those with the most similar intents. It also limits the number of learned relations per piece
/// of code and kind.
const MAX_COMPARED: usize = 20;

/// Code with a similar intent, before it is compared.
struct SimilarCode {
    calls: BTreeSet<String>,
    created_at: Timestamp,
    intent: String,
}

pub(super) async fn observations_for(
    discovery: &Discovery,
    store: &dyn Store,
    fqdn: &Fqdn,
) -> Result<Vec<Observation>, ResultError> {
    let viewer = discovery.shared.viewer();
    let found = store.resolve(viewer, fqdn.as_str()).await;
    let Resolved::Found(code, _) = found.map_err(|error| store_error(&error))? else {
        return Ok(Vec::new());
    };
    let new = CodeFacts {
        fqdn: fqdn.clone(),
        calls: code.pattern.calls.iter().cloned().collect(),
        created_at: code.record.created_at,
        similarity: None,
    };
    let working = CodeFacts {
        calls: working_calls(&code.pattern),
        ..new.clone()
    };
    let sharing = store.sharing(viewer, fqdn, MAX_COMPARED as u64).await;
    let sharing = sharing.map_err(|error| store_error(&error))?.into_iter();
    let sharing: Vec<_> = sharing
        .map(|it| CodeFacts {
            fqdn: it.fqdn,
            calls: it.calls.into_iter().collect(),
            created_at: it.created_at,
            similarity: None,
        })
        .collect();
    let intent = code.pattern.intent;
    let mut others = find_similar_code(discovery, &intent).await?;
    others.remove(fqdn);
    let similarities = similarities(discovery, &intent, &others).await?;
    let others: Vec<_> = others
        .into_iter()
        .zip(similarities)
        .map(|((fqdn, other), similarity)| CodeFacts {
            fqdn,
            calls: other.calls,
            created_at: other.created_at,
            similarity,
        })
        .collect();
    let mut observations = related(&working, &sharing);
    // Shared calls were already compared with all code, not only with similar intents.
    let find_similar_code = related(&new, &others).into_iter();
    observations.extend(find_similar_code.filter(|it| it.kind == EdgeKind::Alternative));
    Ok(observations)
}

/// Returns the calls of code without those that only failed when it was registered.
fn working_calls(pattern: &Pattern) -> BTreeSet<String> {
    let works = |call: &&String| !pattern.failed_calls.contains(call);
    pattern.calls.iter().filter(works).cloned().collect()
}

/// Returns the code that a search for the intent finds.
async fn find_similar_code(
    discovery: &Discovery,
    intent: &str,
) -> Result<BTreeMap<Fqdn, SimilarCode>, ResultError> {
    let request = SearchRequest {
        intent: Some(intent.to_owned()),
        kind: Some(Kind::Code),
        ..SearchRequest::default()
    };
    let found = discovery.search_all(&request).await.hits;
    let graph_cache = discovery.current_graph().await?;
    let state = graph_cache.read();
    let mut others = BTreeMap::new();
    for hit in found.into_iter().take(MAX_COMPARED) {
        let Some(fqdn) = hit.fqdn.and_then(|fqdn| Fqdn::parse(&fqdn).ok()) else {
            continue;
        };
        if let Some(summary) = state.code.get(&fqdn) {
            let other = SimilarCode {
                calls: summary.calls.iter().cloned().collect(),
                created_at: summary.record.created_at,
                intent: summary.intent.clone(),
            };
            others.insert(fqdn, other);
        }
    }
    Ok(others)
}

/// Returns the similarities of the intents, in the order of `others`; `None` without an embedder. If the
/// embedder fails, the code is compared another time.
async fn similarities(
    discovery: &Discovery,
    intent: &str,
    others: &BTreeMap<Fqdn, SimilarCode>,
) -> Result<Vec<Option<f32>>, ResultError> {
    let mut texts = vec![intent.to_owned()];
    texts.extend(others.values().map(|it| it.intent.clone()));
    let vectors = match discovery.embedder() {
        Some(embedder) if texts.len() > 1 => embedder.embed(&texts).await?,
        _ => Vec::new(),
    };
    let mut vectors = vectors.into_iter();
    let own = vectors.next().unwrap_or_default();
    let similarity = |_| Some(cosine(&own, &vectors.next()?));
    Ok(others.values().map(similarity).collect())
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let product = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let lengths = product(one, one) * product(other, other);
    if lengths > 0.0 {
        product(one, other) / lengths.sqrt()
    } else {
        0.0
    }
}
