//! The state of the embedding model that the configuration names.

use capstan_core::port::Embedder;
use serde::Serialize;

use super::github::print_status;
use crate::output::Printer;

#[derive(Serialize)]
pub(super) struct SearchReport {
    model: String,
    ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl SearchReport {
    /// Tries the model with one word.
    pub(super) async fn try_model(embedder: &dyn Embedder) -> Self {
        let tried = embedder.embed(&["ready".to_owned()]).await;
        Self {
            model: embedder.model().to_owned(),
            ready: tried.is_ok(),
            why: tried.err().map(|error| error.message),
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let status = match &self.why {
            None => Ok(self.model.as_str()),
            Some(why) => Err(why.as_str()),
        };
        print_status(printer, "search", status);
    }
}
