//! Which names are nearly the one that nothing has.

use capstan_core::port::Filter;

use super::Directory;

/// How much two names have in common to be taken for each other, from 0 to 1.
const ALIKE: f64 = 0.75;

/// How many names are offered.
pub(crate) const MOST_NEAR: usize = 3;

/// More names of code are not compared.
const MOST_COMPARED: u64 = 10_000;

/// What is longer, in bytes, is like no name: the work of comparing grows with its length.
pub(crate) const LONGEST_COMPARED: usize = 200;

impl Directory {
    /// The names of code that are most like one.
    pub(crate) async fn near_code(&self, name: &str) -> Vec<String> {
        if name.is_empty() || name.len() > LONGEST_COMPARED {
            return Vec::new();
        }
        let mut near = alike(name, self.names_of_named_code().await.into_iter());
        near.truncate(MOST_NEAR);
        near
    }

    pub(crate) async fn names_of_named_code(&self) -> Vec<String> {
        let Some(store) = self.shared.store() else {
            return Vec::new();
        };
        let named = Filter {
            named: Some(true),
            limit: Some(MOST_COMPARED),
            ..Filter::default()
        };
        let all = store.summaries(self.shared.viewer(), &named).await;
        let records = all.unwrap_or_default().into_iter().map(|it| it.record);
        // Elsewhere a short name may mean something else.
        let own = records.filter(|it| it.scope == self.shared.viewer().scope);
        own.map(|record| record.name.to_string()).collect()
    }
}

/// Those names that are like another, the most alike first.
pub(crate) fn alike(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
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
