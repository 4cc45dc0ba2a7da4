//! A file of outlines.

use capstan_catalog::outline::Outline;
use serde_json::Value;

use super::flow::flow;
use super::scalar::block_scalar;
use crate::catalogue::Origin;

/// Returns the text of a file.
pub(crate) fn file_of(domain: &str, outlines: &[(&str, &Outline)], origin: Origin) -> String {
    let (source, rules) = match origin {
        Origin::Rest => ("description of its REST API", "rules.yaml"),
        Origin::Graphql => ("GraphQL schema", "mutations.yaml"),
    };
    let mut text = format!(
        "# Outlines of `{domain}`, generated from GitHub's {source}.\n\
         # Do not edit: change catalogue/{rules} and run `make catalogue`.\n"
    );
    text.push_str(&outlines_text(outlines));
    text
}

/// Returns the text of outlines, each after an empty line.
pub(crate) fn outlines_text(outlines: &[(&str, &Outline)]) -> String {
    let mut text = String::new();
    for (id, outline) in outlines {
        text.push_str(&format!("\n{id}:\n"));
        // An outline always becomes JSON: its keys are texts.
        let value = serde_json::to_value(outline).unwrap_or_default();
        for (key, value) in value.as_object().into_iter().flatten() {
            text.push_str(&line(key, value));
        }
    }
    text
}

fn line(key: &str, value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => flow(&format!("  {key}:"), value),
        scalar => format!("  {key}: {}\n", block_scalar(scalar)),
    }
}
