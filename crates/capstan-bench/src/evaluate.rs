//! Runs every query with every search method.

use capstan_search::{Document, Index, Method, Query as SearchRequest, SearchHit};

use crate::confidence::ConfidenceCounts;
use crate::corpus::{Corpus, Part, Query, Source};
use crate::figures::{Figures, PLACES, QueryRanks};
use crate::margin::Margin;
use crate::report::{METHODS, Report, Row};
use crate::{BenchError, Embed};

/// Measures search by words, by meaning and by both: for each source among its own documents, and among those of its
/// pools.
pub fn evaluate(corpus: &Corpus, embed: &dyn Embed) -> Result<Report, BenchError> {
    let mut rows = Vec::new();
    let mut tallies = Part::EACH.map(|part| (part, ConfidenceCounts::default()));
    for source in &corpus.sources {
        if source.queries.is_empty() {
            return Err(BenchError::Empty {
                source_name: source.name.clone(),
            });
        }
        let index = index(&source.documents, embed)?;
        let names = names(&source.documents, &index, embed)?;
        rows.push(row(source, &index, embed, Some(names))?);
        for (part, tally) in &mut tallies {
            tally.add(corpus, source, &index, embed, *part)?;
        }
    }
    for pool in corpus.pools() {
        // All sources of a pool have the same documents.
        let documents = pool.first().map_or(&[][..], |it| &it.documents);
        let index = index(documents, embed)?;
        for source in &pool {
            rows.push(row(source, &index, embed, None)?);
        }
    }
    Ok(Report {
        model: embed.model().to_owned(),
        rows,
        confidence: tallies.map(|(part, tally)| (part, tally.confidence())),
    })
}

fn index(documents: &[Document], embed: &dyn Embed) -> Result<Index, BenchError> {
    let mut index = Index::new(embed.model(), embed.dimension());
    for document in documents {
        let texts = document.texts();
        let vectors: Vec<_> = texts.iter().map(|text| embed.embed(text)).collect();
        index.put(document, &vectors)?;
    }
    Ok(index)
}

fn row(
    source: &Source,
    index: &Index,
    embed: &dyn Embed,
    names: Option<f64>,
) -> Result<Row, BenchError> {
    let mut answers: [Vec<(Part, QueryRanks)>; 3] = Default::default();
    for query in &source.queries {
        let asked = EmbeddedQuery::new(index, embed, &query.text);
        for (answers, method) in answers.iter_mut().zip(METHODS) {
            let found = asked.by(method, PLACES)?;
            answers.push((query.part, answer(query, &found)));
        }
    }
    let figures = Part::EACH.map(|part| {
        let figures = answers.each_ref().map(|answers| {
            let own = answers.iter().filter(|(half, _)| part.has(*half));
            Figures::of(own.map(|(_, answer)| answer))
        });
        (part, figures)
    });
    let margins = Part::EACH.map(|part| {
        let [words, meaning, hybrid] = answers.each_ref().map(|answers| {
            let own = answers.iter().filter(|(half, _)| part.has(*half));
            own.map(|(_, answer)| answer).collect::<Vec<_>>()
        });
        (part, Margin::from_answers(&words, &meaning, &hybrid))
    });
    Ok(Row {
        source: source.name.clone(),
        documents: source.documents.len(),
        figures,
        margins,
        names,
    })
}

/// Returns the share of names for which the first result is the named document.
fn names(documents: &[Document], index: &Index, embed: &dyn Embed) -> Result<f64, BenchError> {
    let mut names = 0;
    let mut found = 0;
    for document in documents {
        for name in document.names.iter().chain([&document.id]) {
            let first = EmbeddedQuery::new(index, embed, name).first()?;
            let is_it = first.is_some_and(|first| {
                let same = documents.iter().find(|it| it.id == first.key);
                same.is_some_and(|it| it.id == *name || it.names.contains(name))
            });
            names += 1_u32;
            found += usize::from(is_it);
        }
    }
    Ok(found as f64 / f64::from(names.max(1)))
}

fn answer(query: &Query, found: &[SearchHit]) -> QueryRanks {
    let is_relevant = |it: &SearchHit| query.relevant.contains(&it.key);
    let places = found.iter().enumerate();
    QueryRanks {
        places: places
            .filter_map(|(place, it)| is_relevant(it).then_some(place))
            .collect(),
        relevant: query.relevant.len(),
        mode: query.mode,
    }
}

/// A query with its vectors.
pub(crate) struct EmbeddedQuery<'a> {
    index: &'a Index,
    text: &'a str,
    vectors: Vec<Vec<f32>>,
}

impl<'a> EmbeddedQuery<'a> {
    pub(crate) fn new(index: &'a Index, embed: &dyn Embed, text: &'a str) -> Self {
        let vectors = index.parts(text).iter().map(|it| embed.embed(it)).collect();
        Self {
            index,
            text,
            vectors,
        }
    }

    pub(crate) fn first(&self) -> Result<Option<SearchHit>, BenchError> {
        Ok(self.by(Method::Hybrid, 1)?.into_iter().next())
    }

    fn by(&self, method: Method, limit: usize) -> Result<Vec<SearchHit>, BenchError> {
        let wanted = SearchRequest {
            text: self.text,
            vectors: &self.vectors,
            limit,
            method,
            priors: &[],
        };
        Ok(self.index.search(&wanted, &|_, _| true)?)
    }
}
