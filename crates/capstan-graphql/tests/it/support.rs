//! Shared by the tests: the pinned schema, and shorter ways to merge.

use std::sync::LazyLock;

use apollo_compiler::ast;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use capstan_graphql::{Batch, MergeError, Part, merge};
use proptest::test_runner::Config as ProptestConfig;
use serde_json::{Map, Value};

const GITHUB: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../schema/github.graphql"
));
const EXTENSIONS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../schema/extensions.graphql"
));

/// Returns GitHub's schema.
pub(crate) fn schema() -> &'static Valid<Schema> {
    static SCHEMA: LazyLock<Valid<Schema>> = LazyLock::new(|| {
        Schema::builder()
            .parse(GITHUB, "github.graphql")
            .parse(EXTENSIONS, "extensions.graphql")
            .build()
            .unwrap()
            .validate()
            .unwrap()
    });
    &SCHEMA
}

/// Panics unless GitHub's schema allows this document.
#[track_caller]
pub(crate) fn assert_valid(document: &str) {
    if let Err(failed) = ExecutableDocument::parse_and_validate(schema(), document, "document") {
        panic!("{}\n{document}", failed.errors);
    }
}

/// A document with the name of the chosen operation.
pub(crate) type Source<'a> = (&'a str, Option<&'a str>, Value);

/// Merges with the aliases `a_0`, `a_1` …
pub(crate) fn try_merge(sources: &[Source<'_>]) -> Result<Batch, MergeError> {
    let aliases: Vec<String> = (0..sources.len())
        .map(|index| capstan_graphql::alias("a", index))
        .collect();
    let variables: Vec<Map<String, Value>> = sources
        .iter()
        .map(|(_, _, variables)| variables.as_object().cloned().unwrap_or_default())
        .collect();
    let parts: Vec<Part<'_>> = sources
        .iter()
        .enumerate()
        .map(|(index, (document, operation_name, _))| Part {
            alias: &aliases[index],
            document,
            operation_name: *operation_name,
            variables: &variables[index],
        })
        .collect();
    merge(&parts)
}

/// Merges documents that must merge. It also checks that the parts and the batch are valid, and
/// that the batch is printed as the parser's own printer would.
#[track_caller]
pub(crate) fn merged(sources: &[Source<'_>]) -> Batch {
    for (document, ..) in sources {
        assert_valid(document);
    }
    let batch = try_merge(sources).unwrap();
    assert_valid(&batch.document);
    let parsed = ast::Document::parse(&batch.document, "batch").unwrap();
    assert_eq!(parsed.serialize().no_indent().to_string(), batch.document);
    batch
}

/// Returns the batch for people: its document with line breaks, then its variables.
pub(crate) fn shown(batch: &Batch) -> String {
    let parsed = ast::Document::parse(&batch.document, "batch").unwrap();
    let variables = serde_json::to_string(&batch.variables).unwrap();
    format!("{parsed}\n{variables}\n")
}

/// Returns the number of cases: `PROPTEST_CASES`, or this many.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    const UNSAID: u32 = 256;
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: match default.cases {
            UNSAID => cases,
            said => said,
        },
        failure_persistence: None,
        ..default
    }
}
