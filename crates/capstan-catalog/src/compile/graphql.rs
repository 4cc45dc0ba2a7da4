//! Compiles the `graphql` route: operations, their variables and lookups.

use indexmap::IndexMap;

use capstan_core::card::{
    GraphqlDocument, GraphqlLookup, GraphqlPagination, GraphqlRoute, Operation,
};
use capstan_core::expr::Expr;

use super::compiler::Compiler;
use super::settled::Lookups;
use crate::defaults::{OutputSchema, place};
use crate::raw::{RawGraphql, RawGraphqlLookup};

impl Compiler<'_> {
    pub(super) fn graphql(
        &mut self,
        raw: RawGraphql,
        schema: &OutputSchema<'_>,
    ) -> Option<GraphqlRoute> {
        let document = match &raw.operation {
            Some(operation) => self.document("/graphql/operation", operation, self.operation),
            None => {
                let known: Vec<_> = self.documents.keys().map(String::as_str).collect();
                let message = format!("the document has {} operations", known.len());
                let help = if known.is_empty() {
                    "write one".to_owned()
                } else {
                    format!("name one of them in `operation`: {}", known.join(", "))
                };
                self.problem_with_help("/graphql", message, help);
                None
            }
        };
        let variables = self.variables("/graphql/variables", &raw.variables, document.as_ref());
        let mut resolve = IndexMap::new();
        for (name, lookup) in &raw.resolve {
            if let Some(lookup) = self.graphql_lookup(&format!("/graphql/resolve/{name}"), lookup) {
                resolve.insert(name.clone(), lookup);
            }
        }
        let lookups = raw.resolve.iter();
        let lookups: Lookups<'_> = lookups
            .map(|(name, lookup)| (name.as_str(), lookup.each.is_some()))
            .collect();
        let unchanged = self.settled("/graphql/unchanged", raw.unchanged.as_ref(), &lookups);
        let refuse = self.refusal("/graphql/refuse", raw.refuse.as_ref());
        let verify = self.verify("/graphql/verify", raw.verify.as_ref(), &lookups);
        let output = match (&raw.output, &document) {
            (Some(output), _) => self.output("/graphql/output", output),
            (None, Some(document)) => {
                let missing = place::find(&document.text, schema)
                    .err()
                    .unwrap_or_default();
                self.no_output("/graphql", &missing)
            }
            // The problem has been reported already.
            (None, None) => return None,
        };
        let pagination = raw.pagination.as_ref().and_then(|raw| {
            Some(GraphqlPagination {
                has_next_page: self
                    .expr("/graphql/pagination/has_next_page", &raw.has_next_page)?,
                end_cursor: self.expr("/graphql/pagination/end_cursor", &raw.end_cursor)?,
                total: match &raw.total {
                    Some(total) => Some(self.expr("/graphql/pagination/total", total)?),
                    None => None,
                },
            })
        });
        Some(GraphqlRoute {
            document: document?,
            variables,
            resolve,
            unchanged,
            refuse,
            verify,
            output,
            pagination,
            max_page_size: raw.limits.map(|limits| limits.max_page_size),
        })
    }

    fn graphql_lookup(&mut self, pointer: &str, raw: &RawGraphqlLookup) -> Option<GraphqlLookup> {
        let document = self.document(
            &format!("{pointer}/operation"),
            &raw.operation,
            Operation::Read,
        );
        let variables = self.variables(
            &format!("{pointer}/variables"),
            &raw.variables,
            document.as_ref(),
        );
        let root = self.path(&format!("{pointer}/root"), &raw.root);
        let each = self.optional_expr(&format!("{pointer}/each"), raw.each.as_deref());
        let again = self.optional_expr(&format!("{pointer}/again"), raw.again.as_deref());
        let pick = self.optional_expr(&format!("{pointer}/pick"), raw.pick.as_deref());
        let missing = self.optional_template(&format!("{pointer}/missing"), raw.missing.as_deref());
        let mend = self.lookup_mend(pointer, raw.mend.as_ref());
        if raw.optional && raw.missing.is_some() {
            self.problem(
                &format!("{pointer}/missing"),
                "an `optional` lookup may find nothing, so `missing` is never shown: remove one of them",
            );
        }
        Some(GraphqlLookup {
            document: document?,
            variables,
            root: root?,
            each,
            cache: raw.cache,
            optional: raw.optional,
            again,
            pick,
            missing,
            mend,
        })
    }

    /// Compiles the variables. A variable that the card does not map takes the input of the same
    /// name.
    fn variables(
        &mut self,
        pointer: &str,
        raw: &IndexMap<String, String>,
        document: Option<&GraphqlDocument>,
    ) -> IndexMap<String, Expr> {
        let mut variables = IndexMap::new();
        let Some(document) = document else {
            return variables;
        };
        for (name, text) in raw {
            let pointer = format!("{pointer}/{name}");
            if !document.variables.contains(name) {
                let operation = shown_name(document);
                let message = format!("{operation} has no variable `${name}`");
                self.problem(&pointer, message);
            } else if let Some(expr) = self.expr(&pointer, text) {
                variables.insert(name.clone(), expr);
            }
        }
        for name in &document.variables {
            if !raw.contains_key(name)
                && let Some(expr) = self.expr(pointer, name)
            {
                variables.insert(name.clone(), expr);
            }
        }
        variables
    }

    fn document(
        &mut self,
        pointer: &str,
        operation: &str,
        expected: Operation,
    ) -> Option<GraphqlDocument> {
        match self.documents.get(operation) {
            Some(document) if document.operation == expected => Some(document.clone()),
            Some(document) => {
                let expected = match expected {
                    Operation::Read => "query",
                    Operation::Write => "mutation",
                };
                let operation = if document.is_named {
                    format!("`{operation}`")
                } else {
                    shown_name(document)
                };
                self.problem(pointer, format!("{operation} is not a {expected}"));
                None
            }
            None => {
                let known: Vec<_> = self.documents.keys().map(String::as_str).collect();
                let message = format!("the document has no operation `{operation}`");
                let known = if known.is_empty() {
                    "no operation at all".to_owned()
                } else {
                    known.join(", ")
                };
                self.problem_with_help(pointer, message, format!("it has {known}"));
                None
            }
        }
    }
}

/// Returns an operation's name for messages. A name that its author did not write is not shown,
/// because the author could not find it.
fn shown_name(document: &GraphqlDocument) -> String {
    if document.is_named {
        format!("the operation `{}`", document.operation_name)
    } else {
        "the operation of the document".to_owned()
    }
}
