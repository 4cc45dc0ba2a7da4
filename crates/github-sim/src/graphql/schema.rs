//! The pinned schema, parsed once.

use apollo_compiler::Schema;
use apollo_compiler::collections::HashMap;
use apollo_compiler::schema::Implementers;
use apollo_compiler::validation::Valid;
use apollo_compiler::{Name, parser::Parser};
use std::sync::LazyLock;

const GITHUB: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../schema/github.graphql"
));
const EXTENSIONS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../schema/extensions.graphql"
));

/// Returns GitHub's schema with the extensions that are newer than the pinned version.
pub(crate) fn schema() -> &'static Valid<Schema> {
    &SCHEMA.0
}

/// Returns the types that implement each interface.
pub(crate) fn implementers() -> &'static HashMap<Name, Implementers> {
    &SCHEMA.1
}

static SCHEMA: LazyLock<(Valid<Schema>, HashMap<Name, Implementers>)> = LazyLock::new(|| {
    let mut builder = Schema::builder().adopt_orphan_extensions();
    let mut parser = Parser::new();
    parser.parse_into_schema_builder(GITHUB, "github.graphql", &mut builder);
    parser.parse_into_schema_builder(EXTENSIONS, "extensions.graphql", &mut builder);
    // The schema is part of the program and a test validates it. If it were broken, the valid part of it would
    // still be the best choice.
    let schema = match builder.build() {
        Ok(schema) => schema
            .validate()
            .unwrap_or_else(|errors| Valid::assume_valid(errors.partial)),
        Err(errors) => Valid::assume_valid(errors.partial),
    };
    let implementers = schema.implementers_map();
    (schema, implementers)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_schema_is_valid() {
        let mut builder = Schema::builder();
        let mut parser = Parser::new();
        parser.parse_into_schema_builder(GITHUB, "github.graphql", &mut builder);
        parser.parse_into_schema_builder(EXTENSIONS, "extensions.graphql", &mut builder);
        let schema = builder.build().unwrap_or_else(|errors| panic!("{errors}"));
        schema
            .validate()
            .unwrap_or_else(|errors| panic!("{errors}"));
    }
}
