//! A GraphQL request with its document, which is parsed once for all who look at it.

use apollo_compiler::ast::Document;
use apollo_compiler::validation::{DiagnosticList, WithErrors};
use serde_json::Value;

/// The body of a request (`query`, `variables`, `operationName`), read.
#[derive(Debug)]
pub(crate) struct Request {
    body: Value,
    document: Result<Document, WithErrors<Document>>,
}

impl Request {
    pub(crate) fn read(body: Value) -> Self {
        let source = body["query"].as_str().unwrap_or_default();
        Self {
            document: Document::parse(source, "query"),
            body,
        }
    }

    pub(super) fn has_document(&self) -> bool {
        self.body["query"].is_string()
    }

    /// The document; of one with syntax errors, the parts that could be read.
    pub(super) fn document(&self) -> &Document {
        match &self.document {
            Ok(document) => document,
            Err(errors) => &errors.partial,
        }
    }

    pub(super) fn syntax_errors(&self) -> Option<&DiagnosticList> {
        self.document.as_ref().err().map(|broken| &broken.errors)
    }

    /// The operation that is to run, where the document has several.
    pub(super) fn operation_name(&self) -> Option<&str> {
        let name = self.body["operationName"].as_str();
        name.filter(|name| !name.is_empty())
    }

    pub(super) fn variables(&self) -> &Value {
        &self.body["variables"]
    }
}
