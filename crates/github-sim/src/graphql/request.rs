//! A GraphQL request with its document, which is parsed once.

use apollo_compiler::ast::Document;
use apollo_compiler::validation::{DiagnosticList, WithErrors};
use serde_json::Value;

/// The body of a request (`query`, `variables`, `operationName`).
#[derive(Debug)]
pub(crate) struct Request {
    body: Value,
    document: Result<Document, WithErrors<Document>>,
}

impl Request {
    pub(crate) fn parse(body: Value) -> Self {
        let source = body["query"].as_str().unwrap_or_default();
        Self {
            document: Document::parse(source, "query"),
            body,
        }
    }

    pub(super) fn has_document(&self) -> bool {
        self.body["query"].is_string()
    }

    /// Returns the document; if it has syntax errors, the parts that could be parsed.
    pub(super) fn document(&self) -> &Document {
        match &self.document {
            Ok(document) => document,
            Err(errors) => &errors.partial,
        }
    }

    pub(super) fn syntax_errors(&self) -> Option<&DiagnosticList> {
        self.document.as_ref().err().map(|broken| &broken.errors)
    }

    /// Returns the name of the operation to run, if the request gives one.
    pub(super) fn operation_name(&self) -> Option<&str> {
        let name = self.body["operationName"].as_str();
        name.filter(|name| !name.is_empty())
    }

    pub(super) fn variables(&self) -> &Value {
        &self.body["variables"]
    }
}
