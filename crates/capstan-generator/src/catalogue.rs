//! The catalogue: every operation as an outline, in files by domain.

use std::collections::BTreeMap;

use capstan_catalog::outline::Outline;

use crate::build::{outline_of, variant_of};
use crate::description::Document;
use crate::naming::{check_unique, id_of};
use crate::problem::Problem;
use crate::rules::{NameRule, Rules, lookup};
use crate::wording::make_distinct;
use crate::write::file_of;

/// Returns a problem for each rule of names that applies to no input.
fn unused_names<'a>(
    outlines: &'a BTreeMap<String, Outline>,
    rules: &'a Rules,
) -> impl Iterator<Item = Problem> {
    let used = |rule: &&NameRule| {
        let mut all = outlines.values().flat_map(|outline| outline.names.values());
        all.any(|named| *named == rule.find)
    };
    let unused = rules.names.iter().filter(move |rule| !used(rule));
    unused.map(|rule| {
        let message = format!("no input needs this rule of names ({})", rule.because);
        Problem::new(rule.inputs.join(", "), message)
    })
}

/// Outlines by id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    pub outlines: BTreeMap<String, Outline>,
    pub origin: Origin,
}

/// What outlines were made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Rest,
    Graphql,
}

impl Catalogue {
    /// Builds the outline of every operation, or returns all problems.
    pub fn build(document: &Document, rules: &Rules) -> Result<Self, Vec<Problem>> {
        let operations = document.operations()?;
        let mut problems = Vec::new();
        let mut ids = Vec::new();
        let mut outlines = BTreeMap::new();
        for operation in &operations {
            let built = id_of(operation, rules)
                .and_then(|id| outline_of(operation, rules).map(|outline| (id, outline)));
            match built {
                Ok((id, outline)) => {
                    let variants = lookup(&rules.variants, &operation.id);
                    for (id, variant) in variants.into_iter().flatten() {
                        ids.push((id.clone(), operation));
                        outlines.insert(id.clone(), variant_of(&outline, variant));
                    }
                    ids.push((id.clone(), operation));
                    outlines.insert(id, outline);
                }
                Err(problem) => problems.push(problem),
            }
        }
        problems.extend(check_unique(&ids));
        for (name, because) in rules.named_operations() {
            if !operations.iter().any(|operation| operation.id == name) {
                let message = format!("there is no such operation ({because})");
                problems.push(Problem::new(name, message));
            }
        }
        problems.extend(unused_names(&outlines, rules));
        make_distinct(&mut outlines, rules);
        if problems.is_empty() {
            Ok(Self {
                outlines,
                origin: Origin::Rest,
            })
        } else {
            Err(problems)
        }
    }

    /// Returns the text of each file by its name.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut domains: BTreeMap<&str, Vec<(&str, &Outline)>> = BTreeMap::new();
        for (id, outline) in &self.outlines {
            let domain = id.split('.').next().unwrap_or_default();
            domains.entry(domain).or_default().push((id, outline));
        }
        let files = domains.into_iter();
        files
            .map(|(domain, outlines)| {
                (
                    format!("{domain}.yaml"),
                    file_of(domain, &outlines, self.origin),
                )
            })
            .collect()
    }
}
