//! What new code has in common with other code: what both call, and what both are for.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, Fqdn, Observation, Pattern, Timestamp};
use capstan_core::port::{Embedder as _, Resolved, Store};
use capstan_graph::{CodeFacts, related};

use crate::capability::store_error;
use crate::discovery::Discovery;
use crate::discovery::find::Wanted;

/// With how many others it is compared: of those that are older, those of which it calls the largest share,
/// and those that sound most alike. So code has at most so many relations of each kind to older code by what
/// both have in common, however much of it there is.
const MOST: usize = 20;

/// Other code that sounds alike, before it is compared.
struct Other {
    calls: BTreeSet<String>,
    created_at: Timestamp,
    intent: String,
}

pub(super) async fn with_others(
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
    let sharing = store.sharing(viewer, fqdn, MOST as u64).await;
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
    let mut others = alike(discovery, &intent).await?;
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
    // What both call was compared with all there is, not only with what sounds alike.
    let alike = related(&new, &others).into_iter();
    observations.extend(alike.filter(|it| it.kind == EdgeKind::Alternative));
    Ok(observations)
}

/// What code calls, without what only failed when it was registered.
fn working_calls(pattern: &Pattern) -> BTreeSet<String> {
    let works = |call: &&String| !pattern.failed_calls.contains(call);
    pattern.calls.iter().filter(works).cloned().collect()
}

/// Code that a search for the intent finds.
async fn alike(discovery: &Discovery, intent: &str) -> Result<BTreeMap<Fqdn, Other>, ResultError> {
    let wanted = Wanted {
        intent: Some(intent.to_owned()),
        kind: Some(Kind::Code),
        domain: None,
    };
    let found = discovery.search_all(&wanted).await.hits;
    let atlas = discovery.atlas().await?;
    let held = atlas.read();
    let mut others = BTreeMap::new();
    for hit in found.into_iter().take(MOST) {
        let Some(fqdn) = hit.fqdn.and_then(|fqdn| Fqdn::parse(&fqdn).ok()) else {
            continue;
        };
        if let Some(summary) = held.code.get(&fqdn) {
            let other = Other {
                calls: summary.calls.iter().cloned().collect(),
                created_at: summary.record.created_at,
                intent: summary.intent.clone(),
            };
            others.insert(fqdn, other);
        }
    }
    Ok(others)
}

/// How alike the intents are, in the order of the others; unknown where nothing tells. An embedder that
/// fails is asked another time.
async fn similarities(
    discovery: &Discovery,
    intent: &str,
    others: &BTreeMap<Fqdn, Other>,
) -> Result<Vec<Option<f32>>, ResultError> {
    let mut texts = vec![intent.to_owned()];
    texts.extend(others.values().map(|it| it.intent.clone()));
    let vectors = match discovery.careful_embedder() {
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
    match lengths > 0.0 {
        true => product(one, other) / lengths.sqrt(),
        false => 0.0,
    }
}
