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
        let skills = self.library().into_iter().flat_map(|it| it.ids());
        let skills = skills.map(str::to_owned);
        let known = skills.chain(self.names_of_named_code().await);
        let mut near: Vec<String> = Vec::new();
        for known in alike(name, known) {
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

    /// The names of code that are most like one.
    pub(crate) async fn near_code(&self, name: &str) -> Vec<String> {
        if name.is_empty() || name.len() > LONGEST {
            return Vec::new();
        }
        let mut near = alike(name, self.names_of_named_code().await.into_iter());
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

/// Those names that are like another, the most alike first.
fn alike(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut alike: Vec<(f64, String)> = known
        .map(|known| {
            let likeness = strsim::normalized_levenshtein(&known.to_lowercase(), &wanted);
            (likeness, known)
        })
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|(left, a), (right, b)| right.total_cmp(left).then(a.cmp(b)));
    alike.into_iter().map(|(_, known)| known).collect()
}
