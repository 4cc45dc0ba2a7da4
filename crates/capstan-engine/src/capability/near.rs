//! Which names are nearly the one that nothing has.

use capstan_core::port::Filter;
use capstan_core::similar;

use super::Directory;

/// More names of code are not compared.
const MOST_COMPARED: u64 = 10_000;

impl Directory {
    /// The names of code that are most like one.
    pub(crate) async fn near_code(&self, name: &str) -> Vec<String> {
        similar::suggestions(name, self.names_of_named_code().await)
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
