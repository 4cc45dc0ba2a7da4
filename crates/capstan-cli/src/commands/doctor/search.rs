//! Whether meanings can be looked for by what the configuration names.

use capstan_core::port::Embedder;
use serde::Serialize;

use super::github::state;
use crate::output::Printer;

#[derive(Serialize)]
pub(super) struct SearchReport {
    model: String,
    ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl SearchReport {
    /// It is tried with one word.
    pub(super) async fn of(embedder: &dyn Embedder) -> Self {
        let tried = embedder.embed(&["ready".to_owned()]).await;
        Self {
            model: embedder.model().to_owned(),
            ready: tried.is_ok(),
            why: tried.err().map(|error| error.message),
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let told = match &self.why {
            None => Ok(self.model.as_str()),
            Some(why) => Err(why.as_str()),
        };
        state(printer, "search", told);
    }
}
