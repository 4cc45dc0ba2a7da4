//! What new code has in common with other code: what both call, and what both are for.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_core::code::{Fqdn, Observation, Timestamp};
use capstan_core::port::{Embedder as _, Resolved, Store};
use capstan_graph::{CodeFacts, related};

use crate::Capstan;
use crate::capability::broken;
use crate::find::Wanted;

/// With how many others it is compared: those that call most of the same, and those that sound most alike.
const MOST: usize = 20;

/// Other code, before it is compared.
struct Other {
    calls: BTreeSet<String>,
    created_at: Timestamp,
    intent: Option<String>,
}

pub(super) async fn with_others(
    capstan: &Capstan,
    store: &dyn Store,
    fqdn: &Fqdn,
) -> Result<Vec<Observation>, ResultError> {
    let viewer = capstan.viewer();
    let found = store.resolve(viewer, fqdn.as_str()).await;
    let Resolved::Found(code, _) = found.map_err(|error| broken(&error))? else {
        return Ok(Vec::new());
    };
    let mut others: BTreeMap<Fqdn, Other> = BTreeMap::new();
    let sharing = store.sharing(viewer, fqdn, MOST as u64).await;
    for it in sharing.map_err(|error| broken(&error))? {
        let other = Other {
            calls: it.calls.into_iter().collect(),
            created_at: it.created_at,
            intent: None,
        };
        others.insert(it.fqdn, other);
    }
    let intent = code.pattern.intent;
    add_alike(capstan, &intent, &mut others).await?;
    others.remove(fqdn);
    let similarities = similarities(capstan, &intent, &others).await?;
    let new = CodeFacts {
        fqdn: fqdn.clone(),
        calls: code.pattern.calls.into_iter().collect(),
        created_at: code.record.created_at,
        similarity: None,
    };
    let others = others.into_iter().zip(similarities);
    let others: Vec<_> = others
        .map(|((fqdn, other), similarity)| CodeFacts {
            fqdn,
            calls: other.calls,
            created_at: other.created_at,
            similarity,
        })
        .collect();
    Ok(related(&new, &others))
}

/// Code that a search for the intent finds.
async fn add_alike(
    capstan: &Capstan,
    intent: &str,
    others: &mut BTreeMap<Fqdn, Other>,
) -> Result<(), ResultError> {
    let wanted = Wanted {
        intent: Some(intent.to_owned()),
        kind: Some(Kind::Code),
        domain: None,
    };
    let found = capstan.search_all(&wanted).await.hits;
    let atlas = capstan.atlas().await?;
    let held = atlas.read();
    for hit in found.into_iter().take(MOST) {
        let Some(fqdn) = hit.fqdn.and_then(|fqdn| Fqdn::parse(&fqdn).ok()) else {
            continue;
        };
        if let Some(summary) = held.code.get(&fqdn) {
            let other = others.entry(fqdn).or_insert_with(|| Other {
                calls: summary.calls.iter().cloned().collect(),
                created_at: summary.record.created_at,
                intent: None,
            });
            other.intent = Some(summary.intent.clone());
        }
    }
    Ok(())
}

/// How alike the intents are, in the order of the others; unknown where one has none, or nothing tells. An
/// embedder that fails is asked another time.
async fn similarities(
    capstan: &Capstan,
    intent: &str,
    others: &BTreeMap<Fqdn, Other>,
) -> Result<Vec<Option<f32>>, ResultError> {
    let mut texts = vec![intent.to_owned()];
    texts.extend(others.values().filter_map(|it| it.intent.clone()));
    let vectors = match capstan.careful_embedder() {
        Some(embedder) if texts.len() > 1 => embedder.embed(&texts).await?,
        _ => Vec::new(),
    };
    let mut vectors = vectors.into_iter();
    let own = vectors.next().unwrap_or_default();
    let similarity = |other: &Other| {
        let vector = other.intent.as_ref().and_then(|_| vectors.next())?;
        Some(cosine(&own, &vector))
    };
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
