//! Imports a description: every operation that can be called becomes an outline.

use std::collections::BTreeMap;
use std::path::Path;

use capstan_catalog::outline::{Outline, check, unsupported};
use capstan_core::ServiceName;

use super::filter::OperationFilter;
use super::naming::ids_of;
use super::outline::outline_of;
use super::paging::ServicePaging;
use super::settings::ServiceSuggestion;
use crate::description::{Document, Operation};
use crate::drift::Drift;
use crate::problem::Problem;
use crate::rules::Rules;
use crate::write::outlines_text;

/// The rules for all services.
const RULES: &str = include_str!("rules.yaml");
/// How many bytes a file has at most. Larger ones are not read as outlines.
const MAX_FILE_BYTES: usize = 900 << 10;

/// The outlines of a service, and what is not among them.
#[derive(Clone, Debug)]
pub struct ServiceImport {
    pub service: ServiceName,
    /// What the description calls the API.
    pub title: Option<String>,
    pub outlines: BTreeMap<String, Outline>,
    /// The operations that cannot be called, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// How many operations the filter left out.
    pub unwanted: usize,
    pub suggestion: ServiceSuggestion,
}

/// Imports a description.
pub fn import_openapi(
    text: &str,
    service: &ServiceName,
    filter: &OperationFilter,
) -> Result<ServiceImport, Problem> {
    let document = Document::for_service(text)?;
    let rules = Rules::from_text("service rules", RULES)?;
    let mut left_out = Vec::new();
    let mut operations: Vec<Operation> = Vec::new();
    for (name, read) in document.operations_of_service()? {
        match read {
            Ok(operation) => operations.push(operation),
            Err(problem) => left_out.push((name, problem.to_string())),
        }
    }
    let all: Vec<&Operation> = operations.iter().collect();
    let paging = ServicePaging::of_most(&all);
    let ids = ids_of(&all, service, &rules);
    let mut outlines = BTreeMap::new();
    let mut unwanted = 0;
    for (operation, id) in operations.iter().zip(ids) {
        let name = format!("{} {}", operation.method.name(), operation.path);
        let Some(id) = id else {
            left_out.push((name, "no id can be made of its path".to_owned()));
            continue;
        };
        if !filter.has(&id, operation) {
            unwanted += 1;
            continue;
        }
        let built = outline_of(operation, service, paging.as_ref(), &rules);
        let built = built.and_then(|outline| runnable(&id, outline));
        match built {
            Ok(outline) => {
                outlines.insert(id, outline);
            }
            Err(reason) => left_out.push((name, reason)),
        }
    }
    let title = document.at("/info/title").and_then(|title| title.as_str());
    Ok(ServiceImport {
        service: service.clone(),
        title: title.map(str::to_owned),
        outlines,
        left_out,
        unwanted,
        suggestion: ServiceSuggestion::of_description(&document, paging),
    })
}

/// Returns an outline that can be run, or why it cannot.
pub(super) fn runnable(id: &str, outline: Outline) -> Result<Outline, String> {
    match unsupported(&outline) {
        Some(reason) => Err(reason.to_owned()),
        None => check(id, &outline).map(|()| outline),
    }
}

impl ServiceImport {
    /// Returns how many outlines each domain has: the part of the id after the name of the service.
    pub fn domains(&self) -> BTreeMap<&str, usize> {
        let mut domains = BTreeMap::new();
        for id in self.outlines.keys() {
            *domains.entry(domain_of(id)).or_default() += 1;
        }
        domains
    }

    /// Returns the text of each file by its name.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut domains: BTreeMap<&str, Vec<(&str, &Outline)>> = BTreeMap::new();
        for (id, outline) in &self.outlines {
            domains
                .entry(domain_of(id))
                .or_default()
                .push((id, outline));
        }
        let mut files = BTreeMap::new();
        for (domain, outlines) in domains {
            let mut number = 1;
            let mut text = self.header(domain);
            for (id, outline) in outlines {
                let next = outlines_text(&[(id, outline)]);
                if text.len() + next.len() > MAX_FILE_BYTES {
                    files.insert(file_name(domain, number), text);
                    number += 1;
                    text = self.header(domain);
                }
                text.push_str(&next);
            }
            files.insert(file_name(domain, number), text);
        }
        files
    }

    fn header(&self, domain: &str) -> String {
        let service = &self.service;
        format!(
            "# Outlines of `{domain}` of the service `{service}`, made by `capstan cards import`.\n\
             # The next import replaces this file.\n"
        )
    }

    /// Compares the outlines with those in a folder.
    pub fn drift(&self, folder: &Path) -> Drift {
        Drift::of_outlines(&self.outlines, folder)
    }
}

/// Returns the domain of an id below its service; that of ids with one further part is the service.
fn domain_of(id: &str) -> &str {
    let mut parts = id.split('.');
    let service = parts.next().unwrap_or_default();
    match (parts.next(), parts.next()) {
        (Some(domain), Some(_)) => domain,
        _ => service,
    }
}

fn file_name(domain: &str, number: usize) -> String {
    match number {
        1 => format!("{domain}.yaml"),
        number => format!("{domain}.{number}.yaml"),
    }
}
