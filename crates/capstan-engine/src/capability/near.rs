//! What somebody may have meant by a name that nothing has: skills and code, beside the cards that the
//! catalogue knows.

use capstan_core::port::Filter;
use capstan_core::similar::{self, MOST_SUGGESTED};

use crate::Capstan;

/// More names of code are not compared.
const MOST_COMPARED: u64 = 10_000;

impl Capstan {
    /// The names that are most like one: of skills that can be run and of named code, then those of cards.
    pub(super) async fn near(&self, name: &str, cards: Vec<String>) -> Vec<String> {
        let skills = self.library().into_iter().flat_map(|it| it.ids());
        let skills = skills.map(str::to_owned);
        let known = skills.chain(self.names_of_named_code().await);
        let mut near: Vec<String> = Vec::new();
        for known in similar::all(name, known) {
            if near.len() == MOST_SUGGESTED {
                break;
            }
            // One that has errors cannot be run, so it is not offered.
            if !matches!(self.plan(&known).await, Some(Err(_))) {
                near.push(known);
            }
        }
        near.extend(cards);
        near.truncate(MOST_SUGGESTED);
        near
    }

    /// The names of code that are most like one.
    pub(crate) async fn near_code(&self, name: &str) -> Vec<String> {
        similar::suggestions(name, self.names_of_named_code().await)
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
