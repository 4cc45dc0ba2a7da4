//! What somebody may have meant by a name that nothing has: skills and code, beside the cards that the
//! catalogue knows.

use capstan_core::port::Filter;

use crate::Capstan;

/// How much two names have in common to be taken for each other, from 0 to 1.
const ALIKE: f64 = 0.75;

/// How many names are offered.
const MOST: usize = 3;

/// More names of code are not compared.
const MOST_COMPARED: u64 = 10_000;

/// What is longer, in bytes, is like no name: the work of comparing grows with its length.
const LONGEST: usize = 200;

impl Capstan {
    /// The names that are most like one: of skills that can be run and of named code, then those of cards.
    pub(super) async fn near(&self, name: &str, cards: Vec<String>) -> Vec<String> {
        if name.is_empty() || name.len() > LONGEST {
            return cards;
        }
        let wanted = name.to_lowercase();
        let mut alike: Vec<(f64, String)> = Vec::new();
        let mut add = |known: &str| {
            let likeness = strsim::normalized_levenshtein(&known.to_lowercase(), &wanted);
            if likeness >= ALIKE {
                alike.push((likeness, known.to_owned()));
            }
        };
        if let Some(library) = self.library() {
            library.ids().for_each(&mut add);
        }
        for known in self.names_of_named_code().await {
            add(&known);
        }
        alike.sort_by(|(left, a), (right, b)| right.total_cmp(left).then(a.cmp(b)));
        let mut near: Vec<String> = Vec::new();
        for (_, known) in alike {
            if near.len() == MOST {
                break;
            }
            // One that has errors cannot be run, so it is not offered.
            if !near.contains(&known) && !matches!(self.plan(&known).await, Some(Err(_))) {
                near.push(known);
            }
        }
        near.extend(cards);
        near.truncate(MOST);
        near
    }

    async fn names_of_named_code(&self) -> Vec<String> {
        let Some(store) = self.store() else {
            return Vec::new();
        };
        let named = Filter {
            named: Some(true),
            limit: Some(MOST_COMPARED),
            ..Filter::default()
        };
        let all = store.summaries(self.viewer(), &named).await;
        let records = all.unwrap_or_default().into_iter().map(|it| it.record);
        // Elsewhere a short name may mean something else.
        let own = records.filter(|it| it.scope == self.viewer().scope);
        own.map(|record| record.name.to_string()).collect()
    }
}
