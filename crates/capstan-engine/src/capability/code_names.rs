//! Names of code that are similar to a name that was not found.

use capstan_core::port::CodeFilter;
use capstan_core::similar;

use super::Directory;

/// How many names of code are compared.
const MOST_COMPARED: u64 = 10_000;

impl Directory {
    /// Returns the names of code that are most similar to `name`.
    pub(crate) async fn similar_code_names(&self, name: &str) -> Vec<String> {
        similar::suggestions(name, self.code_names().await)
    }

    /// Returns the names of all named code in the viewer's scope.
    pub(crate) async fn code_names(&self) -> Vec<String> {
        let Some(store) = self.shared.store() else {
            return Vec::new();
        };
        let named = CodeFilter {
            named: Some(true),
            limit: Some(MOST_COMPARED),
            ..CodeFilter::default()
        };
        let all = store.summaries(self.shared.viewer(), &named).await;
        let records = all.unwrap_or_default().into_iter().map(|it| it.record);
        // A short name from another scope may mean something else here.
        let own = records.filter(|it| it.scope == self.shared.viewer().scope);
        own.map(|record| record.name.to_string()).collect()
    }
}
