//! Imports a GraphQL schema: every query and every mutation becomes an outline.

use std::collections::{BTreeMap, BTreeSet};

use capstan_core::ServiceName;
use indexmap::IndexMap;

use super::filter::OperationFilter;
use super::import::{ServiceImport, runnable};
use super::introspection::schema_text;
use super::settings::ServiceSuggestion;
use crate::graphql::{GraphqlRules, GraphqlSchema, RootKind, catalogue_from_schema};
use crate::problem::{Problem, joined};
use crate::rules::ExceptionGroup;

/// Imports a schema: its text, or the answer to an introspection query. `name` is what errors call it.
pub fn import_graphql(
    text: &str,
    name: &str,
    service: &ServiceName,
    filter: &OperationFilter,
) -> Result<ServiceImport, Problem> {
    let text = schema_text(text)?;
    let schema = GraphqlSchema::parse(&[(name, &text)])?;
    let mut rules = GraphqlRules {
        service: Some(service.to_string()),
        ..GraphqlRules::default()
    };
    let kinds = [RootKind::Query, RootKind::Mutation];
    let mut left_out = Vec::new();
    let mut built = catalogue_from_schema(&schema, &rules, &kinds, &BTreeSet::new());
    if let Err(problems) = &built {
        // What cannot be built is left out, and the rest is built without it.
        let names = problems
            .iter()
            .map(|problem| (problem.pointer.clone(), true));
        let operations: IndexMap<String, bool> = names.collect();
        let because = "it cannot be called".to_owned();
        rules.left_out.push(ExceptionGroup {
            because,
            operations,
        });
        let reasons = problems.iter();
        left_out.extend(reasons.map(|it| (it.pointer.clone(), it.message.clone())));
        built = catalogue_from_schema(&schema, &rules, &kinds, &BTreeSet::new());
    }
    let catalogue = built.map_err(|problems| Problem::new(name, joined(&problems)))?;
    let mut outlines = BTreeMap::new();
    let mut unwanted = 0;
    for (id, outline) in catalogue.outlines {
        if !filter.has_name(&id, &[&outline.source]) {
            unwanted += 1;
            continue;
        }
        let source = outline.source.clone();
        match runnable(&id, outline) {
            Ok(outline) => {
                outlines.insert(id, outline);
            }
            Err(reason) => left_out.push((source, reason)),
        }
    }
    Ok(ServiceImport {
        service: service.clone(),
        title: None,
        outlines,
        left_out,
        unwanted,
        suggestion: ServiceSuggestion::of_schema(),
    })
}
