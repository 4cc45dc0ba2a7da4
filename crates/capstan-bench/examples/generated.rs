//! Measures how often search finds the cards that people wrote, alone and among the generated cards:
//! `cargo run --release -p capstan-bench --example generated`.

use std::io::{Write as _, stdout};

use capstan_bench::Source;
use capstan_catalog::Catalog;
use capstan_embed::StaticModel;
use capstan_engine::{SearchRequest, built_in_documents, search_built_in};

const PLACES: [usize; 3] = [1, 5, 10];

fn main() -> anyhow::Result<()> {
    let written = Catalog::new(&capstan_cards::CARDS);
    let all = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    let queries = Source::own(built_in_documents(&written))?.queries;
    let model = StaticModel::built_in();
    for (name, catalog, with_generated) in [
        ("alone", &written, false),
        ("among generated cards, without them", &all, false),
        ("among generated cards", &all, true),
    ] {
        let mut found = [0_u32; PLACES.len()];
        for query in &queries {
            let request = SearchRequest {
                intent: Some(query.text.clone()),
                with_generated,
                ..SearchRequest::default()
            };
            let hits = search_built_in(catalog, &model, &request);
            let place = hits.iter().position(|hit| query.relevant.contains(&hit.id));
            for (found, most) in found.iter_mut().zip(PLACES) {
                *found += u32::from(place.is_some_and(|place| place < most));
            }
        }
        let recall = found.map(|found| f64::from(found) / queries.len() as f64);
        writeln!(
            stdout(),
            "{name}: recall {recall:.4?} at {PLACES:?} of {} queries",
            queries.len()
        )?;
    }
    Ok(())
}
